import type * as v from 'valibot';
import { filterSchema } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { createCodeFilter } from '../occupations/code.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { ViewedRecord } from './record.ts';

export interface Filter {
  title: string;
  description: string;
  /** The schema of a value. If absent, any text is allowed. */
  values?: v.GenericSchema<unknown, string | boolean>;
  /** Returns the test for a value. It is a method so that a test can type the members that it reads. */
  createTest(value: string): { passes(record: StoredRecord): boolean }['passes'];
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

/** Returns the tests of a query: its filters, its occupation and its status. */
export function createTests(filters: Filters, query: Readonly<Record<string, unknown>>): RecordTest[] {
  const { occupation, status } = query as { occupation?: string; status?: string };
  const isUnder = createCodeFilter(occupation);
  const tests: RecordTest[] = Object.entries(filters).flatMap(([name, { createTest }]) => {
    if (query[name] === undefined) return [];
    const passes = createTest(String(query[name]));
    return [{ name, passes: ({ record }) => passes(record) }];
  });
  if (occupation !== undefined)
    tests.unshift({ name: 'occupation', passes: ({ record }) => isUnder(record.onetCode) });
  // The status comes last, because it has to be derived from the record.
  if (status !== undefined) tests.push({ name: 'status', passes: (row) => row.status() === status });
  return tests;
}

export const createEqualFilter = (member: string, title: string, description: string): Filter => ({
  title,
  description,
  createTest: (value) => (record) => record[member] === value,
});
