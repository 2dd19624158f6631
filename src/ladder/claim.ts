import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Growth } from '../kernel/service.ts';
import { dayMs, toIsoDate, toIsoTime } from '../kernel/text.ts';
import {
  changeOwner,
  findOwner,
  hashHandle,
  type Owner,
  releaseFromOwner,
} from '../records/account/owner.ts';
import { createRandomText, deriveText } from '../records/account/workspace.ts';
import { computeLife, readWorkspaceState, type WorkspaceState } from '../records/account/workspace-state.ts';
import { presentWorkspace } from '../records/account/workspace-view.ts';
import { describeActivity } from '../records/activity/activity.ts';
import { followToken, makeOneTimeToken } from '../records/write/one-time-token.ts';
import { type ChangeRule, changeWorkspace } from '../records/write/write.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { claimToken, requireRung } from './ladder.ts';
import { findOwnedWorkspaces } from './owner.ts';
import { ladderRefusals } from './refusals.ts';
import {
  checkPasskey,
  decodeChallenge,
  issueBearer,
  signChallenge,
  type VerifiedPasskey,
} from './sign-in.ts';

const claimMs = 900_000;

/** Derives the code that agent and person compare, so that the person claims the right workspace: `4H7K-M2QX`. */
async function deriveUserCode({ service }: LadderContext, token: string): Promise<string> {
  const text = (await deriveText(service, `user code ${token}`)).slice(0, 8).toUpperCase();
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

export async function startClaim(context: LadderContext): Promise<OperationReply> {
  requireRung(context.service, 'claim');
  const { settings } = context.service;
  const present = async (token: string) => ({
    claim: {
      url: `${settings.baseUrl}/claim.html#${token}`,
      userCode: await deriveUserCode(context, token),
    },
  });
  const { hash, secrets } = await makeOneTimeToken(context, claimToken, present);
  const start: ChangeRule = ({ change }) => {
    const before = readWorkspaceState(change.state);
    if (before.owner) throw new Refusal(ladderRefusals.already_claimed);
    const expiresAt = change.now + claimMs;
    const state: WorkspaceState = { ...before, claim: { token: hash, expiresAt } };
    change.state = { ...state };
    change.addToken(hash, 'claim', expiresAt);
    if (before.claim) change.removeTokens([before.claim.token]);
    return { status: 201, body: { type: 'OK', claim: { expiresAt: toIsoTime(expiresAt) } } };
  };
  return changeWorkspace(context, start, { secrets });
}

/** Returns when the claim of this token ends, or undefined if the workspace does not have this claim open. */
function findClaimEnd({ claim }: WorkspaceState, hash: string, now: number): number | undefined {
  return claim && claim.token === hash && claim.expiresAt > now ? claim.expiresAt : undefined;
}

/**
 * Finds the workspace of a claim token. Throws the Refusal `unknown_claim`, whether the token is malformed, unknown,
 * used, replaced or expired.
 */
async function followClaim(context: LadderContext) {
  const { hash, workspace } = await followToken(context, claimToken);
  const now = context.service.platform.now();
  const { head } = workspace.contents;
  const expiresAt = findClaimEnd(readWorkspaceState(head.state), hash, now);
  if (expiresAt === undefined) throw new Refusal(ladderRefusals.unknown_claim);
  const userCode = await deriveUserCode(context, context.options.capability!);
  return { hash, head, userCode, expiresAt };
}

const mostHandles = 100;

/**
 * Adds a handle to an owner, who is then stored until `expiresAt`. A new passkey creates its owner. It is refused if
 * that owner exists: a registration has no signature that proves it, so it must not open what the owner holds.
 */
async function addHandle(
  handle: string,
  { hash, made, counter }: VerifiedPasskey,
  expiresAt: number,
  context: LadderContext,
): Promise<void> {
  const { service, call } = context;
  const expired = made ? [] : await findExpired(hash, context);
  const reviseOwner = (owner: Owner | undefined): Owner => {
    if (made) return { credential: made, handles: [handle] };
    const { credential } = owner!;
    const handles = owner!.handles.filter((handle) => !expired.includes(handle));
    if (handles.length >= mostHandles)
      throw new Refusal(ladderRefusals.at_limit, {
        reason: `One passkey holds at most ${mostHandles} workspaces.`,
      });
    const updated = { ...credential, counter: Math.max(counter, credential.counter) };
    return { ...owner!, credential: updated, handles: [...handles, handle] };
  };
  const source = { client: call.client, owner: hash, kind: 'change' } as const;
  const changed = await changeOwner(service, hash, reviseOwner, {
    expiresAt,
    mint: made !== undefined,
    admit: (growth) => service.watch.admitGrowth?.(growth, source),
  });
  if (!changed) throw new Refusal(ladderRefusals.wrong_passkey);
}

type Claim = Awaited<ReturnType<typeof followClaim>>;

/** Gives a workspace with an open claim to the owner of a passkey. Returns its handle. A claim works only once. */
async function claimWorkspace(
  { hash, head }: Claim,
  passkey: VerifiedPasskey,
  context: LadderContext,
): Promise<string> {
  const { service, call } = context;
  const { workspaces, platform, settings } = service;
  const handle = `wsh_${createRandomText(service)}`;
  const name = await hashHandle(service, handle);
  const now = platform.now();
  const owner = { id: passkey.hash, handle, name, until: 0 };
  const expiresAt = Math.max(
    head.expiresAt,
    now + computeLife({ ...readWorkspaceState(head.state), owner }, settings),
  );
  const until = expiresAt + dayMs;
  // The handle comes first. If the next step fails, a handle leads nowhere, but no workspace is left without a handle.
  await addHandle(handle, passkey, until + dayMs, context);
  const source = { client: call.client, owner: passkey.hash, kind: 'change' } as const;
  try {
    const request = {
      hash: head.hash,
      mint: false,
      now,
      expiresAt,
      ceiling: { records: 0, bytes: 0 },
      admit: (growth: Growth) => service.watch.admitGrowth?.(growth, source),
    };
    const changed = await workspaces.change(request, (change) => {
      const current = readWorkspaceState(change.state);
      if (current.owner) throw new Refusal(ladderRefusals.already_claimed);
      if (findClaimEnd(current, hash, now) === undefined) throw new Refusal(ladderRefusals.unknown_claim);
      const { claim: _claim, ...before } = current;
      const log: WorkspaceState['log'] = [[now, 'answerClaim', 'owner']];
      change.state = { ...before, owner: { ...owner, until }, log };
      change.addToken(name, 'workspace', until);
      change.removeTokens([hash]);
      change.activity.push(describeActivity({ ...context, change }, { via: 'owner' }));
    });
    if (changed.result !== 'done') throw new Refusal(ladderRefusals.unknown_claim);
  } catch (error) {
    // A failed store may have written the change, so the handle stays. A handle that leads nowhere does no harm.
    const isRefused = error instanceof Refusal && error.envelope.code !== 'store_unavailable';
    if (isRefused) await releaseFromOwner(service, passkey.hash, handle);
    throw error;
  }
  return handle;
}

/** Returns the handles whose workspaces have expired, if the owner is at the limit. Otherwise returns none. */
async function findExpired(hash: string, context: LadderContext): Promise<readonly string[]> {
  const { handles = [] } = (await findOwner(context.service, hash)) ?? {};
  if (handles.length < mostHandles) return [];
  const held = await findOwnedWorkspaces(handles, hash, context);
  return handles.filter((handle) => !held.some((workspace) => workspace.handle === handle));
}

const signClaimChallenge = (service: LadderService, hash: string) => signChallenge(service, `claim ${hash}`);

/** Replies with the workspace that a token would claim, and the options for a passkey. */
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

/** Claims a workspace with the response of a passkey, which is new or already known here. */
export async function answerClaim(context: LadderContext, answer: object): Promise<OperationReply> {
  const { service } = context;
  requireRung(service, 'claim');
  const claim = await followClaim(context);
  const challenge = signClaimChallenge(service, claim.hash);
  const admission = await service.watch.admitClaim?.(context.call.client);
  let isClaimed = false;
  try {
    const passkey = await checkPasskey(answer, service, (sent) => decodeChallenge(sent) === challenge);
    const workspace = await claimWorkspace(claim, passkey, context);
    isClaimed = true;
    return { status: 200, body: { type: 'OK', owner: issueBearer(service, passkey.hash), workspace } };
  } finally {
    admission?.settle(isClaimed);
  }
}
