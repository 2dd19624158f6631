import * as v from 'valibot';
import { toFilter } from '../kernel/page.ts';
import { toWords } from '../occupations/titles/words.ts';
import type { StoredRecord } from './record.ts';

/** One query parameter that narrows a list, or the matches of a record. */
interface Filter {
  title: string;
  description: string;
  /** What a value has to be; any text where it is absent. */
  values?: v.GenericSchema<unknown, string>;
  /** Returns which records pass a value. */
  toTest(value: string): Test['passes'];
}

/** As a method, so that a test may name the members that it reads. */
interface Test {
  passes(record: StoredRecord): boolean;
}

export type Filters = Readonly<Record<string, Filter>>;

/** The query parameters of filters. */
export function toFilterEntries(filters: Filters): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { title, description, values }]) => [
      name,
      values
        ? v.optional(v.pipe(values, v.title(title), v.description(description)))
        : toFilter(title, description),
    ]),
  );
}

/** The tests of those filters that a query names, by their names. */
export function toFilterTests(filters: Filters, query: Readonly<Record<string, unknown>>) {
  return Object.entries(filters).flatMap(([name, { toTest }]) =>
    query[name] === undefined ? [] : [{ name, passes: toTest(query[name] as string) }],
  );
}

/** Filters by a member that equals the value. */
export const equals = (member: string, title: string, description: string): Filter => ({
  title,
  description,
  toTest: (value) => (record) => record[member] === value,
});

/**
 * Returns which texts hold every word of a value, case and plural ignored. A value without words of Latin letters has
 * to be equal to the text.
 */
export function toWordTest(value: string): (text: string) => boolean {
  const wanted = toWords(value);
  if (wanted.length === 0) return (text) => text.toLowerCase() === value.toLowerCase();
  // A word is its stem or begins with nearly all of it, where nothing in the text is left out or rewritten.
  const beginning = wanted[0]!.slice(0, -1);
  return (text) => {
    if (/^[a-z0-9 ,/()-]*$/i.test(text) && !text.toLowerCase().includes(beginning)) return false;
    const words = new Set(toWords(text));
    return wanted.every((word) => words.has(word));
  };
}
