import * as v from 'valibot';
import { Amount } from './amount.ts';
import { toMembers } from './members.ts';
import { toRuleAt } from './rule.ts';
import { toChoice, Words } from './words.ts';

/** How far a price is told. Absent means `published`; the other three withhold it. */
export const Disclosure = toChoice(['published', 'calculator-only', 'quote-only', 'undisclosed']);
export type Disclosure = v.InferOutput<typeof Disclosure>;

/** Whether the price itself is not told. */
export function isWithheld(disclosure: Disclosure = 'published'): boolean {
  return disclosure !== 'published';
}

const Range = toMembers('An estimate', { low: Amount, high: Amount, provenance: Words });
type Range = v.InferOutput<typeof Range>;

/**
 * The range in which a withheld price is thought to lie, in the row's unit, and where that comes from.
 * Refuses one without all three members, and a low above its high.
 */
export const Estimate = v.pipe(
  Range,
  toRuleAt<Range>(['low'], 'Write a low that is not above high.', ({ low, high }) => low <= high),
);

export type Estimate = v.InferOutput<typeof Estimate>;
