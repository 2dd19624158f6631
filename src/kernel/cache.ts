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

type Key = string | number | object;

/** The results by key. An object that nothing else refers to is not held in memory. */
class Results<K extends Key, T> {
  readonly #ofValues = new Map<string | number, T>();
  readonly #ofObjects = new WeakMap<object, T>();

  get(key: K): T | undefined {
    return typeof key === 'object' ? this.#ofObjects.get(key) : this.#ofValues.get(key);
  }

  set(key: K, result: T): void {
    if (typeof key === 'object') this.#ofObjects.set(key, result);
    else this.#ofValues.set(key, result);
  }
}

/** The limit of a memo of results by text, in bytes. */
export const mostTextBytes = 2_000_000;
/** Estimates the bytes of a small result of a text. */
export const estimateBytes = (_: unknown, text: string) => 500 + text.length;

/** How many results a memo holds or, with `sizeOf`, how many bytes. */
interface MemoLimit<K, T> {
  most: number;
  /** Estimates the bytes of a result. */
  sizeOf?(result: T, key: K): number;
}

/**
 * Returns a `make` that remembers its results by text or number, or by object if the objects do not change. When the recent results
 * reach the limit, it drops those that were not read since the last time. So it holds at most twice the limit.
 */
export function memoize<K extends Key, T>(
  make: (key: K) => T,
  { most, sizeOf = () => 1 }: MemoLimit<NoInfer<K>, NoInfer<T>>,
): (key: K) => T {
  let [recent, before] = [new Results<K, T>(), new Results<K, T>()];
  let size = 0;
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const result = before.get(key) ?? make(key);
    const added = sizeOf(result, key);
    if (size + added > most) [recent, before, size] = [new Results(), recent, 0];
    size += added;
    recent.set(key, result);
    return result;
  };
}
