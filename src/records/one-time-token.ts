import * as v from 'valibot';
import { toKeyedRequest } from '../kernel/idempotency.ts';
import type { Capability, Context, OpenedWorkspace, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { say, Time } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { deriveText, makeSalt, toRandomText } from './workspace.ts';

/** A kind of token: how its holder shows it, and what it begins with. Its argument also names its purpose. */
type TokenKind = Capability & { prefix: string };

/* @__NO_SIDE_EFFECTS__ */
export function toTokenKind(
  argument: 'confirmation' | 'shortlist' | 'claim' | 'grader',
  prefix: string,
  hint: string,
): TokenKind {
  const header = `X-${argument[0]!.toUpperCase()}${argument.slice(1)}`;
  const shape = new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{32}$`);
  return { argument, prefix, hint, header, shape, unknown: `unknown_${argument}` };
}

/** What its issuer is told of a token, once: it is for `holders` alone, who follow the `url` to do what `does` says. */
/* @__NO_SIDE_EFFECTS__ */
export const toIssuedEntries = ({ shape }: TokenKind, holders: string, does: string) => ({
  token: say(v.pipe(v.string(), v.regex(shape)), `A capability: for ${holders} alone.`),
  url: say(v.pipe(v.string(), v.url()), `A page on which a person ${does}.`),
  expiresAt: say(Time, 'When the token expires.'),
});

/** What its issuer would be told of it, at the `page` of people. */
export const toIssuedExample = ({ prefix }: TokenKind, page: string, { seed }: Service) => ({
  token: `${prefix}${'0'.repeat(32)}`,
  url: `https://careers.example/${page}.html#${prefix}${'0'.repeat(32)}`,
  expiresAt: `${seed.today}T00:00:00.000Z`,
});

/** What the operations have in common that the holder of a token calls. */
export const toTokenRow = (capability: TokenKind, tag: string) =>
  ({
    path: `/${capability.argument}`,
    tag,
    listed: true,
    cache: 'never',
    workspace: false,
    capability,
  }) as const;

/** What is kept of a token: SHA-256 in hex of its purpose and it. */
export const toTokenHash = async (
  { platform }: Pick<Service, 'platform'>,
  purpose: string,
  token: string,
): Promise<string> => platform.sha256(`${purpose} ${token}`);

/**
 * Makes a token of 160 bits after a prefix: random or, under an Idempotency-Key, of SHA-256 over a salt, what only the
 * holder of the workspace knows, and the key. Only the salt is kept, so that a replay can tell the token again while
 * the store alone cannot. `id` is what the change is of, where its address says. `toMembers` makes of the token what
 * the reply has of it, beside what its member has already; `fill` puts that there, with the salt that was kept.
 */
export async function makeOneTimeToken(
  context: Context,
  { argument, prefix }: TokenKind,
  toMembers: (token: string) => object | Promise<object>,
  id?: string,
) {
  const { service, workspace } = context;
  const keyed = await toKeyedRequest(context, id);
  const salt = makeSalt(service);
  const fresh = prefix + toRandomText(service);
  const tell = async (from = salt) =>
    keyed
      ? prefix + (await deriveText(service, `${argument} ${from} ${workspace?.secret} ${keyed.key}`))
      : fresh;
  return {
    hash: await toTokenHash(service, argument, await tell()),
    salt,
    tell,
    async fill(outcome: Outcome, kept: string | undefined) {
      const body = outcome.body as Record<string, object>;
      if (!body[argument]) return outcome;
      const members = await toMembers(await tell(kept));
      return { ...outcome, body: { ...body, [argument]: { ...body[argument], ...members } } };
    },
  };
}

/**
 * The record of a kind that the token of a caller leads to, and its workspace, without the id. Malformed, unknown,
 * replaced and expired tokens get the same refusal.
 */
export async function followToken(
  { service, options }: Context,
  { argument, unknown }: TokenKind,
  { name }: Kind,
) {
  const hash = await toTokenHash(service, argument, options.capability!);
  const head = await service.store.follow(hash, service.platform.now());
  const [found] = head ? await service.store.find(head.key, [head.to]) : [];
  if (!head || found?.record?.kind !== name) throw new Refusal(unknown);
  const { to: _, ...rest } = head;
  const workspace: OpenedWorkspace = { ...rest, id: '', secret: '', by: 'party' };
  return { hash, workspace, fact: found.record.fact };
}
