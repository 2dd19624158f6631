/** Runs at most `most` jobs at once. Clients that wait take turns, so that one with many jobs does not hold up another. */
export function createQueue(most: number, of: 'all clients' | 'each client' = 'all clients') {
  const isOfAll = of === 'all clients';
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();

  function leave(client: string, group: string): void {
    const next = isOfAll ? waiting.keys().next().value : client;
    const jobs = next === undefined ? undefined : waiting.get(next);
    if (jobs) {
      jobs.shift()!();
      waiting.delete(next!);
      if (jobs.length > 0) waiting.set(next!, jobs);
      return;
    }
    const left = running.get(group)! - 1;
    if (left > 0) running.set(group, left);
    else running.delete(group);
  }

  return async function inQueue<T>(client: string, run: () => T | Promise<T>): Promise<T> {
    const group = isOfAll ? '' : client;
    const count = running.get(group) ?? 0;
    if (count < most) running.set(group, count + 1);
    else {
      await new Promise<void>((start) => {
        const jobs = waiting.get(client);
        if (jobs) jobs.push(start);
        else waiting.set(client, [start]);
      });
    }
    try {
      return await run();
    } finally {
      leave(client, group);
    }
  };
}
