import * as v from 'valibot';
import { mayNamed, textSchema } from '../../kernel/text.ts';

/** The most US dollars of one amount. It allows a year's pay that is sent as a rate: that gets advice. */
const mostDollars = 10_000_000;
const tooMuch = `must be at most ${mostDollars}`;

export const note = v.optional(textSchema(2000, 'Note', 'Your own note.', 'many'));

/* @__NO_SIDE_EFFECTS__ */
export const rateSchema = (title: string, what: string) =>
  mayNamed(
    v.pipe(v.number('must be a number'), v.gtValue(0, 'must be above 0'), v.maxValue(mostDollars, tooMuch)),
    title,
    `US dollars an hour ${what}.`,
  );

/* @__NO_SIDE_EFFECTS__ */
export const salarySchema = (title: string, what: string) =>
  mayNamed(
    v.pipe(v.number('must be a number'), v.gtValue(0, 'must be above 0'), v.maxValue(mostDollars, tooMuch)),
    title,
    `US dollars a year ${what}.`,
  );
