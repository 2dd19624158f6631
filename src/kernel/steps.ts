/**
 * Work on many things: a generator that yields after each record, row or piece, and returns its result. Others are
 * served in between. It knows nothing of time. If it yields a promise, it goes on with the result (see `wait`).
 */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a promise within steps: `const head = yield* wait(store.open(hash))`. Any other value is there at once. */
export function* wait<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Whether work was returned as steps, and not done at once. */
export const isSteps = <T>(work: T | Promise<T> | Steps<T>): work is Steps<T> =>
  typeof work === 'object' && work !== null && 'next' in work;

/** Does something with the result of steps. */
export function* andThen<T, U>(work: Steps<T>, next: (result: T) => U): Steps<U> {
  return next(yield* work);
}

/** Work of a single step, such as one search by title. It is done in the turn of its client. */
export function* oneStep<T>(work: () => T): Steps<T> {
  yield;
  return work();
}

/** For whom work is done: a client, and the operation that it called. */
export interface WorkOf {
  client?: string | undefined;
  operation?: string | undefined;
}

/** Runs steps: at once if they take little, and otherwise in slices, fairly by client. */
export type RunSteps = <T>(work: Steps<T>, of?: WorkOf) => T | Promise<Awaited<T>>;

/** Runs steps to their end, without letting others in between. For scripts and the build, where no caller waits. */
export function runAtOnce<T>(work: Steps<T>): T {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
  }
}
