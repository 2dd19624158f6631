import { readKeyedRequest } from '../kernel/idempotency.ts';
import type { Capability, OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Kind } from './kind.ts';
import type { Context, RecordService } from './service.ts';
import { createOpenedWorkspace, createRandomText, deriveText, makeSalt } from './workspace.ts';

/** Hashes a token with its purpose, as SHA-256 in hex. A store keeps only the hash. */
const hashToken = async ({ platform }: RecordService, purpose: string, token: string): Promise<string> =>
  platform.sha256(`${purpose} ${token}`);

/**
 * Makes a one-time token: a prefix and 160 bits. `id` is the record that is changed.
 *
 * Without an Idempotency-Key the token is random. With one it is derived from a salt, the workspace's secret and
 * the key. The store keeps the salt, so a replay can derive the token again, and the store alone cannot.
 *
 * `tell` returns the token. `fill` adds the result of `presentToken` to the member `argument` of a reply.
 */
export async function makeOneTimeToken(
  context: Context,
  { argument, prefix }: Capability,
  presentToken: (token: string) => object | Promise<object>,
  id?: string,
) {
  const { service, workspace } = context;
  const keyed = await readKeyedRequest(context, { id });
  const salt = makeSalt(service);
  const randomToken = prefix + createRandomText(service);
  const tell = async (tokenSalt = salt) =>
    keyed
      ? prefix + (await deriveText(service, `${argument} ${tokenSalt} ${workspace?.secret} ${keyed.key}`))
      : randomToken;
  return {
    hash: await hashToken(service, argument, await tell()),
    salt,
    tell,
    async fill(reply: OperationReply, storedSalt: string | undefined) {
      const body = reply.body as Record<string, object>;
      if (!body[argument]) return reply;
      const members = await presentToken(await tell(storedSalt));
      return { ...reply, body: { ...body, [argument]: { ...body[argument], ...members } } };
    },
  };
}

/**
 * Opens the workspace that a caller's token leads to. Returns the token's hash and, as `to`, what the token is for.
 *
 * Throws the same Refusal for any bad token. The caller of this function still has to find the hash in what `to`
 * names.
 */
export async function followToken({ service, call, options }: Context, { argument, unknown }: Capability) {
  const hash = await hashToken(service, argument, options.capability!);
  const target = await service.workspaces.follow(hash, call.client);
  if (!target) throw new Refusal(unknown);
  const workspace = createOpenedWorkspace(target.workspace, { id: '', secret: '', by: 'party' });
  return { hash, to: target.to, workspace };
}

/**
 * Opens the workspace that a caller's token leads to, and finds the record there as `fact`. Throws the Refusal of a
 * bad token if the record is gone.
 */
export async function followToRecord(context: Context, capability: Capability, { name }: Kind) {
  const { to, ...opened } = await followToken(context, capability);
  const entry = opened.workspace.contents.find(name, to);
  if (!entry) throw new Refusal(capability.unknown);
  return { ...opened, fact: entry.record };
}
