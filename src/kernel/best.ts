interface PositionedItem<T> {
  position: number;
  item: T;
}

/**
 * Keeps the `limit` items with the lowest positions above `after`, in the order of their positions. It never holds more
 * than `limit` items.
 */
export function createBest<T>(limit: number, after: number) {
  const best: PositionedItem<T>[] = [];

  const hasPlaceFor = (position: number): boolean => best.length < limit || position < best.at(-1)!.position;

  function findPlace(position: number): number {
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (best[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    hasPlaceFor,
    add(position: number, item: T): void {
      if (position <= after || !hasPlaceFor(position)) return;
      best.splice(findPlace(position), 0, { position, item });
      if (best.length > limit) best.pop();
    },
    list: (): readonly PositionedItem<T>[] => best,
  };
}
