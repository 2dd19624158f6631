import { sha256 } from '@noble/hashes/sha2.js';

/** Nonces between two words to the page: some tenths of a second. */
const atOnce = 100_000;

/** What the page asks: find the nonce. */
export interface SolverTask {
  salt: string;
  bits: number;
}

/** How many were tried, and the nonce once it is found. */
export interface SolverProgress {
  tried: number;
  nonce?: string;
}

/** The zero bits that a digest begins with, up to 64: more than are ever asked for. */
function countZeroBits(digest: Uint8Array): number {
  const words = new DataView(digest.buffer, digest.byteOffset);
  const first = Math.clz32(words.getUint32(0));
  return first < 32 ? first : 32 + Math.clz32(words.getUint32(4));
}

self.addEventListener('message', ({ data: { salt, bits } }: MessageEvent<SolverTask>) => {
  const encoder = new TextEncoder();
  // `crypto.subtle` answers by a promise, which takes several times as long for a text this short.
  const begun = sha256.create().update(encoder.encode(`${salt}.`));
  for (let tried = 0; ; tried += 1) {
    const nonce = tried.toString(36);
    const isFound = countZeroBits(begun.clone().update(encoder.encode(nonce)).digest()) >= bits;
    if (isFound || tried % atOnce === 0)
      self.postMessage({ tried, ...(isFound && { nonce }) } satisfies SolverProgress);
    if (isFound) return;
  }
});
