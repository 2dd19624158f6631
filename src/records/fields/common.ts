import * as v from 'valibot';
import { mayNamed, textSchema } from '../../kernel/text.ts';
import { toWords } from '../../occupations/titles/words.ts';
import { type Filters, toWordTest } from '../filters.ts';

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

/** Members that words are searched in: no ids, and nothing that only its maker reads. */
const searched = ['name', 'title', 'client', 'skills', 'credentials', 'requires'];

/** Search words over everything that a record calls itself, has or asks for. */
export const searchFilter: Filters = {
  q: {
    title: 'Words',
    description: 'Each in name, title, client, skills, credentials or requires.',
    toTest(value) {
      const isWords = toWords(value).length > 0;
      const hasWords = isWords
        ? toWordTest(value)
        : (text: string) => text.toLowerCase().includes(value.toLowerCase());
      return (record) => hasWords(searched.flatMap((member) => record[member] ?? []).join(' / '));
    },
  },
};
