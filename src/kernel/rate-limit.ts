import { type ClientKey, countShares, listClientKeys } from './client-keys.ts';

/** How many requests of one kind one caller may make in a window. */
interface RatePolicy {
  /** The name in the RateLimit fields: the text of a Structured Fields string, without quotes in it. */
  name: string;
  quota: number;
  windowSeconds: number;
}

/** What is left of a caller's quota after a request. */
export interface RateState {
  allowed: boolean;
  /** The quota of the network that the caller shares with others, if that is the tightest limit. */
  quota?: number;
  /** How many requests would be allowed now. */
  remaining: number;
  /** Seconds until there is more quota than now, at least 1. After a refusal: until one more is allowed. */
  seconds: number;
}

/** What one caller has used of its quota. */
export interface RateTally {
  /** Milliseconds since the window opened. */
  age: number;
  count: number;
  /** The count of the window before. It weighs less the older this window is. */
  before: number;
}

/** 1, less the rounding error of a wait that a caller was sent. */
const almostOne = 1 - 1e-9;

type Tally = Omit<RateTally, 'age'> & { start: number };

const countLeft = ({ quota, windowSeconds }: RatePolicy, { age, count, before }: RateTally) =>
  quota - count - before * (1 - age / (windowSeconds * 1000));

/** Computes the state after a request. An allowed request is already counted in the tally. */
function computeRateState(policy: RatePolicy, tally: RateTally, allowed: boolean): RateState {
  const { quota } = policy;
  const window = policy.windowSeconds * 1000;
  const { age, count, before } = tally;
  /** Milliseconds from the start of a window until the count before it, `full`, weighs at most `weight`. */
  const decay = (full: number, weight: number) => window * (1 - Math.max(weight, 0) / full);
  const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
  if (allowed) {
    const remaining = Math.max(0, Math.floor(countLeft(policy, tally)));
    return { allowed, remaining, seconds: toSeconds(before > 0 ? 1000 : window - age) };
  }
  const wait =
    count >= quota ? window + decay(count, quota - 1) - age : decay(before, quota - 1 - count) - age;
  return { allowed, remaining: 0, seconds: toSeconds(wait) };
}

/** The state that limits a caller with several keys: the longest refusal, or the least that is left. */
export function pickBindingState(states: readonly RateState[]): RateState {
  const refused = states.filter(({ allowed }) => !allowed);
  if (refused.length > 0) return refused.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  return states.reduce((a, b) => (b.remaining < a.remaining ? b : a));
}

/** The quota of all clients together that count under a key. */
export const computeKeyQuota = ({ quota }: RatePolicy, { shares }: ClientKey): number => quota * shares;

/** The state of a caller by what is counted under one of its keys. */
export function computeKeyState(
  policy: RatePolicy,
  key: ClientKey,
  tally: RateTally,
  allowed: boolean,
): RateState {
  const quota = computeKeyQuota(policy, key);
  const state = computeRateState({ ...policy, quota }, tally, allowed);
  return key.shares === 1 ? state : { ...state, quota };
}

/**
 * A rate limit: a sliding window of two counters for each key of a caller. A window opens with the first
 * request. The last window counts by the share of it that is less than a window ago.
 *
 * Beyond `capacity` keys it drops those whose window opened first. So a flood of addresses costs bounded memory and
 * locks out no caller.
 */
export class RateLimit {
  readonly policy: RatePolicy;
  readonly #capacity: number;
  readonly #window: number;
  /** In the order in which their windows opened. */
  readonly #tallies = new Map<string, Tally>();

  constructor(policy: RatePolicy, capacity = 100_000) {
    this.policy = policy;
    this.#capacity = capacity;
    this.#window = policy.windowSeconds * 1000;
  }

  /**
   * Takes `weight` requests at `now`, in milliseconds on a clock that never goes back. They are allowed if every key
   * of the client has any quota left. A refusal costs nothing.
   */
  take(client: string, now: number, weight = 1): RateState {
    const { policy } = this;
    const counted = listClientKeys(client).map((key) => {
      const tally = this.#current(key.key, now);
      const aged = { ...tally, age: now - tally.start };
      const hasRoom = countLeft({ ...policy, quota: computeKeyQuota(policy, key) }, aged) > almostOne;
      return { key, tally, hasRoom };
    });
    const allowed = counted.every(({ hasRoom }) => hasRoom);
    if (allowed) for (const { tally } of counted) tally.count += weight;
    return pickBindingState(
      counted.map(({ key, tally, hasRoom }) =>
        computeKeyState(policy, key, { ...tally, age: now - tally.start }, hasRoom),
      ),
    );
  }

  /** Counts `weight` more requests for a client, whatever its quota. */
  add(client: string, now: number, weight: number): void {
    for (const { key } of listClientKeys(client)) this.#current(key, now).count += weight;
  }

  /** Takes over the tally of a key from another counter. */
  adopt({ key }: ClientKey, { age, count, before }: RateTally, now: number): void {
    this.#open(key, now - age, before).count = count;
    this.#forget(now);
  }

  /** Takes back allowed requests that had no effect. */
  giveBack(client: string, count = 1): void {
    for (const { key } of listClientKeys(client)) {
      const tally = this.#tallies.get(key);
      if (tally) tally.count = Math.max(0, tally.count - count);
    }
  }

  /** Lists the keys that have used at least `share` of their quota at `now`, the fullest first. */
  listNearEnd(now: number, share: number): { key: string; used: number; quota: number }[] {
    const uses = [...this.#tallies].map(([key, { start, count, before }]) => {
      const quota = this.policy.quota * countShares(key);
      const age = now - start;
      // A window that is over has become the one before, and then counts no more.
      const [current, earlier] =
        age < this.#window ? [count, before] : [0, age < 2 * this.#window ? count : 0];
      const aged = { age: age % this.#window, count: current, before: earlier };
      return { key, used: Math.ceil(quota - countLeft({ ...this.policy, quota }, aged)), quota };
    });
    return uses
      .filter(({ used, quota }) => used >= quota * share)
      .sort((one, other) => other.used / other.quota - one.used / one.quota);
  }

  size(): number {
    return this.#tallies.size;
  }

  #open(key: string, start: number, before: number): Tally {
    this.#tallies.delete(key);
    const tally = { start, count: 0, before };
    this.#tallies.set(key, tally);
    return tally;
  }

  #forget(now: number): void {
    for (const [key, { start }] of this.#tallies) {
      if (this.#tallies.size <= this.#capacity && now - start < 2 * this.#window) return;
      this.#tallies.delete(key);
    }
  }

  #current(key: string, now: number): Tally {
    const tally = this.#tallies.get(key);
    const age = tally ? now - tally.start : Number.POSITIVE_INFINITY;
    if (tally && age < this.#window) return tally;
    const fresh =
      tally && age < 2 * this.#window
        ? this.#open(key, tally.start + this.#window, tally.count)
        : this.#open(key, now, 0);
    this.#forget(now);
    return fresh;
  }
}

/** The fields that tell a caller about a policy (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
export function formatRateHeaders({ name, quota, windowSeconds }: RatePolicy, state: RateState) {
  return {
    'RateLimit-Policy': `"${name}";q=${state.quota ?? quota};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${state.remaining};t=${state.seconds}`,
  };
}
