import type * as v from 'valibot';
import { withRules } from '../../kernel/json-schema.ts';
import { filterSchema } from '../../kernel/page.ts';
import { mayNamed, parseTime, TimeOfQuery } from '../../kernel/text.ts';
import { createCodeFilter } from '../../occupations/code.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import type { ViewedRecord } from './record.ts';

export interface Filter {
  title: string;
  description: string;
  /** The schema of a value. If absent, any text is allowed. */
  values?: v.GenericSchema<unknown, string | boolean>;
  /**
   * Returns the test for a value. It is a method so that a test can type the members that it reads. `view` has the
   * records that a record refers to.
   */
  createTest(value: string, view: View): { passes(record: StoredRecord): boolean }['passes'];
  /** How a list with this filter is sorted if the caller does not say. */
  usualSort?: string;
  /** Returns what a row of such a list has besides its record. */
  present?(record: Readonly<Record<string, unknown>>, value: string): object;
}

/** One condition of a query, and the parameter that it comes from. */
export interface RecordTest {
  name: string;
  passes(row: ViewedRecord): boolean;
}

export type Filters = Readonly<Record<string, Filter>>;

export function createFilterEntries(filters: Filters): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { title, description, values }]) => [
      name,
      values ? mayNamed(values, title, description) : filterSchema(title, description),
    ]),
  );
}

/** Filters of every list, which matches do not have. */
export const listFilters = {
  updatedSince: withRules(mayNamed(TimeOfQuery, 'Updated since', 'Changed itself since, RFC 3339.'), {
    format: 'date-time',
  }),
};

/** Returns the texts between the commas of a filter. */
export const splitValues = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

function createStatusTest(status: string): RecordTest {
  const wanted = new Set(splitValues(status));
  return { name: 'status', passes: (row) => wanted.has(row.status()) };
}

/** Returns the test for records that were created or changed at a time or later. Seed records have no times. */
function createTimeTest(time: string): RecordTest {
  const since = parseTime(time);
  return {
    name: 'updatedSince',
    passes: ({ record: { createdAt = Number.NEGATIVE_INFINITY, updatedAt = createdAt } }) =>
      updatedAt >= since,
  };
}

/** Returns the tests of a query: its filters, its occupation, its time and its status. */
export function createTests(
  filters: Filters,
  query: Readonly<Record<string, unknown>>,
  view: View,
): RecordTest[] {
  const { occupation, status, updatedSince } = query as Partial<Record<string, string>>;
  const isUnder = createCodeFilter(occupation);
  const tests: RecordTest[] = Object.entries(filters).flatMap(([name, { createTest }]) => {
    if (query[name] === undefined) return [];
    const passes = createTest(String(query[name]), view);
    return [{ name, passes: ({ record }) => passes(record) }];
  });
  if (occupation !== undefined)
    tests.unshift({ name: 'occupation', passes: ({ record }) => isUnder(record.onetCode) });
  if (updatedSince !== undefined) tests.unshift(createTimeTest(updatedSince));
  // The status comes last, because it has to be derived from the record.
  if (status !== undefined) tests.push(createStatusTest(status));
  return tests;
}

export const createEqualFilter = (member: string, title: string, description: string): Filter => ({
  title,
  description,
  createTest: (value) => (record) => record[member] === value,
});
