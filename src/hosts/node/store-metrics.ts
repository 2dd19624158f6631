import type { Calls } from '../../pricing/meter.ts';
import type { Change, Charge, Store } from '../../records/store.ts';
import type { Histogram } from './histogram.ts';

/** What is measured of a store. */
interface StoreMetrics {
  /** Seconds by verb. */
  seconds: Histogram;
  /** Charged calls by operation. */
  metered: Record<string, number>;
}

/** The verbs that callers wait for, as the metrics name them. */
const verbs = ['open', 'follow', 'find', 'read', 'change', 'charge', 'check'] as const;

/**
 * The same store, with the time of each verb and the calls that it charged counted in `metrics`. What a verb that fails
 * took counts too; a verb that the store lacks stays away.
 */
export function toMeasured(store: Store, { seconds, metered }: StoreMetrics): Store {
  const add = (calls: Calls = {}) => {
    for (const [operation, count] of Object.entries(calls))
      metered[operation] = (metered[operation] ?? 0) + count;
  };

  function time<T>(verb: string, run: () => T | Promise<T>): T | Promise<T> {
    const from = performance.now();
    const end = () => seconds.observe({ verb }, performance.now() - from);
    let isLater = false;
    try {
      const answer = run();
      isLater = answer instanceof Promise;
      return answer instanceof Promise ? answer.finally(end) : answer;
    } finally {
      if (!isLater) end();
    }
  }

  const measured = { ...store };
  for (const verb of verbs) {
    const run = store[verb] as (...given: unknown[]) => unknown;
    Object.assign(measured, { [verb]: (...given: unknown[]) => time(verb, () => run(...given)) });
  }
  return {
    ...measured,
    async change<T>(change: Change<T>) {
      let charge: Charge | undefined;
      const changed = await measured.change<T>({
        ...change,
        decide(found, head) {
          const decided = change.decide(found, head);
          charge = decided.charge;
          return decided;
        },
      });
      if (changed.result === 'done') add(charge?.calls);
      return changed;
    },
    charge(key, charge) {
      const taken = measured.charge(key, charge);
      const count = (isTaken: boolean) => {
        if (isTaken) add(charge.calls);
        return isTaken;
      };
      return taken instanceof Promise ? taken.then(count) : count(taken);
    },
  };
}
