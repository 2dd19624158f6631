import * as v from 'valibot';
import { Refusal } from './refusal.ts';
import { say } from './text.ts';

/** Signs with keys that never leave it. */
export interface Signer {
  /**
   * Signs claims as a compact JWS (RFC 7515) of their JSON, with the first key. `alg` is EdDSA, `kid` the thumbprint of
   * the key.
   */
  sign(claims: object): string;
  /** The public part of every key. The key that signs comes first. */
  keys(): JwkSet;
  /**
   * HMAC-SHA-256 of a text in base64url. Its key is derived from the first key by HKDF-SHA-256 (RFC 5869), for the
   * purpose that `label` names. The same key, label and text give the same result, so that several instances agree.
   * Throws for an empty label.
   */
  mac(label: string, text: string): string;
  /** Whether `mac` is the mac of a text. It compares in constant time. */
  isMac(label: string, text: string, mac: string): boolean;
}

/** Why this service does not sign, in words for a caller. */
export interface NoSigner {
  reason: string;
}

export const noSigner: NoSigner = {
  reason: 'Nothing is signed here: this is a preview without a live service, which alone holds a key.',
};

type Signing = { signer?: Signer | NoSigner };

export const findSigner = ({ signer = noSigner }: Signing) => ('reason' in signer ? undefined : signer);

/** Returns the signer of a service. Throws the Refusal `not_live` if there is none. */
export function requireSigner({ signer = noSigner }: Signing): Signer {
  if ('reason' in signer) throw new Refusal('not_live', signer);
  return signer;
}

export const listPublicKeys = (service: Signing): JwkSet => findSigner(service)?.keys() ?? { keys: [] };

/** 32 bytes in base64url without padding (RFC 7515 section 2). */
const bytes32 = v.regex(/^[\w-]{43}$/);

/** The public part of an Ed25519 key (RFC 8037 section 2), as it is published. */
const Jwk = v.object({
  kty: say(v.literal('OKP'), 'An octet key pair (RFC 8037).'),
  crv: say(v.literal('Ed25519'), 'The curve.'),
  x: say(v.pipe(v.string(), bytes32), 'The public key.'),
  kid: say(v.pipe(v.string(), bytes32), 'SHA-256 thumbprint of the key (RFC 7638).'),
  use: say(v.literal('sig'), 'For signatures.'),
  alg: say(v.literal('EdDSA'), 'The algorithm (RFC 8037).'),
});

/** The keys that verify receipts. The key that signs now comes first. */
export const JwkSet = v.object({
  keys: say(v.array(Jwk), 'The one that signs now first; none where none signs here.'),
});
export type JwkSet = v.InferOutput<typeof JwkSet>;

export const keysPath = '/.well-known/jwks.json';
