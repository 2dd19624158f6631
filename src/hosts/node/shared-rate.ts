import { type RateLimit, type RateState, type RateTally, toRateState } from '../../kernel/rate-limit.ts';
import type { Count, Counted } from '../../records/counting.ts';

/** Milliseconds for which what others used is taken as known, and for which a store that failed is left alone. */
const knownMs = 1000;
/** Milliseconds that a caller waits for the store at most. */
const patienceMs = 200;
/** What one instance lets through before the others know of it, of a quota. */
const unknownShare = 0.01;

/** What is known of a caller here. */
interface Known {
  /** Let through here, and not told to the store yet. */
  own: number;
  until: number;
  telling?: Promise<void> | undefined;
}

/** Counts against one quota. */
export interface Rate {
  take(key: string): RateState | Promise<RateState>;
  /** Takes back one that was allowed, because it came to nothing. */
  giveBack(key: string): void;
}

const withinPatience = <T>(promise: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the store does not answer in time')), patienceMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * One quota for all instances. A caller of whom nothing newer than a second is known here is counted in the store
 * before it is answered; after that each instance counts by itself, tells the store as it goes, and waits for it only
 * where that much was let through untold. So all together allow at most a hundredth of the quota more for each
 * instance, and exactly the quota where a hundredth is less than one. Where the store does not answer, each counts by
 * itself from what it last knew.
 */
export function createSharedRate(limit: RateLimit, count: Count): Pick<Rate, 'take'> {
  const { name, quota, windowSeconds } = limit.policy;
  const most = Math.floor(quota * unknownShare);
  const known = new Map<string, Known>();
  let isAwayUntil = Number.NEGATIVE_INFINITY;
  let isToSweep = false;

  async function ask(key: string, add: number, fits?: number): Promise<Counted> {
    const counting = { windowMs: windowSeconds * 1000, add, ...(fits !== undefined && { quota: fits }) };
    try {
      return await withinPatience(count(`${name} ${key}`, counting));
    } catch (error) {
      isAwayUntil = performance.now() + knownMs;
      throw error;
    }
  }

  function learn(key: string, tally: RateTally): Known {
    const one = known.get(key) ?? { own: 0, until: 0 };
    limit.adopt(key, { ...tally, count: tally.count + one.own }, performance.now());
    one.until = performance.now() + knownMs;
    known.set(key, one);
    sweepLater();
    return one;
  }

  /** Tells the store what was let through; what it cannot be told is counted here alone. */
  function tell(key: string, one: Known): Promise<void> {
    one.telling ??= (async () => {
      const told = one.own;
      try {
        const tally = await ask(key, told);
        one.own -= told;
        learn(key, tally);
      } catch {
        one.own = 0;
      }
      one.telling = undefined;
    })();
    return one.telling;
  }

  function sweepLater(): void {
    if (isToSweep) return;
    isToSweep = true;
    setTimeout(sweep, knownMs).unref();
  }

  function sweep(): void {
    const now = performance.now();
    for (const [key, one] of known) {
      if (one.until > now || one.telling) continue;
      known.delete(key);
      if (one.own > 0) void ask(key, one.own).catch(() => {});
    }
    isToSweep = false;
    if (known.size > 0) sweepLater();
  }

  function takeHere(key: string, one?: Known): RateState {
    const state = limit.take(key, performance.now());
    if (one && state.allowed) {
      one.own += 1;
      if (one.own * 2 >= most) void tell(key, one);
    }
    return state;
  }

  async function takeThere(key: string): Promise<RateState> {
    try {
      const counted = await ask(key, 1, quota);
      if (most > 0) learn(key, counted);
      else limit.adopt(key, counted, performance.now());
      return toRateState(limit.policy, counted, counted.isAdded);
    } catch {
      return takeHere(key);
    }
  }

  return {
    take(key) {
      if (performance.now() < isAwayUntil) return takeHere(key);
      const one = known.get(key);
      if (!one || one.until <= performance.now()) return takeThere(key);
      return one.own < most ? takeHere(key, one) : tell(key, one).then(() => takeHere(key, one));
    },
  };
}

/** The quota of a process that is alone. */
export const createOwnRate = (limit: RateLimit): Rate => ({
  take: (key) => limit.take(key, performance.now()),
  giveBack: limit.giveBack,
});
