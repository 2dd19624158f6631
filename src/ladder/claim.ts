import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { dayMs, toIsoDate, toIsoTime } from '../kernel/text.ts';
import { describeActivity } from '../records/activity.ts';
import { watchGrowth } from '../records/growth.ts';
import { followToken, makeOneTimeToken } from '../records/one-time-token.ts';
import { changeOwner, findOwner, hashHandle, type Owner, releaseFromOwner } from '../records/owner.ts';
import { createRandomText, deriveText } from '../records/workspace.ts';
import { computeLife, readWorkspaceState, type WorkspaceState } from '../records/workspace-state.ts';
import { presentWorkspace } from '../records/workspace-view.ts';
import { writeChange } from '../records/write.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { claimToken, requireRung } from './ladder.ts';
import { findOwnedWorkspaces } from './owner.ts';
import {
  checkPasskey,
  decodeChallenge,
  issueBearer,
  signChallenge,
  type VerifiedPasskey,
} from './sign-in.ts';

const claimMs = 900_000;

/** What agent and person compare, so that a person claims what its own agent made: `4H7K-M2QX`. */
async function deriveUserCode({ service }: LadderContext, token: string): Promise<string> {
  const text = (await deriveText(service, `user code ${token}`)).slice(0, 8).toUpperCase();
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

export async function startClaim(context: LadderContext): Promise<OperationReply> {
  requireRung(context.service, 'claim');
  const { settings } = context.service;
  const createMembers = async (token: string) => ({
    url: `${settings.baseUrl}/claim.html#${token}`,
    userCode: await deriveUserCode(context, token),
  });
  const { hash, ...token } = await makeOneTimeToken(context, claimToken, createMembers);
  return writeChange(
    {
      ...token,
      decide({ now, head }) {
        const standing = readWorkspaceState(head!.state);
        if (standing.owner) throw new Refusal('already_claimed');
        const expiresAt = now + claimMs;
        const state: WorkspaceState = { ...standing, claim: { token: hash, expiresAt } };
        const claim = { url: '', userCode: '', expiresAt: toIsoTime(expiresAt) };
        return {
          state: { ...state },
          addedTokens: { [hash]: { to: 'claim', expiresAt } },
          removedTokens: standing.claim ? [standing.claim.token] : [],
          outcome: { status: 201, body: { type: 'OK', claim } },
        };
      },
    },
    context,
  );
}

/** When a claim ends that a workspace waits for; undefined where it waits for another, or for none. */
function findClaimEnd({ claim }: WorkspaceState, hash: string, now: number): number | undefined {
  return claim && claim.token === hash && claim.expiresAt > now ? claim.expiresAt : undefined;
}

/** Where the token of a claim leads. Malformed, unknown, used, replaced and expired ones get the same refusal. */
async function followClaim(context: LadderContext) {
  const { hash, workspace } = await followToken(context, claimToken);
  const now = context.service.platform.now();
  const { head } = workspace.contents;
  const expiresAt = findClaimEnd(readWorkspaceState(head.state), hash, now);
  if (expiresAt === undefined) throw new Refusal('unknown_claim');
  const userCode = await deriveUserCode(context, context.options.capability!);
  return { hash, head, userCode, expiresAt };
}

const mostHandles = 100;

/**
 * Adds a handle to an owner, who then lives until `expiresAt`. A new passkey makes its owner, and is refused where
 * that owner exists: nobody signs what a passkey says when it is made, so it must not open what another has.
 */
async function addHandle(
  handle: string,
  { hash, made, counter }: VerifiedPasskey,
  expiresAt: number,
  { service, call }: LadderContext,
): Promise<void> {
  const gone = made ? [] : await findExpired(hash, service);
  const reviseOwner = (owner: Owner | undefined): Owner => {
    if (made) return { credential: made, handles: [handle] };
    const { credential } = owner!;
    const handles = owner!.handles.filter((one) => !gone.includes(one));
    if (handles.length >= mostHandles)
      throw new Refusal('at_limit', { reason: `One passkey holds at most ${mostHandles} workspaces.` });
    const counted = { ...credential, counter: Math.max(counter, credential.counter) };
    return { ...owner!, credential: counted, handles: [...handles, handle] };
  };
  const growth = watchGrowth(service, { client: call.client, owner: hash, kind: 'change' });
  const mint = made !== undefined;
  const changed = await changeOwner(service, hash, reviseOwner, { expiresAt, mint, admit: growth.admit });
  if (!changed) throw new Refusal('wrong_passkey');
  growth.finish();
}

type Claim = Awaited<ReturnType<typeof followClaim>>;

/** Gives a workspace that waits for a claim to the owner of a passkey, once. Answers its handle. */
async function claimWorkspace(
  { hash, head }: Claim,
  answered: VerifiedPasskey,
  context: LadderContext,
): Promise<string> {
  const { service, call } = context;
  const { workspaces, platform, settings } = service;
  const handle = `wsh_${createRandomText(service)}`;
  const name = await hashHandle(service, handle);
  const now = platform.now();
  const held = { id: answered.hash, handle, name, until: 0 };
  const expiresAt = Math.max(
    head.expiresAt,
    now + computeLife({ ...readWorkspaceState(head.state), owner: held }, settings),
  );
  const until = expiresAt + dayMs;
  // Before the workspace names its owner: a failure in between then leaves a handle to nowhere, and no workspace without one.
  await addHandle(handle, answered, until + dayMs, context);
  const growth = watchGrowth(service, { client: call.client, owner: answered.hash, kind: 'change' });
  try {
    const changed = await workspaces.change({
      hash: head.hash,
      mint: false,
      now,
      expiresAt,
      ceiling: { records: 0, bytes: 0 },
      admit: growth.admit,
      decide(draft, current) {
        const { claim: _claim, ...standing } = readWorkspaceState(current!.state);
        if (standing.owner) throw new Refusal('already_claimed');
        if (findClaimEnd(readWorkspaceState(current!.state), hash, now) === undefined)
          throw new Refusal('unknown_claim');
        const state: WorkspaceState = {
          ...standing,
          owner: { ...held, until },
          log: [[now, 'answerClaim', 'owner']],
        };
        return {
          answer: undefined,
          state: { ...state },
          addedTokens: { [name]: { to: 'workspace', expiresAt: until } },
          removedTokens: [hash],
          activity: describeActivity(draft, context, 'owner'),
        };
      },
    });
    if (changed.result !== 'done') throw new Refusal('unknown_claim');
    growth.finish();
  } catch (error) {
    // A store that failed may have written it all the same, and a handle to nowhere does no harm.
    const isRefused = error instanceof Refusal && error.envelope.code !== 'store_unavailable';
    if (isRefused) await releaseFromOwner(service, answered.hash, handle);
    throw error;
  }
  return handle;
}

/** Handles of an owner at its limit whose workspaces have expired. */
async function findExpired(hash: string, service: LadderService): Promise<readonly string[]> {
  const { handles = [] } = (await findOwner(service, hash)) ?? {};
  if (handles.length < mostHandles) return [];
  const held = await findOwnedWorkspaces(handles, hash, service);
  return handles.filter((one) => !held.some(({ handle }) => handle === one));
}

const signClaimChallenge = (service: LadderService, hash: string) => signChallenge(service, `claim ${hash}`);

/** Shows what a token would claim, and the options for a passkey. */
export async function showClaim(context: LadderContext): Promise<OperationReply> {
  const { service } = context;
  const passkeys = requireRung(service, 'claim');
  const { hash, head, userCode, expiresAt } = await followClaim(context);
  const { createdAt, records } = presentWorkspace(head, service);
  const challenge = signClaimChallenge(service, hash);
  const { hostname } = new URL(service.settings.baseUrl);
  const name = `Workspace of ${toIsoDate(head.createdAt)}, ${userCode}`;
  const options = {
    create: await passkeys.createRegistrationOptions(challenge, hostname, name),
    get: await passkeys.createAuthenticationOptions(challenge, hostname),
  };
  const claim = { userCode, expiresAt: toIsoTime(expiresAt), createdAt, records };
  return { status: 200, body: { type: 'OK', claim, options } };
}

/** Claims a workspace with what a passkey answered: one that was just made, or one that is known here. */
export async function answerClaim(context: LadderContext, answer: object): Promise<OperationReply> {
  const { service } = context;
  requireRung(service, 'claim');
  const claim = await followClaim(context);
  const challenge = signClaimChallenge(service, claim.hash);
  const admission = await service.watch.admitClaim?.(context.call.client);
  let isClaimed = false;
  try {
    const answered = await checkPasskey(answer, service, (sent) => decodeChallenge(sent) === challenge);
    const workspace = await claimWorkspace(claim, answered, context);
    isClaimed = true;
    return { status: 200, body: { type: 'OK', owner: issueBearer(service, answered.hash), workspace } };
  } finally {
    admission?.settle(isClaimed);
  }
}
