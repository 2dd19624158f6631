import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../../support/contract.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { below, listValues, makeListDesk, pick } from '../../support/list-desk.ts';

const law = suite('pages and filters of every list of records');

const { words, codes, shifts, workplaces, places, days, phrase } = listValues;
const desk = await makeListDesk();
const collections: Record<string, string> = {
  '/candidates': 'candidates',
  '/job-orders': 'jobOrders',
  '/placements': 'placements',
};

/** Reads a list page by page, by the link of each to the next. */
async function readPages(path: string, query: Record<string, string>, limit: number): Promise<Body[]> {
  const rows: Body[] = [];
  const first = `${path}?${new URLSearchParams({ ...query, limit: `${limit}` })}`;
  for (let address: string | undefined = first; address; ) {
    const { status, body, headers, text } = await desk.ask(address);
    assert.is(status, 200, text);
    const page: Body[] = body[collections[path]!] ?? [];
    assert.ok(page.length <= limit);
    if (address !== first) assert.ok(page.length > 0, 'a page that another page names has rows');
    rows.push(...page);
    assert.is(body.type === 'EMPTY' ? 0 : body.total, (await count(path, query)) ?? body.total, path);
    address = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    const cursor = address && new URL(address, 'http://localhost').searchParams.get('cursor');
    assert.is(cursor, body.nextCursor, 'the link and the body name the same page');
  }
  return rows;
}

/** The number of rows that a list said the first time. */
const totals = new Map<string, number>();
async function count(path: string, query: Record<string, string>): Promise<number | undefined> {
  const key = `${path}?${new URLSearchParams(query)}`;
  if (!totals.has(key)) {
    const { body } = await desk.ask(`${key}${key.endsWith('?') ? '' : '&'}limit=1`);
    totals.set(key, body.type === 'EMPTY' ? 0 : body.total);
  }
  return totals.get(key);
}

const everything = Object.fromEntries(
  await Promise.all(
    Object.keys(collections).map(
      async (path): Promise<[string, Body[]]> => [path, await readPages(path, {}, 100)],
    ),
  ),
);
const findRow = (path: string, id: string): Body => everything[path]!.find((row) => row.id === id)!;
const readOrder = (row: Body): Body => findRow('/job-orders', row.jobOrderId);
const readPerson = (row: Body): Body => findRow('/candidates', row.candidateId);

/** Whether each word of `value` is a word of one of the texts. */
const says = (texts: (string | undefined)[], value: string): boolean => {
  const said = texts.flatMap((text = '') => text.toLowerCase().split(/[^a-z0-9]+/));
  return value
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
};
const saysInOne = (texts: string[] = [], value: string) => texts.some((text) => says([text], value));
const never = '9999-12-31';
const endOf = (credential: string): string => /until (\S+)/.exec(credential)?.[1] ?? never;

interface PlainTest {
  /** Returns a value to ask for. */
  draw(rows: Body[]): string;
  passes(row: Body, value: string, path: string): boolean;
}

const drawWords = () => (below(2) === 0 ? pick(words).toUpperCase() : phrase().toLowerCase());
/** The filter of what a row refers to: by its id, or by its ref after a #. */
const byReference = (member: string, read: (row: Body) => Body): PlainTest => ({
  draw(rows) {
    const row = pick(rows);
    return below(2) === 0 ? row[member] : `#${read(row).ref}`;
  },
  passes: (row, value) => row[member] === value || `#${read(row).ref}` === value,
});

/** What each filter means, said a second time. */
const filters: Record<string, PlainTest> = {
  status: {
    draw: (rows) => [pick(rows).status, pick(rows).status].join(','),
    passes: ({ status }, value) => value.split(',').includes(status),
  },
  occupation: {
    draw: () => pick([...codes, '29-1141', '29', '2', '29-', '29-11', '29-1141.0']),
    passes: ({ onetCode }, value) => [2, 7, 10].includes(value.length) && onetCode.startsWith(value),
  },
  skill: { draw: drawWords, passes: ({ skills }, value) => saysInOne(skills, value) },
  credential: {
    draw: drawWords,
    passes: ({ credentials }, value) => saysInOne(credentials, value),
  },
  expiresBefore: {
    draw: () => pick(days),
    passes: ({ credentials = [] }, value) => credentials.some((one: string) => endOf(one) < value),
  },
  metro: {
    draw: () => pick([...places, 'Dayton', 'OH', 'Ohio', 'Nevada']),
    passes: ({ metro = '' }, value) => metro.includes(value.replace('Ohio', 'OH').replace('Nevada', 'NV')),
  },
  workplace: {
    draw: () => pick(workplaces),
    passes: ({ workplace, workplaces: all = [] }, value) => workplace === value || all.includes(value),
  },
  shift: {
    draw: () => pick(shifts),
    passes: ({ shift, shifts: all = [] }, value) => shift === value || all.includes(value),
  },
  availableBy: {
    draw: () => pick(days),
    passes: ({ availableFrom }, value) => availableFrom !== undefined && availableFrom <= value,
  },
  startsBy: {
    draw: () => pick(days),
    passes: ({ startDate }, value) => startDate !== undefined && startDate <= value,
  },
  ref: {
    draw: (rows) => `${pick(['', '#'])}${pick(rows).ref}`,
    passes: ({ ref }, value) => ref === value.replace('#', ''),
  },
  q: {
    draw: drawWords,
    passes(row, value, path) {
      if (path === '/placements')
        return says([row.ref, readPerson(row).name, readOrder(row).client, readOrder(row).title], value);
      const { name, title, client: of, metro, ref, skills, credentials, requires } = row;
      return says([name, title, of, metro, ref, ...[skills, credentials, requires].flat()], value);
    },
  },
  updatedSince: {
    draw: () => new Date(desk.start + below(4) * 3_600_000 + pick([0, 1, 60_000, 60_001])).toISOString(),
    passes: ({ createdAt, updatedAt = createdAt }, value) => Date.parse(updatedAt) >= Date.parse(value),
  },
  candidateId: byReference('candidateId', readPerson),
  jobOrderId: byReference('jobOrderId', readOrder),
  client: { draw: drawWords, passes: (row, value) => says([readOrder(row).client], value) },
  outcome: {
    draw: () => pick(['pending', 'retained', 'attrited']),
    passes: ({ outcome }, value) => outcome.result === value,
  },
  validated: {
    draw: () => pick(['true', 'false']),
    passes: ({ outcome }, value) => `${outcome.validated}` === value,
  },
  dueBefore: {
    draw: () => pick(days),
    passes: ({ outcome: { validated, validateBy } }, value) =>
      !validated && validateBy !== null && validateBy < value,
  },
};

