import * as v from 'valibot';
import { mayNamed, textSchema } from '../../../kernel/text.ts';
import type { Member } from '../member.ts';

/** The most US dollars of one amount. It allows a year's pay that is sent as a rate: that gets advice. */
const mostDollars = 10_000_000;
const tooMuch = `must be at most ${mostDollars}`;

export const note = {
  schema: v.optional(textSchema(2000, 'Note', 'Your own note.', 'many')),
  isCore: false,
  isPrivate: true,
} satisfies Member;

const dollars = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});

/** Formats `85000.5` as `$85,000.50`, and `85000` as `$85,000`. Rounds to cents. */
export const formatUsd = (amount: number): string => `$${dollars.format(amount)}`;

/* @__NO_SIDE_EFFECTS__ */
const amountSchema = (title: string, description: string) =>
  mayNamed(
    v.pipe(v.number('must be a number'), v.gtValue(0, 'must be above 0'), v.maxValue(mostDollars, tooMuch)),
    title,
    description,
  );

/* @__NO_SIDE_EFFECTS__ */
export const rateSchema = (title: string, what: string) => amountSchema(title, `US dollars an hour ${what}.`);

/* @__NO_SIDE_EFFECTS__ */
export const salarySchema = (title: string, what: string) =>
  amountSchema(title, `US dollars a year ${what}.`);
