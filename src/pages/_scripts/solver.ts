import { createSearch } from './proof-of-work.ts';

/** Nonces between two words to the page: some tenths of a second. */
const atOnce = 100_000;

/** What the page asks: find the nonce. */
export interface SolverQuestion {
  salt: string;
  bits: number;
}

/** How many were tried, and the nonce once it is found. */
export interface SolverWord {
  tried: number;
  nonce?: string;
}

self.addEventListener('message', ({ data: { salt, bits } }: MessageEvent<SolverQuestion>) => {
  const search = createSearch(salt, bits);
  for (let tried = 0; ; ) {
    const nonce = search(tried, atOnce);
    tried += atOnce;
    self.postMessage({ tried, nonce } satisfies SolverWord);
    if (nonce !== undefined) return;
  }
});
