/** The middle, the least and the greatest of figures taken in rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function toSpread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Ratios of figures taken in the same rounds. */
export function toRatios(ours: readonly number[], theirs: readonly number[]): Spread {
  return toSpread(ours.map((figure, round) => figure / theirs[round]!));
}
