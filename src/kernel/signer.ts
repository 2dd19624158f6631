import * as v from 'valibot';
import { Refusal } from './refusal.ts';
import { say } from './text.ts';

/** What signs here, by a key that never leaves it. */
export interface Signer {
  /** A compact JWS (RFC 7515) of the claims as JSON, by the first key: `alg` is EdDSA, `kid` the key's thumbprint. */
  sign(claims: object): Promise<string>;
  /** The public part of every key, the one that signs first. */
  keys(): JwkSet;
  /**
   * HMAC-SHA-256 of a text in base64url, by a key for one purpose, which the label names: HKDF-SHA-256 (RFC 5869) of
   * the first key. The same for the same key, label and text, so that several instances agree. Throws for an empty label.
   */
  mac(label: string, text: string): string;
  /** Whether a mac is that of a text; it takes as long for a wrong one, wherever that is wrong. */
  isMac(label: string, text: string, mac: string): boolean;
}

/** Why nothing signs here, in words for a caller. */
export interface NoSigner {
  reason: string;
}

export const noSigner: NoSigner = {
  reason: 'Nothing is signed here: this is a preview without a live service, which alone holds a key.',
};

type Signing = { signer?: Signer | NoSigner };

export const findSigner = ({ signer = noSigner }: Signing) => ('reason' in signer ? undefined : signer);

/** What signs for a service. Throws the Refusal `not_live` where nothing does. */
export function requireSigner({ signer = noSigner }: Signing): Signer {
  if ('reason' in signer) throw new Refusal('not_live', signer);
  return signer;
}

export const listPublicKeys = (service: Signing): JwkSet => findSigner(service)?.keys() ?? { keys: [] };

/** Bytes in base64url without padding (RFC 7515 section 2), 32 of them. */
const bytes32 = v.regex(/^[\w-]{43}$/);

/** The public part of an Ed25519 key (RFC 8037 section 2) as it is published. */
const Jwk = v.object({
  kty: say(v.literal('OKP'), 'An octet key pair (RFC 8037).'),
  crv: say(v.literal('Ed25519'), 'The curve.'),
  x: say(v.pipe(v.string(), bytes32), 'The public key.'),
  kid: say(v.pipe(v.string(), bytes32), 'SHA-256 thumbprint of the key (RFC 7638).'),
  use: say(v.literal('sig'), 'For signatures.'),
  alg: say(v.literal('EdDSA'), 'The algorithm (RFC 8037).'),
});

/** The keys that receipts can be checked by: the one that signs now first. */
export const JwkSet = v.object({
  keys: say(v.array(Jwk), 'The one that signs now first; none where none signs here.'),
});
export type JwkSet = v.InferOutput<typeof JwkSet>;

export const keysPath = '/.well-known/jwks.json';
