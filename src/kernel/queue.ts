import { Refusal } from './refusal.ts';

const tooManyWait = 'Too many large reads are waiting here. Send it again in a moment.';

interface Bounds {
  /** How many jobs of one client run at once. By default as many as run in all. */
  each?: number;
  /** How many jobs may wait, of one client and in all. Unlimited by default. */
  waiting?: { each: number; all: number };
}

/**
 * Runs at most `most` jobs at once, and at most `each` of one client. Clients that wait take turns, so that one with
 * many jobs does not delay the others.
 *
 * Throws the Refusal `work_share` if a client has too many jobs waiting, and `too_busy` if all clients together have.
 */
export function createQueue(most: number, { each = most, waiting: bounds }: Bounds = {}) {
  /** The jobs that wait, by client. The client whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let runningInAll = 0;
  let waitingInAll = 0;

  const hasRoom = (client: string) => runningInAll < most && (running.get(client) ?? 0) < each;

  function enter(client: string): void {
    runningInAll += 1;
    running.set(client, (running.get(client) ?? 0) + 1);
  }

  function leave(client: string): void {
    runningInAll -= 1;
    const left = running.get(client)! - 1;
    if (left > 0) running.set(client, left);
    else running.delete(client);
  }

  /** Starts the next job of a client and moves the client behind the others that wait. */
  function startNext(client: string): void {
    const jobs = waiting.get(client)!;
    const start = jobs.shift()!;
    waiting.delete(client);
    if (jobs.length > 0) waiting.set(client, jobs);
    waitingInAll -= 1;
    enter(client);
    start();
  }

  function finish(client: string): void {
    const wasFull = runningInAll === most;
    leave(client);
    // Unless the queue was full, every other client that waits already runs as many jobs as it may.
    const clients = wasFull ? waiting.keys() : [client];
    for (const next of clients) {
      if (!waiting.has(next) || !hasRoom(next)) continue;
      startNext(next);
      return;
    }
  }

  function wait(client: string): Promise<void> {
    const jobs = waiting.get(client) ?? [];
    if (bounds && jobs.length >= bounds.each) throw new Refusal('work_share');
    if (bounds && waitingInAll >= bounds.all) throw new Refusal('too_busy', { reason: tooManyWait });
    waiting.set(client, jobs);
    waitingInAll += 1;
    return new Promise((start) => jobs.push(start));
  }

  return async function inQueue<T>(client: string, run: () => T | Promise<T>): Promise<T> {
    if (hasRoom(client)) enter(client);
    else await wait(client);
    try {
      return await run();
    } finally {
      finish(client);
    }
  };
}
