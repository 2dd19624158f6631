import { sha256 } from '@noble/hashes/sha2.js';

/** How many nonces are tried between two messages to the page: some tenths of a second. */
const atOnce = 100_000;

/** The message from the page: the challenge to solve. */
export interface SolverTask {
  salt: string;
  bits: number;
}

/** The message to the page: how many nonces were tried, and the nonce if it is found. */
export interface SolverProgress {
  tried: number;
  nonce?: string;
}

/** Counts the zero bits that a digest begins with, up to 64, which is more than any challenge needs. */
function countZeroBits(digest: Uint8Array): number {
  const words = new DataView(digest.buffer, digest.byteOffset);
  const first = Math.clz32(words.getUint32(0));
  return first < 32 ? first : 32 + Math.clz32(words.getUint32(4));
}

self.addEventListener('message', ({ data: { salt, bits } }: MessageEvent<SolverTask>) => {
  const encoder = new TextEncoder();
  // `crypto.subtle` returns a promise, which takes several times as long for such a short text.
  const begun = sha256.create().update(encoder.encode(`${salt}.`));
  for (let tried = 0; ; tried += 1) {
    const nonce = tried.toString(36);
    const isFound = countZeroBits(begun.clone().update(encoder.encode(nonce)).digest()) >= bits;
    if (isFound || tried % atOnce === 0)
      self.postMessage({ tried, ...(isFound && { nonce }) } satisfies SolverProgress);
    if (isFound) return;
  }
});
