interface PositionedItem<T> {
  position: number;
  item: T;
}

/**
 * Keeps the `limit` items with the lowest positions above `after`, in the order of their positions. However many are
 * added, no more than `limit` are in memory.
 */
export function createBest<T>(limit: number, after: number) {
  const kept: PositionedItem<T>[] = [];

  /** Whether an item is kept if its position is `position` or higher. */
  const hasPlaceFor = (position: number): boolean => kept.length < limit || position < kept.at(-1)!.position;

  function findPlace(position: number): number {
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (kept[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    hasPlaceFor,
    add(position: number, item: T): void {
      if (position <= after || !hasPlaceFor(position)) return;
      kept.splice(findPlace(position), 0, { position, item });
      if (kept.length > limit) kept.pop();
    },
    list: (): readonly PositionedItem<T>[] => kept,
  };
}
