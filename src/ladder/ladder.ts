import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import { preview, type Service } from '../kernel/service.ts';
import { maxCharacters, named, wholeSchema } from '../kernel/text.ts';
import { toTokenKind } from '../kernel/token.ts';
import type { Rungs } from '../pricing/offer.ts';
import type { Credential } from '../records/owner.ts';

/** What an answer of a passkey is checked against (WebAuthn level 3, sections 7.1 and 7.2). */
export interface Expected {
  /** Whether we issued the challenge that was answered, in base64url, for this purpose. */
  isOurs(challenge: string): boolean;
  /** The origin of the page, and its host. */
  origin: string;
  host: string;
}

/** Speaks WebAuthn. An answer without user verification is refused. */
export interface Passkeys {
  /** The options for a page that makes a passkey, and for one that shows one; the challenge is a text. */
  toCreateOptions(challenge: string, host: string, name: string): Promise<object>;
  toGetOptions(challenge: string, host: string): Promise<object>;
  /** The passkey that was made; undefined where the answer is not as expected. */
  made(answer: object, expected: Expected): Promise<Credential | undefined>;
  /** The counter of the authenticator, where this passkey answered as expected; undefined otherwise. */
  shown(answer: object, credential: Credential, expected: Expected): Promise<number | undefined>;
}

declare module '../kernel/service.ts' {
  interface Service {
    /** Absent in a browser, which cannot check a proof or a passkey against itself, and during the build. */
    passkeys?: Passkeys;
  }
}

export const claimToken = toTokenKind('claim', 'clm_', 'The token, `clm_…`, after the # of the url.');

/** A field of a challenge. The signature covers them all, so each is only bounded; none is kept. */
const toField = (title: string, description: string) =>
  named(
    v.pipe(v.string('must be a string'), v.minLength(1, 'must not be empty'), maxCharacters(200)),
    title,
    description,
  );

/** What is to be solved, as it was told: nothing of it is kept here until it is. */
export const Challenge = named(
  v.object({
    algorithm: toField('Algorithm', 'SHA-256.'),
    salt: toField('Salt', 'What the nonce is appended to, after a dot.'),
    bits: wholeSchema(1, 40, 'Bits', 'Zero bits that the digest has to begin with.'),
    expiresAt: toField('Expires at', 'When the challenge expires.'),
    signature: toField('Signature', 'Binds it to your workspace.'),
  }),
  'Challenge',
  'What to solve. Send it back unchanged.',
);
export type Challenge = v.InferOutput<typeof Challenge>;

/** The passkeys of a host where a rung is live. Throws the Refusal `not_live` where it is not. */
export function requireRung({ passkeys, rungs }: Service, rung: 'work' | 'claim'): Passkeys {
  const { [rung]: here } = rungs();
  if (here !== true) throw new Refusal('not_live', { reason: here });
  if (!passkeys) throw new Refusal('not_live');
  return passkeys;
}

export const isHandle = (text: string) => /^wsh_[0-9a-hjkmnp-tv-z]{32}$/.test(text);

/** Why no passkey works at an origin; undefined where it does (WebAuthn level 3, section 5.1.3: its host is the relying party). */
function toNoPasskeys(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname))
    return 'No claim is taken here: passkeys need a host name, and this service is at an address.';
  if (protocol === 'https:' || isLocal) return undefined;
  return 'No claim is taken here: passkeys need https, and this service is published without.';
}

/** Which rungs are live here. During the build it says what a host has unless its operator decides otherwise. */
export function toRungs({ settings, signer }: Pick<Service, 'settings' | 'signer'>): Rungs {
  const { live, ladder, baseUrl } = settings;
  const reason = signer && 'reason' in signer ? signer.reason : undefined;
  const free = live || preview;
  const off = ladder ? undefined : 'The operator of this service takes neither work nor claims.';
  const work = free === true ? (reason ?? off ?? true) : free;
  return { free, work, claim: work === true ? (toNoPasskeys(baseUrl) ?? true) : work };
}
