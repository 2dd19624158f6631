import type { RateRow } from './rate-row.ts';

/** Whole millionths of a dollar. */
export const toMillionths = (dollars: number): number => Math.round(dollars * 1e6);

/** Whether a sum in dollars is a whole number of millionths that can be counted with exactly. */
export function isWhole(dollars: number): boolean {
  const millionths = toMillionths(dollars);
  return Number.isSafeInteger(millionths) && Math.abs(dollars * 1e6 - millionths) < 1e-4;
}

/** What a row says, or why it cannot be counted and what to write instead. */
type Read = { price: number; included: number } | { problem: string };

type Modifier = NonNullable<RateRow['modifiers']>[number];

/** Thrown by what reads a part of a row that cannot be counted. */
class Uncountable extends Error {}

function refuse(problem: string): never {
  throw new Uncountable(problem);
}

/** Dollars a call before any modifier: a number, or `fixed` held by its cap, its floor and its least fee. */
function toBase({ price, disclosure = 'published' }: RateRow): number {
  if (price === undefined || price === null || disclosure !== 'published')
    refuse('withholds its price. Write the price, published.');
  if (typeof price === 'number') return price;
  if ('provider' in price) refuse('costs what a provider asks. Write a number.');
  if ('discovery' in price) refuse('costs what a market finds. Write a number.');
  const {
    fixed = 0,
    percent = 0,
    cap = Number.POSITIVE_INFINITY,
    floor = 0,
    min_fee = 0,
  } = price as Compound;
  if (percent > 0) refuse('costs a percentage of a sum that no call tells. Write a number, or fixed alone.');
  return Math.max(Math.min(Math.max(fixed, floor), cap), min_fee);
}

interface Compound {
  fixed?: number;
  percent?: number;
  cap?: number;
  floor?: number;
  min_fee?: number;
}

/** Dollars a call after the modifiers of a row, in their order. */
function toModified(base: number, modifiers: readonly Modifier[] = []): number {
  const ordered = modifiers.toSorted((a, b) => (a.stacking_order ?? 0) - (b.stacking_order ?? 0));
  let price = base;
  for (const { op, value, scope = 'rate', condition } of ordered) {
    if (scope !== 'rate') refuse(`has a modifier of the whole ${scope}. Write it into each rate.`);
    if (condition !== undefined)
      refuse('has a modifier under a condition. Write one without, or the price itself.');
    price = op === 'add' ? price + value : price * value;
  }
  return Math.max(0, price);
}

/** Calls a month that are included. */
function toIncluded({ freeQuota, included = freeQuota ?? 0 }: RateRow): number {
  if (included === 'unlimited') return Number.POSITIVE_INFINITY;
  const {
    qty,
    period = 'month',
    rollover = false,
    at_limit = 'rate-applies',
  } = typeof included === 'number' ? { qty: included } : included;
  if (period !== 'month')
    refuse(`includes calls ${period === 'day' ? 'a day' : period}. Write the period "month".`);
  if (rollover) refuse('carries over what is left of its allowance. Write rollover false.');
  if (at_limit !== 'rate-applies') refuse('does not go on at its rate. Write at_limit "rate-applies".');
  return Number.isSafeInteger(qty) ? qty : refuse('includes a part of a call. Write a whole number.');
}

/** Refuses what a row is measured by where that is not its calls in a month. */
function checkMeasure({ unit, meter, derived_from, volume_breaks }: RateRow, perCall: string): void {
  const { aggregation = 'sum', basis = 'consumed', reset_period = 'month' } = meter ?? {};
  if (unit !== undefined && unit !== perCall) refuse(`counts by ${unit}. Write the unit ${perCall}.`);
  if (aggregation !== 'sum' || basis !== 'consumed' || reset_period !== 'month')
    refuse('is measured otherwise than by its calls. Write the meter sum, consumed, month, or none.');
  if (derived_from !== undefined) refuse('follows the rate of another. Write its own price.');
  if (volume_breaks) refuse('changes with volume. Write one price, without volume_breaks.');
}

/** Whether a row costs something only once there is much of it. */
const hasLaterPrice = ({ volume_breaks }: RateRow) =>
  volume_breaks?.formula_url !== undefined ||
  (volume_breaks?.breaks ?? []).some(({ price = 0 }) => price > 0);

/** What a row of the rate card costs, in millionths a call and calls a month, or why it cannot be counted. */
export function readRow(row: RateRow, perCall: string): Read {
  try {
    const price = toModified(toBase(row), row.modifiers);
    if (price === 0 && !hasLaterPrice(row)) return { price: 0, included: 0 };
    checkMeasure(row, perCall);
    if (!isWhole(price))
      refuse('costs no whole number of millionths. Write a price of at most six decimals.');
    return { price: toMillionths(price), included: toIncluded(row) };
  } catch (error) {
    if (error instanceof Uncountable) return { problem: error.message };
    throw error;
  }
}
