import type * as v from 'valibot';
import { filterSchema } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { createCodeFilter } from '../occupations/code.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { ViewedRecord } from './record.ts';

export interface Filter {
  title: string;
  description: string;
  /** What a value has to be; any text where it is absent. */
  values?: v.GenericSchema<unknown, string | boolean>;
  /** Returns which records pass a value. As a method, so that a test may name the members that it reads. */
  createTest(value: string): { passes(record: StoredRecord): boolean }['passes'];
}

/** What a query asks of records, under the name of its parameter. */
export interface RecordTest {
  name: string;
  passes(one: ViewedRecord): boolean;
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

/** What a query asks of records: the filters that it names, an occupation and a status. */
export function createTests(filters: Filters, query: Readonly<Record<string, unknown>>): RecordTest[] {
  const { occupation, status } = query as { occupation?: string; status?: string };
  const isUnder = createCodeFilter(occupation);
  const tests: RecordTest[] = Object.entries(filters).flatMap(([name, { createTest: toTest }]) => {
    if (query[name] === undefined) return [];
    const passes = toTest(String(query[name]));
    return [{ name, passes: ({ record }) => passes(record) }];
  });
  if (occupation !== undefined)
    tests.unshift({ name: 'occupation', passes: ({ record }) => isUnder(record.onetCode) });
  // Last, since it takes a record as it reads.
  if (status !== undefined) tests.push({ name: 'status', passes: (one) => one.status() === status });
  return tests;
}

export const createEqualFilter = (member: string, title: string, description: string): Filter => ({
  title,
  description,
  createTest: (value) => (record) => record[member] === value,
});
