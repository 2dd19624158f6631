/** Answers that are kept by what was asked; the least recently asked goes first. Lengths are in characters. */
export interface AnswerCache {
  /** What is kept under a key; undefined where nothing is. */
  get(key: string): unknown;
  /** Keeps an answer at once and, where `ms` is given, for no more than so many milliseconds. */
  set(key: string, answer: object, length: number, ms?: number): void;
  /**
   * What is kept under a key, or else what `make` makes. A 200 to a key that was asked for lately is kept from then on,
   * marked `isKept`, unless `measure` gives undefined for it.
   */
  keep<T extends { status: number; isKept?: boolean }>(
    key: string,
    make: () => T | Promise<T>,
    measure: (made: T) => number | undefined,
  ): T | Promise<T>;
}

/** Bytes after which results that were not asked for meanwhile are dropped. */
const mostKept = 2_000_000;
/** Bytes that a result of a text usually takes. */
const estimateSize = (_: unknown, text: string) => 500 + text.length;

/**
 * Returns a `make` that keeps its results, within a bound, while they are asked for again: many texts come more than
 * once. `sizeOf` estimates the bytes of a result.
 */
export function keepByText<T>(
  make: (text: string) => T,
  sizeOf: (made: T, text: string) => number = estimateSize,
): (text: string) => T {
  let [recent, before] = [new Map<string, T>(), new Map<string, T>()];
  let size = 0;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = before.get(text) ?? make(text);
    size += sizeOf(made, text);
    if (size > mostKept) [recent, before, size] = [new Map(), recent, 0];
    recent.set(text, made);
    return made;
  };
}

/**
 * A `make` that keeps what it made of objects that do not change. Of those that are asked for again it keeps at least
 * the last `most` and at most twice as many.
 */
export function keepByObject<K extends object, T>(most: number, make: (from: K) => T): (from: K) => T {
  let [recent, before] = [new WeakMap<K, T>(), new WeakMap<K, T>()];
  let count = 0;
  return (from) => {
    const known = recent.get(from);
    if (known !== undefined) return known;
    const made = before.get(from) ?? make(from);
    if (count === most) [recent, before, count] = [new WeakMap(), recent, 0];
    count += 1;
    recent.set(from, made);
    return made;
  };
}
