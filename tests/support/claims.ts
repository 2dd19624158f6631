import * as assert from 'uvu/assert';
import type { Challenge } from '../../src/ladder/ladder.ts';
import { type Lies, makeAuthenticator } from './authenticator.ts';
import type { Body, Reply } from './http.ts';
import { toBody } from './sandbox.ts';
import type { World } from './world.ts';

type Authenticator = Pick<ReturnType<typeof makeAuthenticator>, 'show'>;

/** The parts of a world that begins early in a month, because credits of work count by month. */
export const earlyInMonth = { now: Date.parse('2026-11-10T12:00:00Z') };

/** A nonce that solves a challenge, and the number of attempts. */
export async function solve(
  { salt, bits }: Challenge,
  sha256: (text: string) => string | Promise<string>,
): Promise<{ nonce: string; tried: number }> {
  for (let tried = 1; ; tried += 1) {
    const digest = BigInt(`0x${await sha256(`${salt}.${tried}`)}`);
    if (digest >> BigInt(256 - bits) === 0n) return { nonce: String(tried), tried };
  }
}

export const showClaim = (world: World, token: string): Promise<Reply> =>
  world.get('/claim', { 'x-claim': token });

export const answerClaim = (world: World, token: string, credential: unknown): Promise<Reply> =>
  world.post('/claim', { credential }, { 'x-claim': token });

/** Makes a workspace with one candidate, and calls to work for it and to claim it. */
export async function openUnclaimed(world: World) {
  const desk = await world.open(toBody.candidate(), '/candidates');
  const challenge = async (): Promise<Challenge> => (await desk.get('/work')).body.challenge;
  const submit = (proof: object) => desk.post('/work', proof);
  /** Starts a claim and returns its token. */
  const claim = async (): Promise<string> =>
    (await desk.ask('POST', '/workspace/claim')).body.claim.url.split('#')[1];
  return {
    ...desk,
    record: desk.reply.body.candidate.id as string,
    look: async (): Promise<Body> => (await desk.get('/workspace')).body.workspace,
    challenge,
    submit,
    /** Earns one credit. */
    async earn() {
      const given = await challenge();
      const { nonce } = await solve(given, world.service.platform.sha256);
      return submit({ challenge: given, nonce });
    },
    claim,
    /** Starts a claim. Returns its token, and the challenges that it accepts answers to. */
    async offer() {
      const token = await claim();
      const { create, get } = (await showClaim(world, token)).body.options;
      return { token, create: create.challenge as string, get: get.challenge as string };
    },
  };
}

/** Makes a workspace that a passkey has claimed. Both are new unless given. */
export async function openClaimed(
  world: World,
  authenticator = makeAuthenticator(world.service.settings.baseUrl),
  unclaimed?: Awaited<ReturnType<typeof openUnclaimed>>,
) {
  const desk = unclaimed ?? (await openUnclaimed(world));
  const { token, create } = await desk.offer();
  const { status, body } = await answerClaim(world, token, authenticator.make(create));
  assert.is(status, 200, JSON.stringify(body));
  const { owner, workspace: handle } = body;
  const bearer: string = owner.bearer;
  return {
    ...desk,
    authenticator,
    token,
    bearer,
    handle: handle as string,
    asOwner: makeOwner(world, bearer, handle),
  };
}

/** Returns the challenge for a sign-in. */
export const readSignInChallenge = async (world: World): Promise<string> =>
  (await world.get('/owner/challenge')).body.options.challenge;

export const signIn = (world: World, credential: unknown): Promise<Reply> =>
  world.post('/owner/session', { credential });

/** Signs in with a new challenge. */
export const signInAs = async (world: World, authenticator: Authenticator, lies?: Lies): Promise<Reply> =>
  signIn(world, authenticator.show(await readSignInChallenge(world), lies));

export const listOwned = (world: World, bearer: string): Promise<Reply> =>
  world.get('/owner/workspaces', { authorization: `Bearer ${bearer}` });

/** Returns how to send requests of the owner of a workspace. */
export const makeOwner =
  (world: World, bearer: string, handle: string) =>
  (method: string, path: string, body?: unknown, headers: object = {}): Promise<Reply> =>
    world.ask(method, path, body, {
      authorization: `Bearer ${bearer}`,
      'x-workspace': handle,
      ...headers,
    });

export function assertRefused({ status, body }: Pick<Reply, 'status' | 'body'>, at: number, code: string) {
  assert.equal(status, at, JSON.stringify(body));
  assert.equal(body.code, code, JSON.stringify(body));
  assert.ok(body.reason.length > 20);
}

export const assertUnknown = (reply: Reply) => assertRefused(reply, 401, 'unknown_workspace');
export const assertWrongPasskey = (reply: Reply) => assertRefused(reply, 400, 'wrong_passkey');
