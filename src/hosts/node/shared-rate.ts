import { type RateLimit, type RateState, type RateTally, toRateState } from '../../kernel/rate-limit.ts';
import type { Count } from '../../records/store.ts';

/** Milliseconds for which the store's count counts as known, and for which a store that failed is left alone. */
const knownMs = 1000;
/** Milliseconds that a caller waits for one answer of the store at most. */
const patienceMs = 200;
/** What one instance allows of a quota before the others know of it. */
const unknownShare = 0.01;

/** What is known of a caller here. */
interface Known {
  /** Allowed here, and not reported to the store yet; negative for what was given back. */
  own: number;
  until: number;
  isAsking: boolean;
  /** Whether the callers of the open question no longer wait for it. */
  isLate: boolean;
  /** Callers that wait until the store says whether they fit. */
  waiting: PromiseWithResolvers<RateState>[];
}

/** Counts against one quota. */
export interface Rate {
  take(key: string): RateState | Promise<RateState>;
  /** Gives back one that was allowed and not used. */
  giveBack(key: string): void;
}

/**
 * One quota for all instances. An `exact` one counts each request in the store before it is answered, and rejects with
 * the store's fault where that fails: it is for what needs the store anyway. Otherwise an instance asks the store about
 * a caller of whom it knows nothing newer than a second, and after that counts by itself, reports to the store as it
 * goes, and waits for it only where a hundredth of the quota is not reported. So all together allow at most a hundredth
 * of the quota more for each instance. Where the store does not answer, each counts by itself from what it last knew.
 * Callers that wait at the same time share one question, and as many are allowed as fit.
 */
export function createSharedRate(limit: RateLimit, count: Count, isExact = false): Rate {
  const { policy } = limit;
  const { name, quota, windowSeconds } = policy;
  const most = isExact ? 0 : Math.floor(quota * unknownShare);
  const known = new Map<string, Known>();
  let isAwayUntil = Number.NEGATIVE_INFINITY;
  let isToSweep = false;

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
    const giveUp = () => {
      isAwayUntil = performance.now() + knownMs;
      for (const { resolve } of [...asking.splice(0), ...one.waiting.splice(0)]) resolve(countHere(key, one));
    };
    const beLate = () => {
      one.isLate = true;
      giveUp();
    };
    const timer = isExact ? undefined : setTimeout(beLate, patienceMs);
    try {
      const question = { windowMs: windowSeconds * 1000, add: reported, wanted: asking.length, quota };
      const { granted, ...tally } = await count(`${name} ${key}`, question);
      one.own -= reported + (one.isLate ? granted : 0);
      limit.adopt(key, { ...tally, count: tally.count + one.own }, performance.now());
      one.until = performance.now() + knownMs;
      for (const [index, { resolve }] of asking.entries()) {
        const own: RateTally = { ...tally, count: tally.count - Math.max(0, granted - 1 - index) };
        resolve(toRateState(policy, own, index < granted));
      }
    } catch (error) {
      one.own -= reported;
      if (isExact) for (const { reject } of asking) reject(error);
      else giveUp();
    }
    clearTimeout(timer);
    one.isLate = false;
  }

  async function report(key: string, one: Known): Promise<void> {
    if (one.isAsking) return;
    one.isAsking = true;
    do await ask(key, one);
    while (one.waiting.length > 0);
    one.isAsking = false;
  }

  function remember(key: string): Known {
    const one = { own: 0, until: 0, isAsking: false, isLate: false, waiting: [] };
    known.set(key, one);
    sweepLater();
    return one;
  }

  function sweepLater(): void {
    if (!isToSweep) setTimeout(sweep, knownMs).unref();
    isToSweep = true;
  }

  /** Reports what is not reported yet, and forgets callers of whom nothing recent is known. */
  function sweep(): void {
    const now = performance.now();
    for (const [key, one] of known) {
      if (one.until > now || one.isAsking) continue;
      if (one.own !== 0 && !isAway()) void report(key, one);
      else known.delete(key);
    }
    isToSweep = false;
    if (known.size > 0) sweepLater();
  }

  return {
    take(key) {
      const one = known.get(key);
      const isKnown = one !== undefined && one.until > performance.now() && one.own < most;
      if (!isExact && (isAway() || one?.isLate || isKnown)) return countHere(key, one);
      const asked = one ?? remember(key);
      const waiter = Promise.withResolvers<RateState>();
      asked.waiting.push(waiter);
      void report(key, asked);
      return waiter.promise;
    },
    giveBack(key) {
      limit.giveBack(key);
      const one = known.get(key) ?? remember(key);
      one.own -= 1;
      void report(key, one);
    },
  };
}
