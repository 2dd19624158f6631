import { readKeyedRequest } from '../kernel/idempotency.ts';
import type { Capability, OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Kind } from './kind.ts';
import type { Context, RecordService } from './service.ts';
import { createOpenedWorkspace, createRandomText, deriveText, makeSalt } from './workspace.ts';

/** What is kept of a token: SHA-256 in hex of its purpose and it. */
const hashToken = async ({ platform }: RecordService, purpose: string, token: string): Promise<string> =>
  platform.sha256(`${purpose} ${token}`);

/**
 * Makes a token of 160 bits after a prefix: random or, under an Idempotency-Key, derived from a salt, the workspace's
 * secret and the key, so that a replay can tell it again while the store, which keeps the salt, cannot. `id` is what
 * the change is of. `fill` adds what `presentToken` makes of the token to its member of the reply.
 */
export async function makeOneTimeToken(
  context: Context,
  { argument, prefix }: Capability,
  presentToken: (token: string) => object | Promise<object>,
  id?: string,
) {
  const { service, workspace } = context;
  const keyed = await readKeyedRequest(context, id);
  const salt = makeSalt(service);
  const fresh = prefix + createRandomText(service);
  const tell = async (from = salt) =>
    keyed
      ? prefix + (await deriveText(service, `${argument} ${from} ${workspace?.secret} ${keyed.key}`))
      : fresh;
  return {
    hash: await hashToken(service, argument, await tell()),
    salt,
    tell,
    async fill(outcome: OperationReply, kept: string | undefined) {
      const body = outcome.body as Record<string, object>;
      if (!body[argument]) return outcome;
      const members = await presentToken(await tell(kept));
      return { ...outcome, body: { ...body, [argument]: { ...body[argument], ...members } } };
    },
  };
}

/**
 * Opens the workspace that a caller's token leads to, without its id. `to` is what the token is for there. Any bad token
 * gets the same refusal. What it leads to has to know it too, by its `hash`.
 */
export async function followToken({ service, call, options }: Context, { argument, unknown }: Capability) {
  const hash = await hashToken(service, argument, options.capability!);
  const found = await service.workspaces.follow(hash, call.client);
  if (!found) throw new Refusal(unknown);
  const workspace = createOpenedWorkspace(found.workspace, { id: '', secret: '', by: 'party' });
  return { hash, to: found.to, workspace };
}

/** The same, with the record that the token leads to. */
export async function followToRecord(context: Context, capability: Capability, { name }: Kind) {
  const { to, ...opened } = await followToken(context, capability);
  const entry = opened.workspace.contents.find(name, to);
  if (!entry) throw new Refusal(capability.unknown);
  return { ...opened, fact: entry.record };
}
