/** A cache of answers. It drops the least recently used first. Lengths are in characters. */
export interface AnswerCache {
  /** Returns the answer for a key, or undefined if there is none. */
  get(key: string): unknown;
  /** Caches an answer, for at most `ms` milliseconds if that is given. */
  set(key: string, answer: object, length: number, ms?: number): void;
  /**
   * Returns the cached answer for a key, or what `make` returns. A 200 is cached if its key was asked for lately, and
   * is then marked `isKept`. It is not cached if `measure` returns undefined.
   */
  keep<T extends { status: number; isKept?: boolean }>(
    key: string,
    make: () => T | Promise<T>,
    measure: (answer: T) => number | undefined,
  ): T | Promise<T>;
}

/** When the recent results are larger than this, in bytes, those that were not read since the last time are dropped. */
const mostKept = 2_000_000;
/** Estimated bytes of the result for a text. */
const estimateSize = (_: unknown, text: string) => 500 + text.length;

/** Returns a `make` that caches its results by text, in bounded memory. `sizeOf` estimates the bytes of a result. */
export function keepByText<T>(
  make: (text: string) => T,
  sizeOf: (result: T, text: string) => number = estimateSize,
): (text: string) => T {
  let [recent, before] = [new Map<string, T>(), new Map<string, T>()];
  let size = 0;
  return (text) => {
    const cached = recent.get(text);
    if (cached !== undefined) return cached;
    const result = before.get(text) ?? make(text);
    size += sizeOf(result, text);
    if (size > mostKept) [recent, before, size] = [new Map(), recent, 0];
    recent.set(text, result);
    return result;
  };
}

/**
 * Returns a `make` that caches its results by object. The objects must not change. It keeps the last `most` results
 * that were read, and at most twice as many.
 */
export function keepByObject<K extends object, T>(most: number, make: (from: K) => T): (from: K) => T {
  let [recent, before] = [new WeakMap<K, T>(), new WeakMap<K, T>()];
  let count = 0;
  return (from) => {
    const cached = recent.get(from);
    if (cached !== undefined) return cached;
    const result = before.get(from) ?? make(from);
    if (count === most) [recent, before, count] = [new WeakMap(), recent, 0];
    count += 1;
    recent.set(from, result);
    return result;
  };
}
