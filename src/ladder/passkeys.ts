import type { Credential } from '../records/owner.ts';

/** What an answer of a passkey is checked against (WebAuthn level 3, sections 7.1 and 7.2). */
export interface Expected {
  /** Whether the challenge that was answered, in base64url, was given by us for this. */
  isOurs(challenge: string): boolean;
  /** The origin of the page, and its host. */
  origin: string;
  host: string;
}

/** What speaks WebAuthn. User verification is asked for, and an answer without it is none. */
export interface Passkeys {
  /** The options for a page that makes a passkey, and for one that shows one; the challenge is a text. */
  toCreateOptions(challenge: string, host: string, name: string): Promise<object>;
  toGetOptions(challenge: string, host: string): Promise<object>;
  /** The passkey that was made; undefined where the answer is none, or not as expected. */
  made(answer: object, expected: Expected): Promise<Credential | undefined>;
  /** What its authenticator counts now, where this passkey answered as expected; undefined otherwise. */
  shown(answer: object, credential: Credential, expected: Expected): Promise<number | undefined>;
}
