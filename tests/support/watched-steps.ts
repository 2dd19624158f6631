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
      this.#inStep = new Set();
      this.#isInStep = true;
      const { value, done } = work.next(sent);
      this.#isInStep = false;
      this.#most = Math.max(this.#most, this.#inStep.size);
      if (done) return value;
      sent = yield value;
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
