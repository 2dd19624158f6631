import { type RateLimit, type RateState, type RateTally, toRateState } from '../../kernel/rate-limit.ts';
import type { Count } from '../../records/rate-counter.ts';

/** Milliseconds for which what others used is taken as known, and for which a store that failed is left alone. */
const knownMs = 1000;
/** Milliseconds that a caller waits for one answer of the store at most. */
const patienceMs = 200;
/** What one instance lets through before the others know of it, of a quota. */
const unknownShare = 0.01;

/** What is known of a caller here. */
interface Known {
  /** Let through here, and not told to the store yet. */
  own: number;
  until: number;
  isAsking: boolean;
  /** Whether nobody waits any more for the question that is out. */
  isLate: boolean;
  /** Those who wait until the store says whether they fit. */
  waiting: ((state: RateState) => void)[];
}

/** Counts against one quota. */
export interface Rate {
  take(key: string): RateState | Promise<RateState>;
  /** Takes back one that was allowed, because it came to nothing. */
  giveBack(key: string): void;
}

/**
 * One quota for all instances. A caller of whom nothing newer than a second is known here is counted in the store
 * before it is answered; after that each instance counts by itself, tells the store as it goes, and waits for it only
 * where that much was let through untold. Those who wait at once are asked for in one question, and as many are let
 * through as fit. So all together allow at most a hundredth of the quota more for each instance, and exactly the quota
 * where a hundredth is less than one. Where the store does not answer, each counts by itself from what it last knew.
 */
export function createSharedRate(limit: RateLimit, count: Count): Pick<Rate, 'take'> {
  const { policy } = limit;
  const { name, quota, windowSeconds } = policy;
  const most = Math.floor(quota * unknownShare);
  const known = new Map<string, Known>();
  let isAwayUntil = Number.NEGATIVE_INFINITY;
  let isToSweep = false;

  const isAway = () => performance.now() < isAwayUntil;

  function learn(key: string, one: Known, { count: used, ...tally }: RateTally): void {
    limit.adopt(key, { ...tally, count: used + one.own }, performance.now());
    one.until = performance.now() + knownMs;
  }

  /**
   * Tells the store what was let through, and asks it for those who wait. They wait no longer than they have patience
   * for; what it says later is learned all the same. What it cannot be told is counted here alone.
   */
  async function ask(key: string, one: Known): Promise<void> {
    const told = one.own;
    const asking = one.waiting.splice(0);
    const giveUp = () => {
      isAwayUntil = performance.now() + knownMs;
      for (const go of [...asking.splice(0), ...one.waiting.splice(0)]) go(takeHere(key, one));
    };
    const timer = setTimeout(() => {
      one.isLate = true;
      giveUp();
    }, patienceMs);
    const counting = { windowMs: windowSeconds * 1000, add: told, wanted: asking.length, quota };
    try {
      const { granted, ...tally } = await count(`${name} ${key}`, counting);
      one.own -= told + (one.isLate ? granted : 0);
      learn(key, one, tally);
      const toCount = (index: number) => tally.count - Math.max(0, granted - 1 - index);
      asking.forEach((go, index) => {
        go(toRateState(policy, { ...tally, count: toCount(index) }, index < granted));
      });
    } catch {
      one.own -= told;
      giveUp();
    }
    clearTimeout(timer);
    one.isLate = false;
  }

  async function tell(key: string, one: Known): Promise<void> {
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
    if (isToSweep) return;
    isToSweep = true;
    setTimeout(sweep, knownMs).unref();
  }

  function sweep(): void {
    const now = performance.now();
    for (const [key, one] of known) {
      if (one.until > now || one.isAsking) continue;
      if (one.own > 0 && !isAway()) void tell(key, one);
      else known.delete(key);
    }
    isToSweep = false;
    if (known.size > 0) sweepLater();
  }

  function takeHere(key: string, one?: Known): RateState {
    const state = limit.take(key, performance.now());
    if (one && state.allowed) {
      one.own += 1;
      if (one.own * 2 >= most && !isAway()) void tell(key, one);
    }
    return state;
  }

  return {
    take(key) {
      const one = known.get(key);
      if (isAway() || one?.isLate) return takeHere(key, one);
      if (one && one.until > performance.now() && one.own < most) return takeHere(key, one);
      const asked = one ?? remember(key);
      const state = new Promise<RateState>((resolve) => asked.waiting.push(resolve));
      void tell(key, asked);
      return state;
    },
  };
}

/** The quota of a process that is alone. */
export const createOwnRate = (limit: RateLimit): Rate => ({
  take: (key) => limit.take(key, performance.now()),
  giveBack: limit.giveBack,
});
