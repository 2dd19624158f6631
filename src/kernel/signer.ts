import * as v from 'valibot';
import type { Service } from './service.ts';

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

/** That nothing signs here, and why, in words for a caller. */
export interface NoSigner {
  reason: string;
}

declare module './service.ts' {
  interface Service {
    /** What signs, or why nothing does; absent in a browser and while the service is built. */
    signer?: Signer | NoSigner;
  }
}

export const notHere: NoSigner = {
  reason: 'Nothing is signed here: this is a preview without a live service, which alone holds a key.',
};

/** What signs for a service, or why nothing does: `'reason' in signer` tells them apart. */
export function toSigner({ signer = notHere }: Pick<Service, 'signer'>): Signer | NoSigner {
  return signer;
}

/** The published keys of a service: none where nothing signs. */
export function toKeys(service: Pick<Service, 'signer'>): JwkSet {
  const signer = toSigner(service);
  return 'reason' in signer ? { keys: [] } : signer.keys();
}

/** Bytes in base64url without padding (RFC 7515 section 2), 32 of them. */
const bytes32 = v.regex(/^[\w-]{43}$/);

/** The public part of an Ed25519 key (RFC 8037 section 2) as it is published. */
const Jwk = v.object({
  kty: v.pipe(v.literal('OKP'), v.description('An octet key pair (RFC 8037).')),
  crv: v.pipe(v.literal('Ed25519'), v.description('The curve.')),
  x: v.pipe(v.string(), bytes32, v.description('The public key.')),
  kid: v.pipe(v.string(), bytes32, v.description('SHA-256 thumbprint of the key (RFC 7638).')),
  use: v.pipe(v.literal('sig'), v.description('For signatures.')),
  alg: v.pipe(v.literal('EdDSA'), v.description('The algorithm (RFC 8037).')),
});

/** The keys that receipts can be checked by: the one that signs now first. */
export const JwkSet = v.object({
  keys: v.pipe(v.array(Jwk), v.description('The one that signs now first; none where none signs here.')),
});
export type JwkSet = v.InferOutput<typeof JwkSet>;

/** Where they are published. */
export const keysPath = '/.well-known/jwks.json';
