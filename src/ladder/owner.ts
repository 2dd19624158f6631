import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Opener } from '../kernel/service.ts';
import { requireSigner } from '../kernel/signer.ts';
import { toPeriod } from '../pricing/meter.ts';
import { findOwner, hashHandle } from '../records/account/owner.ts';
import { createLimitCheck, presentUsage } from '../records/account/usage.ts';
import { createOpenedWorkspace, hashWorkspaceId, mintWorkspaceId } from '../records/account/workspace.ts';
import { readWorkspaceState } from '../records/account/workspace-state.ts';
import { presentWorkspace } from '../records/account/workspace-view.ts';
import type { RecordWorkspace } from '../records/service.ts';
import { changeWorkspace } from '../records/write/write.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { requireRung } from './ladder.ts';
import { readBearer } from './sign-in.ts';

/** Returns the workspace of an owner's handle, or undefined if another owner has it or it has expired. */
async function findByHandle(
  handle: string,
  owner: string,
  service: Pick<LadderService, 'workspaces' | 'platform'>,
  client: string | undefined,
) {
  const found = await service.workspaces.follow(await hashHandle(service, handle), client);
  const isOwned = found && readWorkspaceState(found.workspace.head.state).owner?.id === owner;
  return isOwned ? found.workspace : undefined;
}

export async function findOwnedWorkspaces(
  handles: readonly string[],
  owner: string,
  { service, call }: Pick<LadderContext, 'service' | 'call'>,
) {
  const found = await Promise.all(
    handles.map(async (handle) => {
      const workspace = await findByHandle(handle, owner, service, call.client);
      return workspace ? [{ handle, head: workspace.head }] : [];
    }),
  );
  return found.flat();
}

/**
 * Opens a workspace as its owner. Throws the Refusal `unknown_workspace` if the workspace does not exist or another
 * owner has it, and `unknown_owner` if the bearer is not valid.
 */
export async function openAsOwner(
  service: Pick<LadderService, 'signer' | 'platform' | 'workspaces'>,
  handle: string,
  { bearer, client }: Opener,
): Promise<RecordWorkspace> {
  const owner = readBearer(service, bearer);
  const workspace = await findByHandle(handle, owner, service, client);
  if (!workspace) throw new Refusal('unknown_workspace');
  const secret = requireSigner(service).mac('replay', workspace.head.hash);
  return createOpenedWorkspace(workspace, { id: handle, secret, by: 'owner' });
}

export async function listOwnedWorkspaces(context: LadderContext): Promise<OperationReply> {
  const { service, options } = context;
  requireRung(service, 'claim');
  const hash = readBearer(service, options.bearer);
  const owner = await findOwner(service, hash);
  const owned = owner ? await findOwnedWorkspaces(owner.handles, hash, context) : [];
  const message = 'You hold no workspace: those that you did were deleted, or have expired.';
  if (owned.length === 0) return { status: 200, body: { type: 'EMPTY', message } };
  const presentOwnedWorkspace = ({ handle, head }: (typeof owned)[number]) => ({
    handle,
    ...presentWorkspace(head, service, 'owner'),
  });
  return { status: 200, body: { type: 'OK', workspaces: owned.map(presentOwnedWorkspace) } };
}

function requireOwner({ service, workspace }: LadderContext): void {
  requireRung(service, 'claim');
  if (workspace!.by !== 'owner') throw new Refusal('owner_only');
}

/** Gives a workspace another id. From then on its previous id is unknown, as are replies to its Idempotency-Keys. */
export async function rotateWorkspace(context: LadderContext): Promise<OperationReply> {
  requireOwner(context);
  const { service, options } = context;
  const id = mintWorkspaceId(service);
  const rename = await hashWorkspaceId(service, id);
  const reply = await changeWorkspace(
    { ...context, options: { ...options, key: undefined } },
    ({ change }) => {
      change.rename = rename;
      return { status: 200, body: { type: 'OK' } };
    },
    // An owner whose id leaked needs another one, no matter how much was written to the workspace.
    { growth: 'bounded' },
  );
  return reply.status === 200 ? { ...reply, body: { ...(reply.body as object), workspace: id } } : reply;
}

/** Authorises a ceiling for the rest of the month. It must be at least what is already used. */
export async function authorizeSpend(ceiling: number, context: LadderContext): Promise<OperationReply> {
  requireOwner(context);
  const { service } = context;
  return changeWorkspace(context, ({ change }) => {
    const { now, head } = change;
    const { total } = presentUsage(service, head, now);
    if (ceiling < total) {
      const message = `must be at least ${total}, which is used already`;
      throw new Refusal('invalid_request', { issues: [{ path: 'ceiling', message }] });
    }
    change.state = { ...change.state, authorised: { period: toPeriod(now), ceiling } };
    const after = { ...head!, state: change.state };
    change.charge = createLimitCheck(service, after, now);
    return { status: 200, body: { type: 'OK', usage: presentUsage(service, after, now) } };
  });
}
