import { type Rate, toMillionths } from '../kernel/cost.ts';
import type { Operation } from '../kernel/operation.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { MeteredDocument } from './document.ts';
import type { RateRow } from './rate-row.ts';

/** Whether a sum in dollars is a whole number of millionths, and small enough for exact integers. */
function isWholeMillionths(dollars: number): boolean {
  const millionths = toMillionths(dollars);
  return Number.isSafeInteger(millionths) && Math.abs(dollars * 1e6 - millionths) < 1e-4;
}

/** What the meter knows of a row's `included`: calls a month, and each call beyond them at the rate. */
const countedAllowance = { period: 'month', rollover: false, at_limit: 'rate-applies' } as const;
/** What it knows of a row's `meter`: the calls of a month, added up. */
const countedMeter = { aggregation: 'sum', basis: 'consumed', reset_period: 'month' } as const;

/** Names the members of an object that differ from those that the meter knows: `meter.aggregation "peak"`. */
function nameDifferences(name: string, object: object, known: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(object)
    .filter(([member, value]) => Object.hasOwn(known, member) && value !== known[member])
    .map(([member, value]) => `${name}.${member} ${JSON.stringify(value)}`);
}

/** Returns why what a row includes cannot be counted, and what to write instead. */
function listAllowanceProblems({ freeQuota, included = freeQuota ?? 0 }: RateRow): string[] {
  if (included === 'unlimited') return [];
  const allowance = typeof included === 'number' ? { qty: included } : included;
  const others = nameDifferences('included', allowance, countedAllowance);
  const problems = [];
  if (others.length > 0)
    problems.push(
      `includes more than calls a month (${others.join(', ')}). Write the period "month", rollover false, at_limit "rate-applies".`,
    );
  if (!Number.isSafeInteger(allowance.qty)) problems.push('includes a part of a call. Write a whole number.');
  return problems;
}

/** Members of a row that the meter reads, and a note, which changes no amount. The vocabulary has more. */
const knownMembers: ReadonlySet<string> = new Set<keyof RateRow>([
  'operation',
  'price',
  'unit',
  'included',
  'freeQuota',
  'meter',
  'disclosure',
  'note',
]);

/** Returns why a price cannot be counted, and what to write instead. */
function listPriceProblems({ price = null, disclosure = 'published' }: RateRow): string[] {
  if (price === null || disclosure !== 'published')
    return [`withholds its price (disclosure "${disclosure}"). Write the price, published.`];
  if (typeof price === 'object')
    return [`has a price that no call says (${Object.keys(price).join(', ')}). Write a number.`];
  return isWholeMillionths(price)
    ? []
    : ['is not in whole millionths. Write a price of at most six decimals.'];
}

/**
 * Returns everything in a row that cannot be counted, by its words in the vocabulary, and what to write instead. A row
 * at price 0 may have any unit, meter and allowance, because it is not counted.
 */
function listRowProblems(row: RateRow, perCall: string): string[] {
  const { price, unit = perCall, meter = {} } = row;
  const problems = listPriceProblems(row);
  const unknown = Object.keys(row).filter((member) => !knownMembers.has(member));
  if (unknown.length > 0)
    problems.push(`has what is not metered (${unknown.join(', ')}). Write one price, without it.`);
  if (price === 0) return problems;

  if (unit !== perCall) problems.push(`counts by ${unit} (unit). Write the unit ${perCall}.`);
  const others = nameDifferences('meter', meter, countedMeter);
  if (others.length > 0)
    problems.push(
      `is measured otherwise than by its calls (${others.join(', ')}). Write the meter sum, consumed, month, or none.`,
    );
  return [...problems, ...listAllowanceProblems(row)];
}

/** The rate of a row that has no problem; undefined if it costs nothing. */
function readRate({ price, freeQuota, included = freeQuota ?? 0 }: RateRow): Rate | undefined {
  if (typeof price !== 'number' || price === 0) return undefined;
  const qty = typeof included === 'object' ? included.qty : included;
  return { price: toMillionths(price), included: qty === 'unlimited' ? Number.POSITIVE_INFINITY : qty };
}

/** A rate, and whether its operation creates something. */
export interface MeteredRate extends Rate {
  isCreate: boolean;
}

/** Returns how many calls of one operation fit in a month under a ceiling, in millionths. */
export const countCallsAtCeiling = ({ price, included }: Rate, ceiling: number): number =>
  included + Math.floor(ceiling / price);

/** Returns the calendar month of a time in UTC: `2026-11`. */
export const toPeriod = (now: number): string => toIsoDate(now).slice(0, 7);

const monthly = /^([a-z]{3})-per-month$/;

/** Reads the rates of a card by operation, without free ones. Returns a problem for each row that cannot be counted. */
export function readRates({ rates: rows = [], unit = '' }: Pick<MeteredDocument, 'rates' | 'unit'>) {
  const [, currency = 'usd'] = monthly.exec(unit) ?? [];
  const rates = new Map<string, Rate>();
  const problems: string[] = [];
  for (const [index, row] of rows.entries()) {
    const rowProblems = listRowProblems(row, `${currency}-per-call`);
    problems.push(...rowProblems.map((problem) => `rates.${index} (${row.operation}) ${problem}`));
    const rate = rowProblems.length === 0 ? readRate(row) : undefined;
    if (rate) rates.set(row.operation, rate);
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
