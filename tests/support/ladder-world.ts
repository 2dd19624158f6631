import type { Signer } from '../../src/kernel/signer.ts';
import type { Challenge } from '../../src/ladder/work.ts';
import type { Store } from '../../src/records/store.ts';
import type { Lies, makeAuthenticator } from './authenticator.ts';
import { makeCore } from './core.ts';
import { makeSigner } from './receipts.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const bits = 8;
type Authenticator = Pick<ReturnType<typeof makeAuthenticator>, 'show'>;

/** A nonce that solves a challenge, and how many were tried. */
export async function solve(
  { salt, bits: asked }: Challenge,
  sha256: (text: string) => string | Promise<string>,
): Promise<{ nonce: string; tried: number }> {
  for (let tried = 1; ; tried += 1) {
    const digest = BigInt(`0x${await sha256(`${salt}.${tried}`)}`);
    if (digest >> BigInt(256 - asked) === 0n) return { nonce: String(tried), tried };
  }
}

/** A service in memory with a clock that can be moved, where work is easy and claims are taken. */
export async function makeLadderWorld(
  more: { store?: Store; signer?: Signer | { reason: string }; settings?: object; now?: number } = {},
) {
  const { now = Date.parse('2026-11-10T12:00:00Z'), store, settings } = more;
  const signer = more.signer ?? (await makeSigner());
  const core = makeCore({
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
    /** A workspace with one candidate, and what can be done with it. */
    async mint() {
      const made = await ask('POST', '/candidates', { name: 'Ada', onetCode: '15-1252.00' });
      const id = made.body.workspace as string;
      const inWorkspace = (method: string, path: string, body?: unknown, others: object = {}) =>
        ask(method, path, body, { 'x-workspace': id, ...others });
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
        /** The token of a fresh claim. */
        async claim() {
          const { body } = await inWorkspace('POST', '/workspace/claim');
          return (body.claim.url as string).split('#')[1]!;
        },
      };
    },
    showClaim: (token: string) => ask('GET', '/claim', undefined, { 'x-claim': token }),
    answerClaim: (token: string, credential: unknown) =>
      ask('POST', '/claim', { credential }, { 'x-claim': token }),
    /** The challenge to sign in by. */
    signInChallenge,
    signIn,
    /** Signs in by a fresh challenge. */
    enter: async (authenticator: Authenticator, lies?: Lies) =>
      signIn(authenticator.show(await signInChallenge(), lies)),
    list: (bearer: string) =>
      ask('GET', '/owner/workspaces', undefined, { authorization: `Bearer ${bearer}` }),
    /** What the owner of a workspace asks. */
    asOwner:
      (bearer: string, handle: string) =>
      (method: string, path: string, body?: unknown, others: object = {}) =>
        ask(method, path, body, { authorization: `Bearer ${bearer}`, 'x-workspace': handle, ...others }),
  };
}
