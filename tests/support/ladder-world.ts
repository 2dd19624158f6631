import * as assert from 'uvu/assert';
import type { Signer } from '../../src/kernel/signer.ts';
import type { Challenge } from '../../src/ladder/ladder.ts';
import type { Store } from '../../src/workspace/store.ts';
import { type Lies, makeAuthenticator } from './authenticator.ts';
import type { Body } from './http.ts';
import { makeSigner } from './receipts.ts';
import { World as Service } from './world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bits = 8;
type Authenticator = Pick<ReturnType<typeof makeAuthenticator>, 'show'>;

/** A nonce that solves a challenge, and the number of attempts. */
async function solve(
  { salt, bits: asked }: Challenge,
  sha256: (text: string) => string | Promise<string>,
): Promise<{ nonce: string; tried: number }> {
  for (let tried = 1; ; tried += 1) {
    const digest = BigInt(`0x${await sha256(`${salt}.${tried}`)}`);
    if (digest >> BigInt(256 - asked) === 0n) return { nonce: String(tried), tried };
  }
}

/** Makes a service in memory with a fake clock, easy work and claims. */
async function makeLadderWorld(
  more: { store?: Store; signer?: Signer | { reason: string }; settings?: object; now?: number } = {},
) {
  const { now = Date.parse('2026-11-10T12:00:00Z'), store, settings } = more;
  const signer = more.signer ?? (await makeSigner());
  const core = new Service({
    now,
    signer,
    settings: { workBits: bits, ...settings },
    ...(store && { store }),
  });
  const { ask, clock, service } = core;

  const signInChallenge = async () => (await ask('GET', '/owner/challenge')).body.options.challenge as string;
  const signIn = (credential: unknown) => ask('POST', '/owner/session', { credential });

  return {
    ...core,
    settings: service.settings,
    now: () => clock.now,
    pass(ms: number) {
      clock.now += ms;
    },
    /** Makes a workspace with one candidate, and calls on it. */
    async mint() {
      const made = await ask('POST', '/candidates', { name: 'Ada', onetCode: '15-1252.00' });
      const id = made.body.workspace as string;
      const inWorkspace = (method: string, path: string, body?: unknown, others: object = {}) =>
        ask(method, path, body, { 'x-workspace': id, ...others });
      /** Starts a claim and returns its token. */
      const claim = async () =>
        ((await inWorkspace('POST', '/workspace/claim')).body.claim.url as string).split('#')[1]!;
      const challenge = async () => (await inWorkspace('GET', '/work')).body.challenge as Challenge;
      return {
        id,
        record: made.body.candidate.id as string,
        ask: inWorkspace,
        look: async () => (await inWorkspace('GET', '/workspace')).body.workspace,
        challenge,
        submit: (proof: object) => inWorkspace('POST', '/work', proof),
        /** Earns one credit. */
        async earn() {
          const given = await challenge();
          const { nonce } = await solve(given, service.platform.sha256);
          return inWorkspace('POST', '/work', { challenge: given, nonce });
        },
        claim,
        /** Starts a claim. Returns its token, and the challenges that it accepts answers to. */
        async offer() {
          const token = await claim();
          const { create, get } = (await ask('GET', '/claim', undefined, { 'x-claim': token })).body.options;
          return { token, create: create.challenge as string, get: get.challenge as string };
        },
      };
    },
    showClaim: (token: string) => ask('GET', '/claim', undefined, { 'x-claim': token }),
    answerClaim: (token: string, credential: unknown) =>
      ask('POST', '/claim', { credential }, { 'x-claim': token }),
    /** Returns the challenge for a sign-in. */
    signInChallenge,
    signIn,
    /** Signs in with a new challenge. */
    enter: async (authenticator: Authenticator, lies?: Lies) =>
      signIn(authenticator.show(await signInChallenge(), lies)),
    list: (bearer: string) =>
      ask('GET', '/owner/workspaces', undefined, { authorization: `Bearer ${bearer}` }),
    /** Sends a request of the owner of a workspace. */
    asOwner:
      (bearer: string, handle: string) =>
      (method: string, path: string, body?: unknown, others: object = {}) =>
        ask(method, path, body, { authorization: `Bearer ${bearer}`, 'x-workspace': handle, ...others }),
  };
}

const minuteMs = 60_000;

type World = Awaited<ReturnType<typeof makeLadderWorld>>;

/** Makes a workspace that a passkey has claimed. Both are new unless given. */
async function makeClaimed(
  world: World,
  authenticator = makeAuthenticator(world.settings.baseUrl),
  workspace?: Awaited<ReturnType<World['mint']>>,
) {
  const made = workspace ?? (await world.mint());
  const { token, create } = await made.offer();
  const { status, body } = await world.answerClaim(token, authenticator.make(create));
  assert.is(status, 200, JSON.stringify(body));
  const { owner, workspace: handle } = body;
  return {
    ...made,
    authenticator,
    token,
    bearer: owner.bearer as string,
    handle,
    asOwner: world.asOwner(owner.bearer, handle),
  };
}

function assertRefused({ status, body }: { status: number; body: Body }, at: number, code: string) {
  assert.equal(status, at, JSON.stringify(body));
  assert.equal(body.code, code, JSON.stringify(body));
  assert.ok(body.reason.length > 20);
}

type Answer = Parameters<typeof assertRefused>[0];
const assertUnknown = (answer: Answer) => assertRefused(answer, 401, 'unknown_workspace');
const assertWrongPasskey = (answer: Answer) => assertRefused(answer, 400, 'wrong_passkey');

export {
  assertRefused,
  assertUnknown,
  assertWrongPasskey,
  dayMs,
  hourMs,
  makeClaimed,
  makeLadderWorld,
  minuteMs,
  solve,
};
