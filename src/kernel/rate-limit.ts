/** How many of one kind of request one caller may make in a window. */
interface RatePolicy {
  /** Name in the RateLimit fields; a Structured Fields string without quotes in it. */
  name: string;
  quota: number;
  windowSeconds: number;
}

/** Where one caller stands after asking for one more. */
interface RateState {
  allowed: boolean;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Seconds until there is more quota than now, at least 1; after a refusal, until one more is allowed. */
  seconds: number;
}

/** Counts the requests of many callers against one policy. */
export interface RateLimit {
  policy: RatePolicy;
  /** Asks for one more at `now`, in milliseconds on any clock that never goes back. A refusal costs nothing. */
  take(key: string, now: number): RateState;
  /** Takes back one that was allowed, because it came to nothing. */
  giveBack(key: string): void;
  /** How many callers are remembered. */
  size(): number;
}

/** 1, less what rounding may have taken from a wait that was told. */
const almostOne = 1 - 1e-9;

interface Tally {
  start: number;
  count: number;
  /** The count of the window before, which weighs less the further this window is. */
  before: number;
}

/**
 * A sliding window of two counters for each caller, which opens with the caller's first request: the last
 * window counts in part, by how much of it is less than a window ago. At most `capacity` callers are
 * remembered; beyond it those whose window opened first are forgotten, so that a flood of addresses costs
 * bounded memory and shuts nobody out.
 */
export function createRateLimit(policy: RatePolicy, capacity = 100_000): RateLimit {
  const window = policy.windowSeconds * 1000;
  const { quota } = policy;
  /** In the order in which windows opened. */
  const tallies = new Map<string, Tally>();

  function open(key: string, start: number, before: number): Tally {
    tallies.delete(key);
    const tally = { start, count: 0, before };
    tallies.set(key, tally);
    return tally;
  }

  function forget(now: number): void {
    for (const [key, { start }] of tallies) {
      if (tallies.size <= capacity && now - start < 2 * window) return;
      tallies.delete(key);
    }
  }

  function current(key: string, now: number): Tally {
    const tally = tallies.get(key);
    const age = tally ? now - tally.start : Number.POSITIVE_INFINITY;
    if (tally && age < window) return tally;
    const fresh =
      tally && age < 2 * window ? open(key, tally.start + window, tally.count) : open(key, now, 0);
    forget(now);
    return fresh;
  }

  /** Milliseconds from the start of the window until the last one weighs at most `weight`. */
  const decay = (before: number, weight: number) => window * (1 - Math.max(weight, 0) / before);

  return {
    policy,
    take(key, now) {
      const tally = current(key, now);
      const age = now - tally.start;
      const left = quota - tally.count - tally.before * (1 - age / window);
      if (left > almostOne) {
        tally.count += 1;
        const wait = tally.before > 0 ? 1000 : window - age;
        return {
          allowed: true,
          remaining: Math.max(0, Math.floor(left - 1)),
          seconds: Math.max(1, Math.ceil(wait / 1000)),
        };
      }
      const wait =
        tally.count >= quota
          ? window + decay(tally.count, quota - 1) - age
          : decay(tally.before, quota - 1 - tally.count) - age;
      return { allowed: false, remaining: 0, seconds: Math.max(1, Math.ceil(wait / 1000)) };
    },
    giveBack(key) {
      const tally = tallies.get(key);
      if (tally && tally.count > 0) tally.count -= 1;
    },
    size: () => tallies.size,
  };
}

/** The fields that tell a caller about a policy (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
export function toRateHeaders({ name, quota, windowSeconds }: RatePolicy, state: RateState) {
  return {
    'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${state.remaining};t=${state.seconds}`,
  };
}
