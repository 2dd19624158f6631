import { type RateLimit, toRateState } from '../../kernel/rate-limit.ts';
import type { Count } from '../../records/rate-counter.ts';
import type { Rate } from './shared-rate.ts';

/**
 * One quota for all instances, exactly: each request is counted in the store before it is answered, and nowhere else.
 * Where the store fails it rejects with what the store says, so this is for what cannot be done without it anyway.
 */
export function createExactRate(limit: RateLimit, count: Count): Rate {
  const { name, quota, windowSeconds } = limit.policy;
  const ask = (key: string, add: number, wanted: number) =>
    count(`${name} ${key}`, { windowMs: windowSeconds * 1000, add, wanted, quota });
  return {
    async take(key) {
      const { granted, ...tally } = await ask(key, 0, 1);
      limit.adopt(key, tally, performance.now());
      return toRateState(limit.policy, tally, granted === 1);
    },
    giveBack(key) {
      limit.giveBack(key);
      void ask(key, -1, 0).catch(() => {});
    },
  };
}
