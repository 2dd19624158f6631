import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import { type KernelService, preview } from '../kernel/service.ts';
import { maxCharacters, named, wholeSchema } from '../kernel/text.ts';
import { defineTokenKind } from '../kernel/token.ts';
import type { Rungs } from '../pricing/offer.ts';
import type { Credential } from '../records/account/owner.ts';
import type { Context, RecordService } from '../records/service.ts';
import { ladderRefusals } from './refusals.ts';

/** What the response of a passkey is checked against (WebAuthn level 3, sections 7.1 and 7.2). */
export interface PasskeyExpectation {
  /** Whether we issued the challenge, in base64url, for this purpose. */
  isOurs(challenge: string): boolean;
  /** The origin of the page, and its host. */
  origin: string;
  host: string;
}

/** Creates options for WebAuthn, and verifies responses. A response without user verification is refused. */
export interface Passkeys {
  /** Returns the options for a page that creates a passkey, or that uses one. The challenge is a text. */
  createRegistrationOptions(challenge: string, host: string, name: string): Promise<object>;
  createAuthenticationOptions(challenge: string, host: string): Promise<object>;
  /** Returns the new passkey, or undefined if the response is not as expected. */
  verifyRegistration(answer: object, expected: PasskeyExpectation): Promise<Credential | undefined>;
  /** Returns the counter of the authenticator, or undefined if the response is not as expected. */
  verifyAuthentication(
    answer: object,
    credential: Credential,
    expected: PasskeyExpectation,
  ): Promise<number | undefined>;
}

/** What the rungs of the ladder need of the service. */
export interface LadderService extends RecordService {
  /** Absent during the build, and in a browser, which cannot be trusted to check its own proofs and passkeys. */
  passkeys?: Passkeys | undefined;
}

export type LadderContext = Context<LadderService>;

export const claimToken = defineTokenKind(
  'claim',
  'clm_',
  'The token, `clm_…`, after the # of the url.',
  ladderRefusals.unknown_claim,
);

/** A field of a challenge. Only its length is checked here, because the signature covers all fields. */
const createChallengeField = (title: string, description: string) =>
  named(
    v.pipe(v.string('must be a string'), v.minLength(1, 'must not be empty'), maxCharacters(200)),
    title,
    description,
  );

/** A proof-of-work challenge. Nothing of it is stored until it is solved. */
export const Challenge = named(
  v.object({
    algorithm: createChallengeField('Algorithm', 'SHA-256.'),
    salt: createChallengeField('Salt', 'What the nonce is appended to, after a dot.'),
    bits: wholeSchema(1, 40, 'Bits', 'Zero bits that the digest has to begin with.'),
    expiresAt: createChallengeField('Expires at', 'When the challenge expires.'),
    signature: createChallengeField('Signature', 'Binds it to your workspace.'),
  }),
  'Challenge',
  'What to solve. Send it back unchanged.',
);
export type Challenge = v.InferOutput<typeof Challenge>;

/** Returns the passkeys of the host. Throws the Refusal `not_live` if the rung is not live. */
export function requireRung({ passkeys, rungs }: LadderService, rung: 'work' | 'claim'): Passkeys {
  const { [rung]: status } = rungs();
  if (status !== true) throw new Refusal('not_live', { reason: status });
  if (!passkeys) throw new Refusal('not_live');
  return passkeys;
}

export const isHandle = (text: string) => /^wsh_[0-9a-hjkmnp-tv-z]{32}$/.test(text);

/**
 * Explains why passkeys do not work at an origin, or returns undefined if they do. The host is the relying party
 * (WebAuthn level 3, section 5.1.3).
 */
function explainNoPasskeys(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname))
    return 'No claim is taken here: passkeys need a host name, and this service is at an address.';
  if (protocol === 'https:' || isLocal) return undefined;
  return 'No claim is taken here: passkeys need https, and this service is published without.';
}

/** Returns which rungs are live here. During the build it returns what a host has by default. */
export function resolveRungs({ settings, signer }: Pick<KernelService, 'settings' | 'signer'>): Rungs {
  const { live, ladder, baseUrl } = settings;
  const reason = signer && 'reason' in signer ? signer.reason : undefined;
  const free = live || preview;
  const off = ladder ? undefined : 'The operator of this service takes neither work nor claims.';
  const work = free === true ? (reason ?? off ?? true) : free;
  return { free, work, claim: work === true ? (explainNoPasskeys(baseUrl) ?? true) : work };
}
