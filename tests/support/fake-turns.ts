import { StepRunner } from '../../src/kernel/step-runner.ts';
import type { Steps } from '../../src/kernel/steps.ts';

/** A clock that moves only when a step takes time, and turns of the event loop that a test begins. */
export class FakeTurns {
  time = 0;
  #waiting: (() => void)[] = [];

  now = () => this.time;
  waitForTurn = () => new Promise<void>((resolve) => this.#waiting.push(resolve));

  /** Begins the next turn, and waits until what waits for it has run. */
  async next(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A runner of work whose every step takes a millisecond, and the names of the steps that ran. */
export function createRunner() {
  const turns = new FakeTurns();
  const runner = new StepRunner(turns);
  const done: string[] = [];
  function* work(name: string, count: number): Steps<string> {
    for (let at = 0; at < count; at += 1) {
      turns.time += 1;
      done.push(name);
      yield;
    }
    return name;
  }
  /** Starts work of a client, and notes its name when it is finished. */
  const finished: string[] = [];
  const start = (client: string, name: string, count: number) => {
    const result = runner.run(work(name, count), { client, operation: name });
    return Promise.resolve(result).then((value) => finished.push(value));
  };
  return { turns, runner, done, work, start, finished };
}

/** How often each name stands in a list. */
export const countNames = (names: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));
