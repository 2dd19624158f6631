import { findTurn } from './client-keys.ts';
import { Refusal } from './refusal.ts';
import type { Steps, WorkOf } from './steps.ts';

/** What the runner needs of a host. */
export interface Turns {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Resolves in a later turn of the event loop, when what has arrived was read. */
  waitForTurn(): Promise<void>;
}

/** Milliseconds that new work, and then work in progress, may take in one turn of the event loop. */
const sliceMs = 4;
/** How many clients have long work in progress at once, because its results are in memory. */
const mostActive = 4;
/** How much work may wait, of one client and in all: before it begins, and long work, whose results are in memory. */
const mostFresh = { ofClient: 1000, all: 10_000 };
const mostBegun = { ofClient: 64, all: 1000 };

const tooManyWait = 'Too much is waiting to be done here. Send it again in a moment.';

interface Job {
  work: Steps<unknown>;
  client: string;
  operation: string;
  /** Whether it waits for a promise. */
  isHeld: boolean;
  /** Milliseconds that its steps have taken. */
  used: number;
  /** What the work is given when it goes on: the value of the promise. */
  value?: unknown;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

/** Jobs by client. The client whose turn is next comes first. */
class JobLists {
  readonly #lists = new Map<string, Job[]>();
  count = 0;

  /** Returns the Refusal `work_share` or `too_busy` if one more job of a client would be too many. */
  findRefusal(client: string, most: typeof mostFresh): Refusal | undefined {
    const { length = 0 } = this.#lists.get(client) ?? [];
    if (length >= most.ofClient) return new Refusal('work_share');
    return this.count >= most.all ? new Refusal('too_busy', { reason: tooManyWait }) : undefined;
  }

  add(job: Job): void {
    const list = this.#lists.get(job.client);
    if (list) list.push(job);
    else this.#lists.set(job.client, [job]);
    this.count += 1;
  }

  /** Takes the next job of the first client that passes, and moves that client behind the others. */
  take(passes: (client: string) => boolean = () => true): Job | undefined {
    for (const [client, list] of this.#lists) {
      if (!passes(client)) continue;
      const job = list.shift()!;
      this.#lists.delete(client);
      if (list.length > 0) this.#lists.set(client, list);
      this.count -= 1;
      return job;
    }
    return undefined;
  }
}

/**
 * Runs the steps of all clients. This is the only place that knows the clock and the event loop.
 *
 * Work runs at once while the slice of this turn of the event loop lasts, so short work finishes without waiting. What
 * is left then goes on in later turns. There, new work comes first, and long work of a client is done one after the
 * other: a client's short work never waits for its long work.
 */
export class StepRunner {
  readonly #turns: Turns;
  /** When the slice for new work in this turn ends, or undefined if none has begun. */
  #end: number | undefined;
  /** Work that has not begun, or whose steps have taken less than a slice. */
  readonly #fresh = new JobLists();
  /** Long work that waits until its client, or one of the few active clients, is done. */
  readonly #begun = new JobLists();
  /** Long work in progress, by client. The client whose turn is next comes first. */
  readonly #active = new Map<string, Job>();
  #isRunning = false;
  readonly #longest = new Map<string, number>();

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** The longest single step of each operation so far, in milliseconds. */
  get longest(): ReadonlyMap<string, number> {
    return this.#longest;
  }

  /** Throws the Refusal `work_share` or `too_busy` if too much waits already. */
  run<T>(work: Steps<T>, { client = '', operation = '' }: WorkOf = {}): T | Promise<Awaited<T>> {
    const turn = findTurn(client);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { work, client: turn, operation, isHeld: false, used: 0, resolve, reject };
    if (!this.#hasTime()) {
      const refusal = this.#fresh.findRefusal(turn, mostFresh);
      if (refusal) throw refusal;
      this.#fresh.add(job);
      this.#start();
      return promise as Promise<Awaited<T>>;
    }
    let settled: { result: unknown } | { error: unknown } | undefined;
    job.resolve = (result) => (settled = { result });
    job.reject = (error) => (settled = { error });
    this.#advance(job, this.#end!);
    if (settled && 'error' in settled) throw settled.error;
    if (settled) return settled.result as T;
    Object.assign(job, { resolve, reject });
    return promise as Promise<Awaited<T>>;
  }

