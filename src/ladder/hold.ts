import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { dayMs } from '../kernel/text.ts';
import {
  type Credential,
  changeOwner,
  findOwner,
  leaveOwner,
  type Owner,
  toHandleName,
} from '../records/owner.ts';
import type { FollowedHead } from '../records/store.ts';
import { makeText } from '../records/workspace.ts';
import { toLife, toWorkspaceState, type WorkspaceState } from '../records/workspace-state.ts';
import { type Claim, toClaimEnd } from './claim.ts';

/** Workspaces that one owner may hold. */
const mostHandles = 100;

/** A passkey that answered: what the store knows its owner by, the passkey where it was made just now, and what it counts. */
interface Answered {
  hash: string;
  made?: Credential;
  counter: number;
}

/**
 * Has an owner know a handle, and live until `expiresAt`. A passkey that was made just now makes its owner, and is
 * refused where one stands there: what a passkey says as it is made is signed by nobody, and who it is known by no
 * secret, so that it lets nobody in to what another holds.
 */
async function addHandle(
  handle: string,
  { hash, made, counter }: Answered,
  expiresAt: number,
  service: Service,
): Promise<void> {
  const gone = made ? [] : await findGone(hash, service);
  const toOwner = (owner: Owner | undefined): { owner: Owner } => {
    if (made) return { owner: { credential: made, handles: [handle] } };
    const { credential } = owner!;
    const handles = owner!.handles.filter((one) => !gone.includes(one));
    if (handles.length >= mostHandles)
      throw new Refusal('at_limit', { reason: `One passkey holds at most ${mostHandles} workspaces.` });
    const counted = { ...credential, counter: Math.max(counter, credential.counter) };
    return { owner: { ...owner!, credential: counted, handles: [...handles, handle] } };
  };
  const changed = await changeOwner(service, hash, toOwner, { expiresAt, mint: made !== undefined });
  if (!changed) throw new Refusal('wrong_passkey');
}

/** Gives a workspace that waits for a claim to the owner of a passkey, once, and answers its handle. */
export async function hold({ hash, head }: Claim, answered: Answered, service: Service): Promise<string> {
  const { store, platform, settings } = service;
  const handle = `wsh_${makeText(service)}`;
  const name = await toHandleName(service, handle);
  const now = platform.now();
  const held = { id: answered.hash, handle, name, until: 0 };
  const expiresAt = Math.max(
    head.expiresAt,
    now + toLife({ ...toWorkspaceState(head.state), owner: held }, settings),
  );
  const until = expiresAt + dayMs;
  // Before the workspace knows its owner, so that nothing that fails in between leaves one without the other.
  await addHandle(handle, answered, until + dayMs, service);
  try {
    const changed = await store.change({
      workspace: head.hash,
      mint: false,
      now,
      expiresAt,
      ceiling: { records: 0, bytes: 0 },
      needs: [],
      decide(_, current) {
        const { claim: _claim, ...standing } = toWorkspaceState(current!.state);
        if (standing.owner) throw new Refusal('already_claimed');
        if (toClaimEnd(toWorkspaceState(current!.state), hash, now) === undefined)
          throw new Refusal('unknown_claim');
        const state: WorkspaceState = {
          ...standing,
          owner: { ...held, until },
          log: [[now, 'answerClaim', 'owner']],
        };
        const writing = {
          state: { ...state },
          points: { [name]: { to: 'workspace', expiresAt: until } },
          unpoints: [hash],
        };
        return { writing, answer: undefined };
      },
    });
    if (changed.result !== 'done') throw new Refusal('unknown_claim');
  } catch (error) {
    // A store that failed may have done it all the same; what leads nowhere then does no harm.
    const isRefused = error instanceof Refusal && error.envelope.code !== 'store_unavailable';
    if (isRefused) await leaveOwner(service, answered.hash, handle);
    throw error;
  }
  return handle;
}

/** The workspaces behind handles that an owner still holds. */
export async function findHeld(
  handles: readonly string[],
  owner: string,
  service: Service,
): Promise<{ handle: string; head: FollowedHead }[]> {
  const found = await Promise.all(
    handles.map(async (handle) => {
      const head = await service.store.follow(await toHandleName(service, handle), service.platform.now());
      return head && toWorkspaceState(head.state).owner?.id === owner ? [{ handle, head }] : [];
    }),
  );
  return found.flat();
}

/** Handles of an owner at its limit whose workspaces have expired: they count no more. */
async function findGone(hash: string, service: Service): Promise<readonly string[]> {
  const { handles = [] } = (await findOwner(service, hash)) ?? {};
  if (handles.length < mostHandles) return [];
  const held = await findHeld(handles, hash, service);
  return handles.filter((one) => !held.some(({ handle }) => handle === one));
}