/** The statuses of each list in their order. */
const statuses: Record<string, string[]> = {
  '/candidates': ['available', 'placed', 'withdrawn'],
  '/job-orders': ['open', 'filled', 'closed'],
  '/placements': [
    ...['proposed', 'interviewing', 'offered', 'scheduled', 'active', 'completed', 'ended-early', 'declined'],
  ],
};

/** Returns the value by which a row is sorted. */
function readSorted(row: Body, member: string, path: string): string | number | null | undefined {
  if (member === 'status') return statuses[path]!.indexOf(row.status);
  if (member === 'validateBy') return row.outcome.validateBy;
  if (member !== 'expires') return row[member];
  const ends: string[] = (row.credentials ?? []).map(endOf).toSorted();
  return ends.find((end) => end !== never);
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts rows by a member. Rows without it are last, and equal ones stay in their order. */
function sortPlainly(rows: readonly Body[], sort: string, path: string): Body[] {
  const member = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const read = (row: Body) => readSorted(row, member, path);
  const stated = rows.filter((row) => read(row) != null);
  const sorted = stated.toSorted((a, b) => sign * compare(String(read(a)), String(read(b))));
  return [...sorted, ...rows.filter((row) => read(row) == null)];
}

/** Parameters that choose no rows. */
const shapes = ['scope', 'fields', 'sort', 'limit', 'cursor', 'spend'];
const contract: Body = withResponses(structuredClone(client.contract));
const listParameters = (path: string): Body[] =>
  contract.paths[path].get.parameters.filter(({ in: where }: Body) => where === 'query');

for (const path of Object.keys(collections)) {
  const parameters = listParameters(path);
  const names = parameters.map(({ name }) => name).filter((name) => !shapes.includes(name));
  const rows = everything[path]!;
  const toIds = (all: Body[]) => all.map(({ id }) => id);

  law(`${path}: each filter, alone and with another, finds the rows that pass a plain test`, async () => {
    let found = 0;
    for (const name of names)
      for (let run = 0; run < 8; run += 1) {
        const other = run < 4 ? name : pick(names);
        const query = Object.fromEntries(
          [...new Set<string>([name, other])].map((one) => [one, filters[one]!.draw(rows)]),
        );
        const expected = rows.filter((row) =>
          Object.entries(query).every(([one, value]) => filters[one]!.passes(row, value, path)),
        );
        const got = await readPages(path, query, 1 + below(9));
        assert.equal(toIds(got).toSorted(), toIds(expected).toSorted(), JSON.stringify(query));
        found += Number(expected.length > 0 && expected.length < rows.length);
      }
    assert.ok(found > names.length * 3, `only ${found} queries tell`);
  });

  law(`${path}: its pages together are the list, in each order`, async () => {
    const { enum: sorts } = parameters.find(({ name }) => name === 'sort')!.schema;
    for (const sort of sorts) {
      const expected = sortPlainly(rows, sort, path);
      assert.equal(toIds(await readPages(path, { sort }, 1 + below(9))), toIds(expected), sort);
      assert.equal(toIds(await readPages(path, { sort }, 100)), toIds(expected), sort);
    }
    assert.equal(toIds(await readPages(path, {}, 1 + below(9))), toIds(rows));
  });

  law(`${path}: each row reads the same at its own address`, async () => {
    for (const row of rows) {
      const { body } = await desk.ask(row.links.self);
      assert.equal(Object.values(body)[1], row);
    }
  });
}

law.run();
