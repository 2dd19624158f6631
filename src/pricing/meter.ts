import type { Operation } from '../kernel/operation.ts';
import type { MeteredDocument } from './document.ts';
import type { RateRow } from './rate-row.ts';

export const toMillionths = (dollars: number): number => Math.round(dollars * 1e6);

/** Whether a sum in dollars is a whole number of millionths that can be counted with exactly. */
function isWholeMillionths(dollars: number): boolean {
  const millionths = toMillionths(dollars);
  return Number.isSafeInteger(millionths) && Math.abs(dollars * 1e6 - millionths) < 1e-4;
}

/** What a call of an operation costs once those included are used up. */
export interface Rate {
  /** Whole millionths of a dollar a call, above 0. */
  price: number;
  /** Calls a month that cost nothing; Infinity where none ever does. */
  included: number;
}

/** Calls a month that are included, or why what is included cannot be counted. */
function readIncluded({ freeQuota, included = freeQuota ?? 0 }: RateRow): number | string {
  if (included === 'unlimited') return Number.POSITIVE_INFINITY;
  const allowance = typeof included === 'number' ? { qty: included } : included;
  const { qty, period = 'month', rollover = false, at_limit = 'rate-applies' } = allowance;
  if (period !== 'month' || rollover || at_limit !== 'rate-applies')
    return 'includes more than calls a month. Write the period "month", rollover false, at_limit "rate-applies".';
  return Number.isSafeInteger(qty) ? qty : 'includes a part of a call. Write a whole number.';
}

/** What a row costs a call, undefined where that is nothing, or why it cannot be counted and what to write instead. */
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

/** A rate of the card, and whether its operation makes something. */
export interface MeteredRate extends Rate {
  isCreate: boolean;
}

/** Calls by the name of their operation. */
export type Calls = Readonly<Record<string, number>>;

export const calculateCost = ({ price, included }: Rate, calls: number): number =>
  Math.max(0, calls - included) * price;

export function sumCosts(rates: Iterable<readonly [operation: string, rate: Rate]>, calls: Calls): number {
  let total = 0;
  for (const [operation, rate] of rates) total += calculateCost(rate, calls[operation] ?? 0);
  return total;
}

/** Calls a month of one operation alone that just fit under a ceiling in millionths. */
export const countCallsAtCeiling = ({ price, included }: Rate, ceiling: number): number =>
  included + Math.floor(ceiling / price);

export const fromMillionths = (millionths: number): number => millionths / 1e6;

/** The month that a time is in, as it is counted by: `2026-11`, UTC. */
export const toPeriod = (now: number): string => new Date(now).toISOString().slice(0, 7);

const monthly = /^([a-z]{3})-per-month$/;

/** The rates of a card by operation, those that cost nothing left out, and what of it cannot be counted. */
export function readRates({ rates: rows = [], unit = '' }: Pick<MeteredDocument, 'rates' | 'unit'>) {
  const [, currency = 'usd'] = monthly.exec(unit) ?? [];
  const rates = new Map<string, Rate>();
  const problems: string[] = [];
  for (const [index, row] of rows.entries()) {
    const read = readRow(row, `${currency}-per-call`);
    if (typeof read === 'string') problems.push(`rates.${index} (${row.operation}) ${read}`);
    else if (read) rates.set(row.operation, read);
  }
  return { rates, problems };
}

/** Operations that cannot have a price of their own, and why. */
const uncounted: Readonly<Record<string, string>> = {
  callMcp: 'is a door: a tool call is counted as its operation. Write the price 0.',
  createBatch: 'is counted as the creates in it. Write the price 0.',
  deleteWorkspace: 'ends what it would be counted in. Write the price 0.',
};

const outside = 'takes no workspace that its calls could be counted in. Write the price 0.';

/**
 * The meter of a rate card: every operation that has a price above 0, and the ceiling in millionths of a dollar a month.
 * Throws for a card that cannot be counted, and names each such row and what to write.
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
    const why = uncounted[operation] ?? (byId.get(operation)?.access.workspace ? undefined : outside);
    if (why) problems.push(`rates (${operation}) ${why}`);
  }
  if (problems.length > 0) throw new Error(`The rate card cannot be metered:\n  ${problems.join('\n  ')}`);
  const metered = [...rates].map(([operation, rate]) => {
    return [operation, { ...rate, isCreate: byId.get(operation)!.effect === 'create' }] as const;
  });
  return { rates: new Map<string, MeteredRate>(metered), hardCeiling: toMillionths(hardCeiling), unit };
}

declare module '../kernel/service.ts' {
  interface Service {
    meter: ReturnType<typeof createMeter>;
  }
  interface WorkspaceSettings {
    /** `on` holds the ceiling; `count` counts and never refuses. */
    meter: 'on' | 'count';
  }
}
