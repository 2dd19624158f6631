import type { RateTally } from '../kernel/rate-limit.ts';

/** What to add to what a caller used. */
export interface Counting {
  windowMs: number;
  add: number;
  /** Where it is given, nothing is added that does not fit in it. */
  quota?: number;
}

export type Counted = RateTally & { isAdded: boolean };

/**
 * Adds to what a caller used of a quota, by a name; it is counted as `createRateLimit` does, for all instances as one,
 * and by the clock of the store. It need not be durable, and only a store of several instances has it.
 */
export type Count = (name: string, counting: Counting) => Promise<Counted>;
