import type { Service } from '../kernel/service.ts';
import type { JwkSet } from './keys.ts';

/** What signs here, by a key that never leaves it. */
export interface Signer {
  /** A compact JWS (RFC 7515) of the claims as JSON, by the first key: `alg` is EdDSA, `kid` the key's thumbprint. */
  sign(claims: object): Promise<string>;
  /** The public part of every key, the one that signs first. */
  keys(): JwkSet;
  /**
   * 32 bytes of a secret for one purpose, which the label names: HKDF-SHA-256 (RFC 5869) of the first key. The
   * same for the same key and label, so that several instances agree. Throws for an empty label.
   */
  derive(label: string): Uint8Array;
}

/** That nothing signs here, and why, in words for a caller. */
export interface NoSigner {
  reason: string;
}

declare module '../kernel/service.ts' {
  interface Service {
    /** What signs, or why nothing does; absent in a browser and while the service is built. */
    signer?: Signer | NoSigner;
  }
}

const notHere: NoSigner = {
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
