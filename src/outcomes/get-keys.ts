import { toDocument } from '../kernel/document.ts';
import { JwkSet, keysPath, toKeys } from '../kernel/signer.ts';

/** The public key of RFC 8037 appendix A.2, with its thumbprint of appendix A.3. */
const example: JwkSet = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      use: 'sig',
      alg: 'EdDSA',
    },
  ],
};

/** The keys that receipts are checked by. Kept briefly by caches: a receipt may be signed by a key of this hour. */
export const getKeys = toDocument({
  operationId: 'getKeys',
  path: keysPath,
  summary: 'Keys that receipts are signed by',
  description:
    'A JWK Set (RFC 7517) of public Ed25519 keys, by which anyone can check a receipt; without a key where none signs. The example is the key of RFC 8037.',
  enveloped: false,
  cache: 'brief',
  atStart: true,
  type: 'application/jwk-set+json',
  schema: JwkSet,
  example: () => example,
  make: toKeys,
});
