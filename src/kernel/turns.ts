/** How many milliseconds one may have waited when its turn comes, and what it rejects with after more. */
interface Patience {
  ms: number;
  late(): Error;
}

/**
 * Gives a function that runs those of one name one after the other, in the order in which they came. One whose turn
 * comes too late is not run, and rejects; without `patience` none is too late.
 */
export function createTurns(patience?: Patience) {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const begin = () => {
      if (patience && performance.now() - from > patience.ms) throw patience.late();
      return run();
    };
    const before = last.get(name);
    const turn = before ? before.then(begin) : begin();
    const settled = turn.then(
      () => {},
      () => {},
    );
    last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}
