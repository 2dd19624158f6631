import * as v from 'valibot';

/** Bytes in base64url without padding (RFC 7515 section 2), 32 of them. */
const bytes32 = v.regex(/^[\w-]{43}$/);

/** The public part of an Ed25519 key (RFC 8037 section 2) as it is published. */
const Jwk = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  x: v.pipe(v.string(), bytes32, v.description('The public key.')),
  kid: v.pipe(v.string(), bytes32, v.description('SHA-256 thumbprint of the key (RFC 7638).')),
  use: v.literal('sig'),
  alg: v.literal('EdDSA'),
});

/** The keys that receipts can be checked by: the one that signs now first. */
export const JwkSet = v.object({
  keys: v.pipe(v.array(Jwk), v.description('The one that signs now first; none where none signs here.')),
});
export type JwkSet = v.InferOutput<typeof JwkSet>;

/** Where they are published. */
export const keysPath = '/.well-known/jwks.json';
