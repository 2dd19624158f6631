import type { RateTally } from '../kernel/rate-limit.ts';

/** What to add to what a caller used. */
interface Counting {
  windowMs: number;
  /** What was let through already, or is given back where it is negative: added whatever the quota. */
  add: number;
  /** How many more are asked for: added after that, as many as fit in the quota. */
  wanted: number;
  quota: number;
}

/** What a caller has used, and how many of those wanted are in it. */
type Counted = RateTally & { granted: number };

/**
 * Adds to what a caller used of a quota, by a name; it is counted as `createRateLimit` does, for all instances as one,
 * and by the clock of the store. It need not be durable, and only a store of several instances has it.
 */
export type Count = (name: string, counting: Counting) => Promise<Counted>;
