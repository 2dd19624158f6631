/** A source of choices. The same seed makes the same ones. */
export interface Random {
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
}

/** A linear congruential generator of 32 bits, of which the upper ones are used. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return { below, pick: (items) => items[below(items.length)]! };
}
