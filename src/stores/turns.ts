/** Milliseconds that one waits for its turn at most. */
const patienceMs = 2000;

/** Lets those of one name have their turns one after the other; one that would wait too long rejects with `late()`. */
export function createTurns(late: () => Error) {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const begin = () => {
      if (performance.now() - from > patienceMs) throw late();
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
