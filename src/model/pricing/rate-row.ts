import * as v from 'valibot';
import { Allowance } from './allowance.ts';
import { PositiveAmount } from './amount.ts';
import { Disclosure, Estimate, isWithheld } from './disclosure.ts';
import { toMembers } from './members.ts';
import { Meter } from './meter.ts';
import { Modifier } from './modifier.ts';
import { Price } from './price.ts';
import { toRuleAt } from './rule.ts';
import { VolumeBreaks } from './volume-breaks.ts';
import { Words } from './words.ts';

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
