import * as v from 'valibot';
import { mayNamed, textSchema } from '../../kernel/text.ts';

export const note = v.optional(textSchema(2000, 'Note', 'Your own note.', 'many'));

/* @__NO_SIDE_EFFECTS__ */
export const rateSchema = (title: string, what: string) =>
  mayNamed(
    v.pipe(
      v.number('must be a number'),
      v.gtValue(0, 'must be above 0'),
      v.maxValue(10_000, 'must be at most 10000'),
    ),
    title,
    `US dollars an hour ${what}.`,
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
    `US dollars a year ${what}.`,
  );
