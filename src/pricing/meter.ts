import type { Operation } from '../kernel/operation.ts';
import type { MeteredDocument } from './document.ts';
import type { RateRow } from './rate-row.ts';

export const toMillionths = (dollars: number): number => Math.round(dollars * 1e6);

/** Whether a sum in dollars is a whole number of millionths, and small enough for exact integers. */
function isWholeMillionths(dollars: number): boolean {
  const millionths = toMillionths(dollars);
  return Number.isSafeInteger(millionths) && Math.abs(dollars * 1e6 - millionths) < 1e-4;
}

/** What a call of an operation costs after the included calls are used up. */
export interface Rate {
  /** Whole millionths of a dollar per call, above 0. */
  price: number;
  /** Calls per month that cost nothing. Infinity if no call ever costs anything. */
  included: number;
}

/** Returns the included calls per month, or a text that says why they cannot be counted. */
function readIncluded({ freeQuota, included = freeQuota ?? 0 }: RateRow): number | string {
  if (included === 'unlimited') return Number.POSITIVE_INFINITY;
  const allowance = typeof included === 'number' ? { qty: included } : included;
  const { qty, period = 'month', rollover = false, at_limit = 'rate-applies' } = allowance;
  if (period !== 'month' || rollover || at_limit !== 'rate-applies')
    return 'includes more than calls a month. Write the period "month", rollover false, at_limit "rate-applies".';
  return Number.isSafeInteger(qty) ? qty : 'includes a part of a call. Write a whole number.';
}

/** Returns the rate of a row, undefined if it is free, or a text that says why it cannot be counted and the remedy. */
function readRow(row: RateRow, perCall: string): Rate | string | undefined {
  const { price, disclosure = 'published', unit = perCall, meter, derived_from } = row;
  if (price === undefined || price === null || disclosure !== 'published')
    return 'withholds its price. Write the price, published.';
  if (typeof price === 'object') return 'costs what no call says. Write a number.';
  if (row.modifiers || row.volume_breaks)
    return 'changes its price. Write one price, without modifiers and volume_breaks.';
  if (price === 0) return undefined;
  if (derived_from !== undefined) return 'follows the rate of another. Write its own price.';
  if (unit !== perCall) return `counts by ${unit}. Write the unit ${perCall}.`;
  const { aggregation = 'sum', basis = 'consumed', reset_period = 'month' } = meter ?? {};
  if (aggregation !== 'sum' || basis !== 'consumed' || reset_period !== 'month')
    return 'is measured otherwise than by its calls. Write the meter sum, consumed, month, or none.';
  if (!isWholeMillionths(price)) return 'is not in whole millionths. Write a price of at most six decimals.';
  const included = readIncluded(row);
  return typeof included === 'string' ? included : { price: toMillionths(price), included };
}

/** A rate, and whether its operation creates something. */
export interface MeteredRate extends Rate {
  isCreate: boolean;
}

/** Numbers of calls by operationId. */
export type Calls = Readonly<Record<string, number>>;

export const calculateCost = ({ price, included }: Rate, calls: number): number =>
  Math.max(0, calls - included) * price;

export function sumCosts(rates: Iterable<readonly [operation: string, rate: Rate]>, calls: Calls): number {
  let total = 0;
  for (const [operation, rate] of rates) total += calculateCost(rate, calls[operation] ?? 0);
  return total;
}

/** Returns how many calls of one operation fit in a month under a ceiling, in millionths. */
export const countCallsAtCeiling = ({ price, included }: Rate, ceiling: number): number =>
  included + Math.floor(ceiling / price);

export const fromMillionths = (millionths: number): number => millionths / 1e6;

/** Returns the calendar month of a time in UTC: `2026-11`. */
export const toPeriod = (now: number): string => new Date(now).toISOString().slice(0, 7);

const monthly = /^([a-z]{3})-per-month$/;

/** Reads the rates of a card by operation, without free ones. Returns a problem for each row that cannot be counted. */
export function readRates({ rates: rows = [], unit = '' }: Pick<MeteredDocument, 'rates' | 'unit'>) {
  const [, currency = 'usd'] = monthly.exec(unit) ?? [];
  const rates = new Map<string, Rate>();
  const problems: string[] = [];
  for (const [index, row] of rows.entries()) {
    const result = readRow(row, `${currency}-per-call`);
    if (typeof result === 'string') problems.push(`rates.${index} (${row.operation}) ${result}`);
    else if (result) rates.set(row.operation, result);
  }
  return { rates, problems };
}

/** Operations that cannot have their own price, and why. */
const uncounted: Readonly<Record<string, string>> = {
  callMcp: 'is a door: a tool call is counted as its operation. Write the price 0.',
  createBatch: 'is counted as the creates in it. Write the price 0.',
  deleteWorkspace: 'ends what it would be counted in. Write the price 0.',
};

const outside = 'takes no workspace that its calls could be counted in. Write the price 0.';

/**
 * Creates the meter of a rate card: the rate of every operation with a price above 0, and the ceiling in millionths of
 * a dollar per month. Throws if the card cannot be metered. The message names each problem and what to write.
 */
export function createMeter(pricing: MeteredDocument, operations: readonly Operation[]) {
  const { hardCeiling, unit = '', price = 0 } = pricing;
  const { rates, problems } = readRates(pricing);
  const byId = new Map(operations.map((row) => [row.operationId, row]));
  if (!monthly.test(unit)) problems.push('unit is not one of a month. Write usd-per-month.');
  if (price > 0) problems.push('price is one for everything. Write a rate for each operation.');
  if (!isWholeMillionths(hardCeiling))
    problems.push('hardCeiling is no whole number of millionths. Write fewer decimals.');
  for (const operation of rates.keys()) {
    const reason = uncounted[operation] ?? (byId.get(operation)?.access.workspace ? undefined : outside);
    if (reason) problems.push(`rates (${operation}) ${reason}`);
  }
  if (problems.length > 0) throw new Error(`The rate card cannot be metered:\n  ${problems.join('\n  ')}`);
  const metered = [...rates].map(([operation, rate]) => {
    return [operation, { ...rate, isCreate: byId.get(operation)!.effect === 'create' }] as const;
  });
  return { rates: new Map<string, MeteredRate>(metered), hardCeiling: toMillionths(hardCeiling), unit };
}

/** The rates of all operations with a price, and the ceiling. */
export type Meter = ReturnType<typeof createMeter>;
