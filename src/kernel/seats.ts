/**
 * Lets at most so many run at once. Who waits is let in by turns among clients, so that one who asks for much keeps
 * no other waiting longer than for one each.
 */
export function createSeats(most: number) {
  const waiting = new Map<string, (() => void)[]>();
  let taken = 0;

  function leave(): void {
    const [next] = waiting;
    if (!next) {
      taken -= 1;
      return;
    }
    const [client, queue] = next;
    const first = queue.shift()!;
    waiting.delete(client);
    if (queue.length > 0) waiting.set(client, queue);
    first();
  }

  return async function inSeat<T>(client: string, run: () => Promise<T>): Promise<T> {
    if (taken < most) taken += 1;
    else {
      await new Promise<void>((resolve) => {
        const mine = waiting.get(client);
        if (mine) mine.push(resolve);
        else waiting.set(client, [resolve]);
      });
    }
    try {
      return await run();
    } finally {
      leave();
    }
  };
}
