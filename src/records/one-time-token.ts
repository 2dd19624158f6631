import { toKeyedRequest } from '../kernel/idempotency.ts';
import type { Capability, Context, OpenedWorkspace, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import type { Kind } from './kind.ts';
import { deriveText, makeSalt, toRandomText } from './workspace.ts';

/** What is kept of a token: SHA-256 in hex of its purpose and it. */
export const toTokenHash = async (
  { platform }: Pick<Service, 'platform'>,
  purpose: string,
  token: string,
): Promise<string> => platform.sha256(`${purpose} ${token}`);

/**
 * Makes a token of 160 bits after a prefix: random or, under an Idempotency-Key, derived from a salt, the workspace's
 * secret and the key, so that a replay can tell it again while the store, which keeps the salt, cannot. `id` is what
 * the change is of. `fill` adds what `toMembers` makes of the token to its member of the reply.
 */
export async function makeOneTimeToken(
  context: Context,
  { argument, prefix }: Capability,
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

/** The record that a caller's token leads to, and its workspace without the id. Any bad token gets the same refusal. */
export async function followToken(
  { service, options }: Context,
  { argument, unknown }: Capability,
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
