import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findSigner, requireSigner } from '../kernel/signer.ts';
import { toIsoTime } from '../kernel/text.ts';
import { type Credential, changeOwner, findOwner, hashOwner, type Owner } from '../records/account/owner.ts';
import { makeSalt } from '../records/account/workspace.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { type PasskeyExpectation, requireRung } from './ladder.ts';
import { ladderRefusals } from './refusals.ts';

const bearerLabel = 'owner bearer';
const bearerMs = 3_600_000;
const bearerShape = /^own_([0-9a-f]{64})\.(\d{13})\.([\w-]{43})$/;

/** Issues a bearer token (RFC 6750) for an owner. It is valid for an hour. */
export function issueBearer(service: LadderService, owner: string) {
  const expiresAt = service.platform.now() + bearerMs;
  const text = `${owner}.${expiresAt}`;
  const bearer = `own_${text}.${requireSigner(service).mac(bearerLabel, text)}`;
  return { bearer, expiresAt: toIsoTime(expiresAt) };
}

/**
 * Returns the hash of the owner of a bearer token. Throws the Refusal `unknown_owner`, whether the token is malformed,
 * forged or expired.
 */
export function readBearer(service: Pick<LadderService, 'signer' | 'platform'>, bearer: string | undefined) {
  const [, owner, expiresAt, mac] = bearerShape.exec(bearer ?? '') ?? [];
  const isAlive = owner && Number(expiresAt) > service.platform.now();
  if (isAlive && findSigner(service)?.isMac(bearerLabel, `${owner}.${expiresAt}`, mac!)) return owner;
  throw new Refusal(ladderRefusals.unknown_owner);
}

const challengeLabel = 'challenge';
const challengeMs = 300_000;
/** The most challenges that an owner may answer during the life of one. */
const mostSpent = 100;
/** How many expired challenges stay stored as answered, because a clock that goes back would make them valid again. */
const rememberedSpent = 20;

export const signChallenge = (service: LadderService, text: string) =>
  requireSigner(service).mac(challengeLabel, text);

/** Decodes a challenge that a page sends back: base64url without padding. */
export const decodeChallenge = (challenge: string) =>
  atob(challenge.replaceAll('-', '+').replaceAll('_', '/'));

/** Returns the salt and expiry of a sign-in challenge, or undefined if it is not ours or has expired. */
function readChallenge(service: LadderService, challenge: string): readonly [string, number] | undefined {
  const [salt = '', expiresAt = '', mac = ''] = decodeChallenge(challenge).split('.');
  const isOurs = requireSigner(service).isMac(challengeLabel, `${salt}.${expiresAt}`, mac);
  return isOurs && Number(expiresAt) > service.platform.now() ? [salt, Number(expiresAt)] : undefined;
}

/** A verified passkey: the hash of its owner, the passkey itself if it is new, and its counter. */
export interface VerifiedPasskey {
  hash: string;
  made?: Credential;
  counter: number;
}

/** Checks what a new or a known passkey answered (WebAuthn level 3, 5.1). Throws the Refusal `wrong_passkey`. */
export async function checkPasskey(
  answer: object,
  service: LadderService,
  isOurs: PasskeyExpectation['isOurs'],
): Promise<VerifiedPasskey> {
  const passkeys = requireRung(service, 'claim');
  const { origin, hostname: host } = new URL(service.settings.baseUrl);
  const expected = { isOurs, origin, host };
  const { id, response } = answer as { id?: unknown; response?: object | null };
  if (typeof id !== 'string' || typeof response !== 'object' || response === null)
    throw new Refusal(ladderRefusals.wrong_passkey);
  if ('attestationObject' in response) {
    const credential = await passkeys.verifyRegistration(answer, expected);
    if (!credential) throw new Refusal(ladderRefusals.wrong_passkey);
    return { hash: await hashOwner(service, credential.id), made: credential, counter: credential.counter };
  }
  const hash = await hashOwner(service, id);
  const owner = await findOwner(service, hash);
  const counter = owner && (await passkeys.verifyAuthentication(answer, owner.credential, expected));
  if (counter === undefined) throw new Refusal(ladderRefusals.wrong_passkey);
  return { hash, counter };
}

/** Issues a challenge to sign in. It contains its expiry, so that nothing is stored until it is answered. */
export async function getSignIn({ service }: LadderContext): Promise<OperationReply> {
  const passkeys = requireRung(service, 'claim');
  const text = `${makeSalt(service)}.${service.platform.now() + challengeMs}`;
  const challenge = `${text}.${signChallenge(service, text)}`;
  const options = await passkeys.createAuthenticationOptions(
    challenge,
    new URL(service.settings.baseUrl).hostname,
  );
  return { status: 200, body: { type: 'OK', options } };
}

/**
 * Returns the owner with one more answered challenge. Throws the Refusal `wrong_passkey` if the challenge was or may
 * have been answered before. Throws `at_limit` if too many were answered within a few minutes.
 */
function spendChallenge(owner: Owner, [salt, expiresAt]: readonly [string, number], now: number): Owner {
  const { spent = [], forgottenUntil = 0 } = owner;
  if (expiresAt <= forgottenUntil || spent.some(([spentSalt]) => spentSalt === salt))
    throw new Refusal(ladderRefusals.wrong_passkey);
  const unexpired = spent.filter(([, until]) => until > now);
  if (unexpired.length >= mostSpent)
    throw new Refusal(ladderRefusals.at_limit, { reason: 'Signed in too often; wait a few minutes.' });
  const expired = spent.filter(([, until]) => until <= now).sort((a, b) => a[1] - b[1]);
  const remembered = expired.slice(-rememberedSpent);
  const forgotten = expired.slice(0, -rememberedSpent);
  return {
    ...owner,
    spent: [...remembered, ...unexpired, [salt, expiresAt]],
    forgottenUntil: Math.max(forgottenUntil, ...forgotten.map(([, until]) => until)),
  };
}

/**
 * Signs an owner in with a known passkey. Throws the Refusal `wrong_passkey` if the passkey is unknown, its challenge
 * was used before, or its counter did not increase. A counter that stays 0 is allowed.
 */
export async function signIn({ service, call }: LadderContext, answer: object): Promise<OperationReply> {
  let spent: ReturnType<typeof readChallenge>;
  const isOurs = (challenge: string) => {
    spent = readChallenge(service, challenge);
    return spent !== undefined;
  };
  const { hash, made, counter } = await checkPasskey(answer, service, isOurs);
  if (made || !spent) throw new Refusal(ladderRefusals.wrong_passkey);
  const challenge = spent;
  const now = service.platform.now();
  const source = { client: call.client, owner: hash, kind: 'bounded' } as const;
  const recordSignIn = (owner: Owner | undefined): Owner => {
    const { credential } = owner!;
    const isStale = counter < credential.counter || (counter === credential.counter && counter > 0);
    if (isStale) throw new Refusal(ladderRefusals.wrong_passkey);
    return { ...spendChallenge(owner!, challenge, now), credential: { ...credential, counter } };
  };
  const changed = await changeOwner(service, hash, recordSignIn, {
    admit: (growth) => service.watch.admitGrowth?.(growth, source),
  });
  if (!changed) throw new Refusal(ladderRefusals.wrong_passkey);
  return { status: 200, body: { type: 'OK', owner: issueBearer(service, hash) } };
}
