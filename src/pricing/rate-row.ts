import * as v from 'valibot';
import { toRuleAt } from '../kernel/json-schema.ts';
import {
  Address,
  Amount,
  Flag,
  PositiveAmount,
  Price,
  toChoice,
  toForms,
  toMembers,
  Words,
} from './price.ts';
import { VolumeBreaks } from './volume-breaks.ts';

/**
 * What is included before the price counts: a quantity a month, `"unlimited"`, or an object with `qty`,
 * `period` (`month` unless said; `once` is never renewed), `rollover` (whether what is left is carried over)
 * and `at_limit` (what happens when it is used up). Refuses quantities below 0 and an object without `qty`.
 */
const Allowance = toForms(
  [
    Amount,
    v.literal('unlimited'),
    toMembers('An allowance', {
      qty: Amount,
      period: v.optional(toChoice(['day', 'month', 'once'])),
      rollover: v.optional(Flag),
      at_limit: v.optional(Words),
    }),
  ],
  'Write a quantity that is 0 or more, "unlimited", or an object with qty and period.',
);

/** How far a price is told. Absent means `published`; the other three withhold it. */
const Disclosure = toChoice(['published', 'calculator-only', 'quote-only', 'undisclosed']);
type Disclosure = v.InferOutput<typeof Disclosure>;

/** Whether the price itself is not told. */
function isWithheld(disclosure: Disclosure = 'published'): boolean {
  return disclosure !== 'published';
}

const Range = toMembers('An estimate', { low: Amount, high: Amount, provenance: Words });
type Range = v.InferOutput<typeof Range>;

/**
 * The range in which a withheld price is thought to lie, in the row's unit, and where that comes from.
 * Refuses one without all three members, and a low above its high.
 */
const Estimate = v.pipe(
  Range,
  toRuleAt<Range>(['low'], 'Write a low that is not above high.', ({ low, high }) => low <= high),
);

/**
 * How use is measured: how readings become one figure (`aggregation`), what is read (`basis`), when the
 * figure starts anew (`reset_period`) and where that is defined. Refuses one without `aggregation`.
 */
const Meter = toMembers('A meter', {
  aggregation: toChoice(['sum', 'distinct', 'high-watermark', 'gauge', 'peak']),
  basis: v.optional(toChoice(['consumed', 'provisioned', 'standing'])),
  reset_period: v.optional(Words),
  definition_url: v.optional(Address),
});

const numberRule = 'Write a number.';
const orderRule = 'Write a whole number that is 0 or more.';

/**
 * A change to a price: multiply by `value` or add it (below 0 it takes off), to this rate, the whole offer or
 * the whole card (`scope`, `rate` unless said), when `condition` holds; lower `stacking_order` goes first.
 * Refuses one without `op` or `value`.
 */
const Modifier = toMembers('A modifier', {
  op: toChoice(['multiply', 'add']),
  value: v.number(numberRule),
  scope: v.optional(toChoice(['rate', 'offer', 'card'])),
  condition: v.optional(Words),
  stacking_order: v.optional(v.pipe(v.number(orderRule), v.integer(orderRule), v.minValue(0, orderRule))),
});

const Members = toMembers('A rate', {
  operation: v.pipe(Words, v.description('An operationId; one row an operation.')),
  price: v.optional(Price),
  unit: v.optional(v.pipe(Words, v.description('What the price counts, such as `usd-per-call`.'))),
  included: v.optional(v.pipe(Allowance, v.description('What is included before the price counts.'))),
  freeQuota: v.optional(v.pipe(PositiveAmount, v.description('Shorthand for a monthly allowance.'))),
  modifiers: v.optional(v.array(Modifier, 'Write a list of modifiers.')),
  derived_from: v.optional(v.pipe(Words, v.description('The operation whose rate this one follows.'))),
  meter: v.optional(Meter),
  volume_breaks: v.optional(VolumeBreaks),
  disclosure: v.optional(v.pipe(Disclosure, v.description('`published` unless said.'))),
  estimate: v.optional(Estimate),
  note: v.optional(Words),
});
type Members = v.InferOutput<typeof Members>;

/**
 * One row of the rate card, by the Pricing Document vocabulary: what one operation costs. Refuses a null or
 * absent price unless the disclosure withholds it, an estimate unless it does, and `included` beside
 * `freeQuota`.
 */
export const RateRow = v.pipe(
  Members,
  toRuleAt<Members>(
    ['price'],
    'Write the price, or a disclosure that withholds it: "calculator-only", "quote-only" or "undisclosed".',
    ({ price, disclosure }) => (price !== undefined && price !== null) || isWithheld(disclosure),
  ),
  toRuleAt<Members>(
    ['estimate'],
    'An estimate is for a withheld price: write the price, or a disclosure other than "published".',
    ({ estimate, disclosure }) => estimate === undefined || isWithheld(disclosure),
  ),
  toRuleAt<Members>(
    ['freeQuota'],
    'Write the allowance once: keep included and leave out freeQuota.',
    ({ included, freeQuota }) => included === undefined || freeQuota === undefined,
  ),
  v.title('RateRow'),
);

export type RateRow = v.InferOutput<typeof RateRow>;
