/** How long one waits for its turn at most, and what is thrown then. */
interface Patience {
  ms: number;
  late(): Error;
}

/** Lets those of one name have their turns one after the other; one that would wait too long rejects. */
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
