/** A row of the rate card, as far as it can be counted. */
export interface CountedRate {
  operation: string;
  /** US dollars a call. */
  price: number;
  /** Calls a month before the price counts; Infinity where they are unlimited. */
  included: number;
}

/** What a row of a Pricing Document says, before it is known to be countable. */
export interface RateLike {
  operation: string;
  price?: unknown;
  included?: unknown;
  freeQuota?: number;
}

/** Calls a month that are included. A daily or single allowance is not counted: the cost is then too high, never too low. */
function toIncluded({ included, freeQuota }: RateLike): number {
  if (included === 'unlimited') return Number.POSITIVE_INFINITY;
  if (typeof included === 'number') return included;
  const { qty = 0, period = 'month' } = (included ?? {}) as { qty?: number; period?: string };
  return (period === 'month' ? qty : 0) + (freeQuota ?? 0);
}

/** The rows whose price is a plain number. The others cannot be worked out from a number of calls. */
export function toCountedRates(rates: readonly RateLike[]): CountedRate[] {
  return rates.flatMap((row) =>
    typeof row.price === 'number'
      ? [{ operation: row.operation, price: row.price, included: toIncluded(row) }]
      : [],
  );
}

const toMillionths = (value: number) => Math.round(value * 1e6) / 1e6;

/** US dollars that a number of calls a month costs under one row. */
export function toCost({ price, included }: CountedRate, calls: number): number {
  return toMillionths(Math.max(0, calls - included) * price);
}

/** The sum over all rows, and what part of the ceiling it is. Nothing is metered past the ceiling. */
export function toMonth(costs: readonly number[], hardCeiling: number) {
  const sum = toMillionths(costs.reduce((total, cost) => total + cost, 0));
  return { sum, metered: Math.min(sum, hardCeiling), share: Math.min(1, sum / hardCeiling), over: sum > hardCeiling };
}

/** Calls a month of one operation alone that just fit under the ceiling. */
export function toCallsAtCeiling({ price, included }: CountedRate, hardCeiling: number): number {
  return price === 0 ? Number.POSITIVE_INFINITY : included + Math.floor(toMillionths(hardCeiling / price));
}
