import type { RunSteps, Steps } from '../../src/kernel/steps.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

/**
 * Counts the records that one step of the core reads, and that it reads outside of steps. Pass `runSteps` to the platform of
 * a service.
 */
export class WatchedSteps {
  readonly #runSteps: RunSteps;
  #inStep = new Set<unknown>();
  #outside = new Set<unknown>();
  #isInStep = false;
  #most = 0;

  constructor(runSteps: RunSteps) {
    this.#runSteps = runSteps;
  }

  runSteps: RunSteps = (work, of) => this.#runSteps(this.#watch(work), of);

  *#watch<T>(work: Steps<T>): Steps<T> {
    let sent: unknown;
    for (;;) {
      const { value, done } = this.#runStep(() => work.next(sent));
      if (done) return value;
      sent = yield value;
    }
  }

  /** Runs a step. A step can begin other work, whose steps count alone. */
  #runStep<T>(step: () => T): T {
    const [outer, isInOuter] = [this.#inStep, this.#isInStep];
    this.#inStep = new Set();
    this.#isInStep = true;
    try {
      return step();
    } finally {
      this.#most = Math.max(this.#most, this.#inStep.size);
      this.#inStep = outer;
      this.#isInStep = isInOuter;
    }
  }

  /** Notes each read of a record of a workspace from now on. */
  watch(workspace: Workspace, kinds: readonly { name: string }[]): void {
    for (const { name } of kinds)
      for (const entry of workspace.list(name)) {
        const { record } = entry;
        const read = () => {
          (this.#isInStep ? this.#inStep : this.#outside).add(record.id);
          return record;
        };
        Object.defineProperty(entry, 'record', { get: read, configurable: true });
      }
  }

  /** Returns the most records that a step has read since the last call, or that were read outside of steps. */
  takeMost(): number {
    const most = Math.max(this.#most, this.#outside.size);
    this.#most = 0;
    this.#outside = new Set();
    return most;
  }
}
