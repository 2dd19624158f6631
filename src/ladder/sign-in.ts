import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findSigner, requireSigner } from '../kernel/signer.ts';
import { toIsoTime } from '../kernel/text.ts';
import { watchGrowth } from '../records/growth.ts';
import { type Credential, changeOwner, findOwner, hashOwner, type Owner } from '../records/owner.ts';
import { makeSalt } from '../records/workspace.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { type PasskeyExpectation, requireRung } from './ladder.ts';

const bearerLabel = 'owner bearer';
const bearerMs = 3_600_000;
const bearerShape = /^own_([0-9a-f]{64})\.(\d{13})\.([\w-]{43})$/;

/** A bearer token (RFC 6750) of an owner, for an hour. */
export function issueBearer(service: LadderService, owner: string) {
  const expiresAt = service.platform.now() + bearerMs;
  const text = `${owner}.${expiresAt}`;
  const bearer = `own_${text}.${requireSigner(service).mac(bearerLabel, text)}`;
  return { bearer, expiresAt: toIsoTime(expiresAt) };
}

/** The owner of a bearer, by its hash. Malformed, changed and expired ones get the same refusal. */
export function readBearer(service: Pick<LadderService, 'signer' | 'platform'>, bearer: string | undefined) {
  const [, owner, expiresAt, mac] = bearerShape.exec(bearer ?? '') ?? [];
  const isAlive = owner && Number(expiresAt) > service.platform.now();
  if (isAlive && findSigner(service)?.isMac(bearerLabel, `${owner}.${expiresAt}`, mac!)) return owner;
  throw new Refusal('unknown_owner');
}

const challengeLabel = 'challenge';
const challengeMs = 300_000;
/** Challenges that an owner may answer within the life of one. */
const mostSpent = 100;
/** Answered challenges that are remembered after they expired, because a clock that goes back makes them valid again. */
const rememberedSpent = 20;

export const signChallenge = (service: LadderService, text: string) =>
  requireSigner(service).mac(challengeLabel, text);

/** The text in a challenge that a page sends back: base64url without padding. */
export const decodeChallenge = (challenge: string) =>
  atob(challenge.replaceAll('-', '+').replaceAll('_', '/'));

/** The salt and the expiry of a sign-in challenge; undefined where it is not ours or has expired. */
function readChallenge(service: LadderService, challenge: string): readonly [string, number] | undefined {
  const [salt = '', expiresAt = '', mac = ''] = decodeChallenge(challenge).split('.');
  const isOurs = requireSigner(service).isMac(challengeLabel, `${salt}.${expiresAt}`, mac);
  return isOurs && Number(expiresAt) > service.platform.now() ? [salt, Number(expiresAt)] : undefined;
}

/** A passkey that answered: the hash of its owner, the passkey itself where it is new, and its counter. */
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
    throw new Refusal('wrong_passkey');
  if ('attestationObject' in response) {
    const made = await passkeys.verifyRegistration(answer, expected);
    if (!made) throw new Refusal('wrong_passkey');
    return { hash: await hashOwner(service, made.id), made, counter: made.counter };
  }
  const hash = await hashOwner(service, id);
  const owner = await findOwner(service, hash);
  const counter = owner && (await passkeys.verifyAuthentication(answer, owner.credential, expected));
  if (counter === undefined) throw new Refusal('wrong_passkey');
  return { hash, counter };
}

/** Issues a challenge to sign in with. It carries its own expiry, so that nothing is stored until it is answered. */
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
 * Returns the owner with one more answered challenge. Throws the Refusal `wrong_passkey` if it was answered before or may
 * have been, and `at_limit` after too many within a few minutes.
 */
function spendChallenge(owner: Owner, [salt, expiresAt]: readonly [string, number], now: number): Owner {
  const { spent = [], forgottenUntil = 0 } = owner;
  if (expiresAt <= forgottenUntil || spent.some(([one]) => one === salt)) throw new Refusal('wrong_passkey');
  const unexpired = spent.filter(([, until]) => until > now);
  if (unexpired.length >= mostSpent)
    throw new Refusal('at_limit', { reason: 'Signed in too often; wait a few minutes.' });
  const expired = spent.filter(([, until]) => until <= now).sort((a, b) => a[1] - b[1]);
  const remembered = expired.slice(-rememberedSpent);
  const forgotten = expired.slice(0, -rememberedSpent);
  return {
    ...owner,
    spent: [...remembered, ...unexpired, [salt, expiresAt]],
    forgottenUntil: Math.max(forgottenUntil, ...forgotten.map(([, until]) => until)),
  };
}

/** Signs an owner in with a known passkey. A challenge counts once, and a counter that went back is refused. */
export async function signIn({ service, call }: LadderContext, answer: object): Promise<OperationReply> {
  let spent: ReturnType<typeof readChallenge>;
  const isOurs = (challenge: string) => {
    spent = readChallenge(service, challenge);
    return spent !== undefined;
  };
  const { hash, made, counter } = await checkPasskey(answer, service, isOurs);
  if (made || !spent) throw new Refusal('wrong_passkey');
  const answered = spent;
  const now = service.platform.now();
  const growth = watchGrowth(service, { client: call.client, owner: hash, kind: 'bounded' });
  const recordSignIn = (owner: Owner | undefined): Owner => {
    const { credential } = owner!;
    const wentBack = counter < credential.counter || (counter === credential.counter && counter > 0);
    if (wentBack) throw new Refusal('wrong_passkey');
    return { ...spendChallenge(owner!, answered, now), credential: { ...credential, counter } };
  };
  const changed = await changeOwner(service, hash, recordSignIn, { admit: growth.admit });
  if (!changed) throw new Refusal('wrong_passkey');
  growth.finish();
  return { status: 200, body: { type: 'OK', owner: issueBearer(service, hash) } };
}
