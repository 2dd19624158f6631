import { type RateLimit, type RateState, toRateState } from '../../kernel/rate-limit.ts';
import type { Count } from '../../records/store.ts';

/** Milliseconds for which a store that failed or was slow is left alone, and that a caller waits for it at most. */
const awayMs = 1000;
const patienceMs = 200;

/** Counts against one quota. */
export interface Rate {
  take(key: string): RateState | Promise<RateState>;
  /** Gives back one that was allowed and not used. */
  giveBack(key: string): void;
}

/** One quota for this instance. */
export const toOwnRate = ({ take, giveBack }: RateLimit): Rate => ({
  take: (key) => take(key, performance.now()),
  giveBack,
});

/** Adds to what a caller used, in the store, and counts from there on; `wanted` are granted only within the quota. */
async function countInStore(
  { policy, adopt }: RateLimit,
  count: Count,
  key: string,
  add: number,
  wanted = 0,
) {
  const { name, quota, windowSeconds } = policy;
  const question = { windowMs: windowSeconds * 1000, add, wanted, quota };
  const { granted, ...tally } = await count(`${name} ${key}`, question);
  adopt(key, tally, performance.now());
  return { granted, tally };
}

const ignore = () => {};

/** Reports to the store what was allowed here already. Where that fails, only this instance knows of it. */
export const reportUse = (limit: RateLimit, count: Count, key: string, used: number): void =>
  void countInStore(limit, count, key, used).catch(ignore);

/**
 * One quota for all instances: each request is counted in the store before it is answered. Rejects with the store's
 * fault where that fails: it is for what needs the store anyway.
 */
export const toExactRate = (limit: RateLimit, count: Count): Rate => ({
  async take(key) {
    const { granted, tally } = await countInStore(limit, count, key, 0, 1);
    return toRateState(limit.policy, tally, granted === 1);
  },
  giveBack: (key) => reportUse(limit, count, key, -1),
});

/** `asked`, or undefined where that takes longer than so many milliseconds. */
async function within<T>(ms: number, asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/**
 * The same for what does not need the store: where that fails or is slow, this instance counts by itself for a second,
 * from what it last knew. A caller that is over the quota by what is known here is refused without a question.
 */
export function toSharedRate(limit: RateLimit, count: Count): Pick<Rate, 'take'> {
  let isAwayUntil = Number.NEGATIVE_INFINITY;
  const exact = toExactRate(limit, count);
  async function ask(key: string, here: RateState): Promise<RateState> {
    const state = await within(patienceMs, exact.take(key) as Promise<RateState>).catch(ignore);
    if (!state) isAwayUntil = performance.now() + awayMs;
    return state ?? here;
  }
  return {
    take(key) {
      const here = limit.take(key, performance.now());
      return here.allowed && performance.now() >= isAwayUntil ? ask(key, here) : here;
    },
  };
}
