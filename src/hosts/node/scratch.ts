import type { ServerResponse } from 'node:http';

/** Bytes of memory that most bodies fit in. */
const usualBytes = 65_536;
/** Bytes of UTF-8 for each character of a JavaScript string at most. */
const mostForEach = 3;

/** Sends bodies in pieces, put together in memory that is used again and again. */
export interface Scratch {
  /** The pieces as UTF-8, until the next call. */
  put(pieces: readonly string[]): Buffer;
  /** Gives up what was put last where a response that was ended with it has not handed all of it over yet. */
  settle(response: ServerResponse): void;
}

/**
 * A string of its own for every body would be copied three times on its way out, into fresh memory each time;
 * here its pieces are copied once, into memory that the processor has at hand.
 */
export function createScratch(): Scratch {
  let memory = Buffer.allocUnsafeSlow(usualBytes);
  return {
    put(pieces) {
      const most = mostForEach * pieces.reduce((sum, { length }) => sum + length, 0);
      if (most > memory.length) memory = Buffer.allocUnsafeSlow(most);
      let end = 0;
      for (const piece of pieces) end += memory.write(piece, end);
      return memory.subarray(0, end);
    },
    settle(response) {
      if (response.writableLength > 0) memory = Buffer.allocUnsafeSlow(usualBytes);
    },
  };
}
