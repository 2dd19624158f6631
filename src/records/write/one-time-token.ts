import { readKeyedRequest } from '../../kernel/idempotency.ts';
import { isObject } from '../../kernel/json.ts';
import type { Capability } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createOpenedWorkspace, createRandomText, deriveText, makeSalt } from '../account/workspace.ts';
import type { Kind } from '../kind/kind.ts';
import type { Context, RecordService } from '../service.ts';
import type { Secrets } from './write.ts';

/** Hashes a token with its purpose, as SHA-256 in hex. A store keeps only the hash. */
const hashToken = async ({ platform }: RecordService, purpose: string, token: string): Promise<string> =>
  platform.sha256(`${purpose} ${token}`);

/** Adds members to an object, and to the objects in it. */
const addMembers = (
  before: Record<string, unknown>,
  added: Record<string, unknown>,
): Record<string, unknown> => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(added).map(([name, value]) => [
      name,
      isObject(value) && isObject(before[name]) ? { ...before[name], ...value } : value,
    ]),
  ),
});

/**
 * Makes a one-time token: a prefix and 160 bits. `id` is the record that is changed.
 *
 * Without an Idempotency-Key the token is random. With one it is derived from a salt, the workspace's secret and
 * the key. The store keeps the salt, so a replay can derive the token again, and the store alone cannot.
 *
 * Returns its hash, and the secrets that add the result of `present` to a reply.
 */
export async function makeOneTimeToken(
  context: Context,
  { argument, prefix }: Capability,
  present: (token: string) => object | Promise<object>,
  id?: string,
): Promise<{ hash: string; secrets: Secrets }> {
  const { service, workspace } = context;
  const keyed = await readKeyedRequest(context, { id });
  const salt = makeSalt(service);
  const randomToken = prefix + createRandomText(service);
  const derive = async (tokenSalt = salt) =>
    keyed
      ? prefix + (await deriveText(service, `${argument} ${tokenSalt} ${workspace?.secret} ${keyed.key}`))
      : randomToken;
  const add: Secrets['add'] = async (reply, storedSalt) => {
    if (reply.status !== 201) return reply;
    const members = (await present(await derive(storedSalt))) as Record<string, unknown>;
    return { ...reply, body: addMembers(reply.body as Record<string, unknown>, members) };
  };
  return { hash: await hashToken(service, argument, await derive()), secrets: { salt, add } };
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
