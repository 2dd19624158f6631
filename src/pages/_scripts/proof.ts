import { createSha256 } from './sha256.ts';

/** Whether a digest, as words of 32 bits, begins with so many zero bits. */
export function hasZeroBits(digest: Int32Array, bits: number): boolean {
  const whole = bits >>> 5;
  for (let at = 0; at < whole; at += 1) if (digest[at] !== 0) return false;
  return whole >= digest.length || bits % 32 === 0 || digest[whole]! >>> (32 - (bits % 32)) === 0;
}

/**
 * Makes a function that tries `count` nonces from `from` on, and answers the first with which the digest of `salt.nonce`
 * has the zero bits; undefined where none has.
 */
export function createSearch(salt: string, bits: number) {
  const digest = createSha256(`${salt}.`);
  return (from: number, count: number): string | undefined => {
    for (let nonce = from; nonce < from + count; nonce += 1) {
      const text = nonce.toString(36);
      if (hasZeroBits(digest(text), bits)) return text;
    }
    return undefined;
  };
}
