/** Sums are in whole millionths of a dollar, so that they are exact. */

/** Numbers of calls by operationId. */
export type Calls = Readonly<Record<string, number>>;

/** What a call of an operation costs after the included calls are used up. */
export interface Rate {
  /** Whole millionths of a dollar per call, above 0. */
  price: number;
  /** Calls per month that cost nothing. Infinity if no call ever costs anything. */
  included: number;
}

export const toMillionths = (dollars: number): number => Math.round(dollars * 1e6);

export const fromMillionths = (millionths: number): number => millionths / 1e6;

export const calculateCost = ({ price, included }: Rate, calls: number): number =>
  Math.max(0, calls - included) * price;

export function sumCosts(rates: Iterable<readonly [operation: string, rate: Rate]>, calls: Calls): number {
  let total = 0;
  for (const [operation, rate] of rates) total += calculateCost(rate, calls[operation] ?? 0);
  return total;
}
