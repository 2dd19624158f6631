import { type RateLimit, type RateState, type RateTally, toRateState } from '../../kernel/rate-limit.ts';
import type { Count } from '../../records/store.ts';

/** Milliseconds for which the store's count counts as known, and for which a store that failed is left alone. */
const knownMs = 1000;
/** Milliseconds that a caller waits for one answer of the store at most. */
const patienceMs = 200;
/** What one instance allows of a quota before the others know of it. */
const unknownShare = 0.01;

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

/** What is known of a caller here. */
interface Known {
  /** Allowed here, and not reported to the store yet. */
  own: number;
  until: number;
  isAsking: boolean;
  /** Callers that wait until the store says whether they fit. */
  waiting: ((state: RateState) => void)[];
}

/**
 * One quota for all instances, without a question to the store for each request. An instance asks about a caller of whom
 * it knows nothing newer than a second. After that it counts by itself, reports to the store as it goes, and waits only
 * where a hundredth of the quota is not reported. So all together allow at most a hundredth of the quota more for each
 * instance. Where the store does not answer, each counts by itself from what it last knew. Callers that wait at the same
 * time share one question, and as many are allowed as fit.
 */
export function toSharedRate(limit: RateLimit, count: Count): Pick<Rate, 'take'> {
  const most = Math.floor(limit.policy.quota * unknownShare);
  const known = new Map<string, Known>();
  let isAwayUntil = Number.NEGATIVE_INFINITY;
  const isAway = () => performance.now() < isAwayUntil;

  function countHere(key: string, one?: Known): RateState {
    const state = limit.take(key, performance.now());
    if (one && state.allowed) {
      one.own += 1;
      if (one.own * 2 >= most && !isAway()) void report(key, one);
    }
    return state;
  }

  /** Reports what was allowed and asks for the callers that wait. A late answer is learned all the same. */
  async function ask(key: string, one: Known): Promise<void> {
    const reported = one.own;
    const asking = one.waiting.splice(0);
    let isLate = false;
    const goOn = () => {
      isLate = true;
      isAwayUntil = performance.now() + knownMs;
      for (const resolve of [...asking.splice(0), ...one.waiting.splice(0)]) resolve(countHere(key, one));
    };
    const timer = setInterval(goOn, patienceMs);
    try {
      const { granted, tally } = await countInStore(limit, count, key, reported, asking.length);
      one.own -= reported + (isLate ? granted : 0);
      limit.adopt(key, { ...tally, count: tally.count + one.own }, performance.now());
      one.until = performance.now() + knownMs;
      for (const [index, resolve] of asking.entries()) {
        const own: RateTally = { ...tally, count: tally.count - Math.max(0, granted - 1 - index) };
        resolve(toRateState(limit.policy, own, index < granted));
      }
    } catch {
      one.own -= reported;
      goOn();
    }
    clearInterval(timer);
  }

  async function report(key: string, one: Known): Promise<void> {
    if (one.isAsking) return;
    one.isAsking = true;
    do await ask(key, one);
    while (one.waiting.length > 0);
    one.isAsking = false;
  }

  /** Reports what is not reported yet, and forgets callers of whom nothing recent is known. */
  function sweep(): void {
    const now = performance.now();
    for (const [key, one] of known) {
      if (one.until > now || one.isAsking) continue;
      if (one.own !== 0 && !isAway()) void report(key, one);
      else known.delete(key);
    }
  }
  setInterval(sweep, knownMs).unref();

  return {
    take(key) {
      const one = known.get(key) ?? { own: 0, until: 0, isAsking: false, waiting: [] };
      if (isAway() || (one.until > performance.now() && one.own < most)) return countHere(key, one);
      known.set(key, one);
      return new Promise((resolve) => {
        one.waiting.push(resolve);
        void report(key, one);
      });
    },
  };
}
