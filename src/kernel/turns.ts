/** Lets those of one name have their turns one after the other, whatever becomes of one. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
    const before = last.get(name);
    const turn = before ? before.then(run) : run();
    const settled = turn.catch(() => {});
    last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}
