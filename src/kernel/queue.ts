import { Refusal } from './refusal.ts';

const tooManyWait = 'Too many large reads are waiting here. Send it again in a moment.';

interface Bounds {
  /** How many jobs of one client run at once. By default as many as run in all. */
  each?: number;
  /** How many jobs may wait, of one client and in all. Unlimited by default. */
  waiting?: { each: number; all: number };
}

/** Counts the jobs that run, and starts those that wait. */
class JobQueue {
  readonly #most: number;
  readonly #each: number;
  readonly #bounds: Bounds['waiting'];
  /** The jobs that wait, by client. The client whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  #waitingInAll = 0;

  constructor(most: number, { each = most, waiting }: Bounds) {
    this.#most = most;
    this.#each = each;
    this.#bounds = waiting;
  }

  async run<T>(client: string, job: () => T | Promise<T>): Promise<T> {
    if (this.#hasRoom(client)) this.#enter(client);
    else await this.#wait(client);
    try {
      return await job();
    } finally {
      this.#finish(client);
    }
  }

  #hasRoom(client: string): boolean {
    return this.#runningInAll < this.#most && (this.#running.get(client) ?? 0) < this.#each;
  }

  #enter(client: string): void {
    this.#runningInAll += 1;
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
  }

  #leave(client: string): void {
    this.#runningInAll -= 1;
    const left = this.#running.get(client)! - 1;
    if (left > 0) this.#running.set(client, left);
    else this.#running.delete(client);
  }

  #wait(client: string): Promise<void> {
    const jobs = this.#waiting.get(client) ?? [];
    const bounds = this.#bounds;
    if (bounds && jobs.length >= bounds.each) throw new Refusal('work_share');
    if (bounds && this.#waitingInAll >= bounds.all) throw new Refusal('too_busy', { reason: tooManyWait });
    this.#waiting.set(client, jobs);
    this.#waitingInAll += 1;
    return new Promise((start) => jobs.push(start));
  }

  /** Starts the next job of a client and moves the client behind the others that wait. */
  #startNext(client: string): void {
    const jobs = this.#waiting.get(client)!;
    const start = jobs.shift()!;
    this.#waiting.delete(client);
    if (jobs.length > 0) this.#waiting.set(client, jobs);
    this.#waitingInAll -= 1;
    this.#enter(client);
    start();
  }

  #finish(client: string): void {
    const wasFull = this.#runningInAll === this.#most;
    this.#leave(client);
    // Unless the queue was full, every other client that waits already runs as many jobs as it may.
    const clients = wasFull ? this.#waiting.keys() : [client];
    for (const next of clients) {
      if (!this.#waiting.has(next) || !this.#hasRoom(next)) continue;
      this.#startNext(next);
      return;
    }
  }
}

/**
 * Runs at most `most` jobs at once, and at most `each` of one client. Clients that wait take turns, so that one with
 * many jobs does not delay the others.
 *
 * Throws the Refusal `work_share` if a client has too many jobs waiting, and `too_busy` if all clients together have.
 */
export function createQueue(most: number, bounds: Bounds = {}) {
  const queue = new JobQueue(most, bounds);
  return <T>(client: string, run: () => T | Promise<T>): Promise<T> => queue.run(client, run);
}
