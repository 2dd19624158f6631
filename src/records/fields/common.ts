import * as v from 'valibot';
import { mayNamed, textSchema } from '../../kernel/text.ts';

export const note = v.optional(textSchema(2000, 'Note', 'Your own note, up to 2,000 characters.', 'many'));

/* @__NO_SIDE_EFFECTS__ */
export const rateSchema = (title: string, what: string) =>
  mayNamed(
    v.pipe(
      v.number('must be a number'),
      v.gtValue(0, 'must be above 0'),
      v.maxValue(10_000, 'must be at most 10000'),
    ),
    title,
    `US dollars an hour ${what}, above 0, at most 10,000.`,
  );

/* @__NO_SIDE_EFFECTS__ */
export const salarySchema = (title: string, what: string) =>
  mayNamed(
    v.pipe(
      v.number('must be a number'),
      v.gtValue(0, 'must be above 0'),
      v.maxValue(10_000_000, 'must be at most 10000000'),
    ),
    title,
    `US dollars a year ${what}, at most 10,000,000.`,
  );
