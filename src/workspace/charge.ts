import { type Calls, type Rate, sumCosts } from '../kernel/cost.ts';

/** Calls that were charged in a month, by operation. */
export interface MonthlyCalls {
  /** The month in UTC, as `2026-11`; empty if nothing was ever charged. */
  period: string;
  calls: Calls;
  /** Counts that a new month does not reset, by name. */
  totals?: Readonly<Record<string, number>>;
}

export const noCalls: MonthlyCalls = { period: '', calls: {} };

/** Calls to charge. Without calls it only checks the limit. A charge for an earlier month counts in the latest one. */
export interface Charge extends MonthlyCalls {
  /** What the calls of the month may cost, in millionths of a dollar. If absent, they are only counted. */
  limit?: {
    /** An operation that is not listed costs nothing. */
    rates: Readonly<Record<string, Rate>>;
    authorised: number;
    /** The limit holds only at this revision of the workspace. If absent, at any. */
    revision?: number;
  };
}

function addCounts(before: Calls, added: Calls): Calls {
  const sums: Record<string, number> = { ...before };
  for (const [name, count] of Object.entries(added)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/**
 * Adds a charge to what a workspace used. Returns undefined, and charges nothing, if the sum is more than is authorised
 * or if the limit is for another revision.
 */
export function addCharge(
  { revision, used }: { revision: number; used: MonthlyCalls },
  { period, calls: added, totals: addedTotals, limit }: Charge,
): MonthlyCalls | undefined {
  if (limit?.revision !== undefined && limit.revision !== revision) return undefined;
  const before = used.period < period ? {} : used.calls;
  const calls = addCounts(before, added);
  if (limit) {
    const rates = Object.entries(limit.rates);
    const total = sumCosts(rates, calls);
    const isMore = Object.keys(added).length === 0 || total > sumCosts(rates, before);
    if (isMore && total > limit.authorised) return undefined;
  }
  const totals = addedTotals ? addCounts(used.totals ?? {}, addedTotals) : used.totals;
  return { period: used.period < period ? period : used.period, calls, ...(totals && { totals }) };
}

/** Adds charges one after another. Returns what is used then, and what `addCharge` returned for each. */
export function addCharges(
  { revision, used: before }: { revision: number; used: MonthlyCalls },
  charges: readonly Charge[],
): { used: MonthlyCalls; sums: (MonthlyCalls | undefined)[] } {
  let used = before;
  const sums = charges.map((charge) => {
    const sum = addCharge({ revision, used }, charge);
    used = sum ?? used;
    return sum;
  });
  return { used, sums };
}
