import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { type Signer, toSigner } from '../kernel/signer.ts';
import { toDay, toTime } from '../kernel/text.ts';
import { changeOwner, findOwner, toOwnerHash } from '../records/owner.ts';
import { toWorkspaceMember } from '../records/workspace-view.ts';
import { authorizeSpend, rotateWorkspace } from './as-owner.ts';
import { openAsOwner, readBearer, toBearer } from './bearer.ts';
import {
  isClaimChallenge,
  makeChallenge,
  readChallenge,
  toClaimChallenge,
  toExpected,
} from './challenges.ts';
import { followClaim, startClaim } from './claim.ts';
import { findHeld, hold } from './hold.ts';
import type { Ladder } from './ladder.ts';
import type { Expected, Passkeys } from './passkeys.ts';
import { getWork, submitWork } from './work.ts';

/** Answers of an owner that are remembered at once. */
const mostSpent = 100;

/** What a passkey answered: `kind` tells one that was made from one that was shown (WebAuthn level 3, section 5.1). */
function toAnswer(answer: object): { id: string; kind: 'made' | 'shown' } {
  const { id, response } = answer as { id?: unknown; response?: object | null };
  const isObject = typeof response === 'object' && response !== null;
  if (typeof id !== 'string' || !isObject) throw new Refusal('wrong_passkey');
  return { id, kind: 'attestationObject' in response ? 'made' : 'shown' };
}

/** What climbs the ladder, with what speaks WebAuthn. */
export function createLadder(passkeys: Passkeys): Ladder {
  /** The owner of a passkey that answered as expected, with what its authenticator counts now. */
  async function check(answer: object, expected: Expected, service: Service) {
    const { id, kind } = toAnswer(answer);
    if (kind === 'made') {
      const credential = await passkeys.made(answer, expected);
      if (!credential) throw new Refusal('wrong_passkey');
      return {
        hash: await toOwnerHash(service, credential.id),
        made: credential,
        counter: credential.counter,
      };
    }
    const hash = await toOwnerHash(service, id);
    const owner = await findOwner(service, hash);
    const counter = owner && (await passkeys.shown(answer, owner.credential, expected));
    if (counter === undefined) throw new Refusal('wrong_passkey');
    return { hash, counter };
  }

  const letIn = (service: Service, hash: string) =>
    toBearer(toSigner(service) as Signer, hash, service.platform.now());

  async function signIn(answer: object, { service }: Context): Promise<Outcome> {
    let read: ReturnType<typeof readChallenge>;
    const isOurs = (challenge: string) => {
      read = readChallenge(service, challenge);
      return read !== undefined;
    };
    const { hash, made, counter } = await check(answer, toExpected(service, isOurs), service);
    if (made || !read) throw new Refusal('wrong_passkey');
    const [salt] = read;
    const answered = read;
    const now = service.platform.now();
    const changed = await changeOwner(service, hash, (owner) => {
      const { credential, spent = [] } = owner!;
      const unexpired = spent.filter(([, until]) => until > now);
      const wentBack = counter < credential.counter || (counter === credential.counter && counter > 0);
      if (unexpired.some(([one]) => one === salt) || wentBack) throw new Refusal('wrong_passkey');
      if (unexpired.length >= mostSpent)
        throw new Refusal('at_limit', { reason: 'Signed in too often; wait a few minutes.' });
      return {
        owner: { ...owner!, credential: { ...credential, counter }, spent: [...unexpired, answered] },
      };
    });
    if (!changed) throw new Refusal('wrong_passkey');
    return { status: 200, body: { type: 'OK', owner: letIn(service, hash) } };
  }

  return {
    async showClaim(context) {
      const { service } = context;
      const { hash, head, userCode, expiresAt } = await followClaim(context);
      const { createdAt, records } = toWorkspaceMember(head, service);
      const challenge = toClaimChallenge(service, hash);
      const { hostname } = new URL(service.settings.baseUrl);
      const name = `Workspace of ${toDay(head.createdAt)}, ${userCode}`;
      const options = {
        create: await passkeys.toCreateOptions(challenge, hostname, name),
        get: await passkeys.toGetOptions(challenge, hostname),
      };
      const claim = { userCode, expiresAt: toTime(expiresAt), createdAt, records };
      return { status: 200, body: { type: 'OK', claim, options } };
    },

    async claim(answer, context) {
      const { service } = context;
      const claim = await followClaim(context);
      const expected = toExpected(service, isClaimChallenge(service, claim.hash));
      const { hash, made, counter } = await check(answer, expected, service);
      const handle = await hold(claim, { hash, made, counter }, service);
      return { status: 200, body: { type: 'OK', owner: letIn(service, hash), workspace: handle } };
    },

    async challenge({ service }) {
      const { hostname } = new URL(service.settings.baseUrl);
      const options = await passkeys.toGetOptions(makeChallenge(service), hostname);
      return { status: 200, body: { type: 'OK', options } };
    },

    signIn,
    getWork,
    submitWork,
    startClaim,
    authorizeSpend,
    rotateWorkspace,
    open: (handle, bearer, service) => openAsOwner(service, handle, bearer),

    async list({ service, options }) {
      const hash = readBearer(service, options.bearer);
      const owner = await findOwner(service, hash);
      const held = owner ? await findHeld(owner.handles, hash, service) : [];
      const workspaces = held.map(({ handle, head }) => ({
        handle,
        ...toWorkspaceMember(head, service, 'owner'),
      }));
      if (workspaces.length > 0) return { status: 200, body: { type: 'OK', workspaces } };
      const message = 'You hold no workspace: those that you did were deleted, or have expired.';
      return { status: 200, body: { type: 'EMPTY', message } };
    },
  };
}