  /** Whether new work may run in this turn. The first of a turn begins its slice. */
  #hasTime(): boolean {
    const now = this.#turns.now();
    if (this.#end !== undefined) return now < this.#end;
    this.#end = now + sliceMs;
    void this.#turns.waitForTurn().then(() => {
      this.#end = undefined;
    });
    return true;
  }

  /** Runs a job until a time, or until it ends or waits for a promise. */
  #advance(job: Job, end: number): void {
    const { now } = this.#turns;
    let from = now();
    for (;;) {
      let step: IteratorResult<unknown, unknown>;
      try {
        step = job.work.next(job.value);
      } catch (error) {
        this.#leave(job);
        job.reject(error);
        return;
      }
      const to = now();
      if (to - from > (this.#longest.get(job.operation) ?? 0)) this.#longest.set(job.operation, to - from);
      job.used += to - from;
      from = to;
      job.value = undefined;
      if (step.done) {
        this.#leave(job);
        job.resolve(step.value);
        return;
      }
      const isHeld = step.value instanceof Promise;
      if (isHeld) this.#hold(job, step.value as Promise<unknown>);
      else if (to >= end) this.#queue(job);
      if (isHeld || to >= end) return;
    }
  }

  /** Lets a job go on when a promise is settled. */
  #hold(job: Job, promise: Promise<unknown>): void {
    job.isHeld = true;
    const goOn = () => {
      job.isHeld = false;
      this.#queue(job);
    };
    promise.then(
      (value) => {
        job.value = value;
        goOn();
      },
      (error) => {
        job.work = rethrow(job.work, error);
        goOn();
      },
    );
  }

  /** Lets a job go on in its turn. It is short work until its steps have taken a slice, and then long work. */
  #queue(job: Job): void {
    const isActive = this.#active.get(job.client) === job;
    if (!isActive && job.used < sliceMs) this.#fresh.add(job);
    else if (!isActive) this.#addLong(job);
    this.#activate();
    this.#start();
  }

  #addLong(job: Job): void {
    const refusal = this.#begun.findRefusal(job.client, mostBegun);
    if (refusal) job.reject(refusal);
    else this.#begun.add(job);
  }

  /** Makes begun work active, as far as its clients and all together may have any. */
  #activate(): void {
    while (this.#active.size < mostActive) {
      const job = this.#begun.take((client) => !this.#active.has(client));
      if (!job) return;
      this.#active.set(job.client, job);
    }
  }

  #leave(job: Job): void {
    if (this.#active.get(job.client) !== job) return;
    this.#active.delete(job.client);
    this.#activate();
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#runTurns();
  }

  async #runTurns(): Promise<void> {
    while (this.#fresh.count > 0 || this.#hasReady()) {
      await this.#turns.waitForTurn();
      this.#runSlice(() => this.#fresh.take());
      this.#runSlice(() => this.#nextActive());
    }
    this.#isRunning = false;
  }

  #hasReady(): boolean {
    for (const { isHeld } of this.#active.values()) if (!isHeld) return true;
    return false;
  }

  #runSlice(next: () => Job | undefined): void {
    const end = this.#turns.now() + sliceMs;
    do {
      const job = next();
      if (!job) return;
      this.#advance(job, end);
    } while (this.#turns.now() < end);
  }

  /** Returns the work of the next active client that waits for no promise, and moves that client behind the others. */
  #nextActive(): Job | undefined {
    for (const [client, job] of this.#active) {
      if (job.isHeld) continue;
      this.#active.delete(client);
      this.#active.set(client, job);
      return job;
    }
    return undefined;
  }
}

/** Returns work that goes on with an error: what it waited for has failed. */
function* rethrow<T>(work: Steps<T>, error: unknown): Steps<T> {
  let step = work.throw(error);
  while (!step.done) step = work.next(yield step.value);
  return step.value;
}
