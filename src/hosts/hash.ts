import { createHash } from 'node:crypto';

/** The first 32 hex digits of the SHA-256 of some bytes: what entity tags are made of. */
export function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
