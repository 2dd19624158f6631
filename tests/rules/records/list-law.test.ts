import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../../support/contract.ts';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { createRandom } from '../../support/random-desk.ts';
import { dayFromNow } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const law = suite('pages and filters of every list of records');

const random = createRandom(3);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const some = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.4);
const maybe = <T>(value: T): T | undefined => (random() < 0.7 ? value : undefined);

/** Words of which none begins with another, and none is another with one wrong letter. */
const words = ['Falcon', 'Meadow', 'Quartz', 'Timber', 'Violet'];
const codes = ['29-1141.00', '29-2061.00', '15-1252.00'];
const shifts = ['day', 'evening', 'night', 'weekend'];
const workplaces = ['onsite', 'hybrid', 'remote'];
const places = ['Columbus, OH', 'Dayton, OH', 'Reno, NV'];
const days = [-40, -10, 5, 20, 60].map(dayFromNow);
const phrase = (): string => `${pick(words)} ${pick(words)}`;
const phrases = (): string[] => [...new Set([phrase(), phrase()])];

const drawPerson = (at: number): Body => ({
  ref: `person-${at}`,
  name: `${pick(words)} ${pick(words)}`,
  onetCode: pick(codes),
  title: maybe(phrase()),
  skills: maybe(phrases()),
  credentials: maybe([pick(words), `${phrase()} until ${pick(days)}`]),
  metro: maybe(pick(places)),
  shifts: some(shifts),
  workplaces: some(workplaces),
  availableFrom: maybe(pick(days)),
  status: random() < 0.2 ? 'withdrawn' : undefined,
});

const drawOrder = (at: number): Body => ({
  ref: `order-${at}`,
  client: phrase(),
  title: phrase(),
  onetCode: pick(codes),
  openings: 1 + below(3),
  requires: maybe(phrases()),
  skills: maybe(phrases()),
  metro: maybe(pick(places)),
  shift: maybe(pick(shifts)),
  workplace: maybe(pick(workplaces)),
  startDate: maybe(pick(days)),
  status: random() < 0.2 ? 'closed' : undefined,
});

const drawPlacement = (at: number, people: Body[], orders: Body[]): Body => ({
  ref: `placement-${at}`,
  candidateId: `#${pick(people).ref}`,
  jobOrderId: `#${pick(orders).ref}`,
  onetCode: pick(codes),
  startDate: maybe(pick(days)),
  guaranteeDays: maybe(15 + below(60)),
  status: pick(['proposed', 'offered', 'scheduled', 'declined', undefined]),
});

/** Makes a desk in three batches, a day apart, so that its records have different times and ends. */
async function makeDesk() {
  const world = new World();
  const start = world.clock.now;
  let mine: Record<string, string> = {};
  for (const day of [0, 1, 2]) {
    world.clock.now = start + day * 3_600_000;
    const numbers = Array.from({ length: 12 }, (_, at) => at + day * 12);
    const candidates = numbers.map(drawPerson);
    const jobOrders = numbers.map(drawOrder);
    const placements = numbers.map((at) => drawPlacement(at, candidates, jobOrders));
    const made = await world.post('/batch', { candidates, jobOrders, placements }, mine);
    assert.is(made.status, 201, made.text);
    mine = inside(made.body.workspace ?? mine['X-Workspace']);
    for (const { id, status } of made.body.placements)
      if (status === 'active' && random() < 0.7)
        await world.post(`/placements/${id}/outcome`, { result: 'retained' }, mine);
  }
  return { start, ask: (path: string) => world.get(path, mine) };
}

const desk = await makeDesk();
const collections: Record<string, string> = {
  '/candidates': 'candidates',
  '/job-orders': 'jobOrders',
  '/placements': 'placements',
};

/** Reads a list page by page. */
async function readPages(path: string, query: Record<string, string>, limit: number): Promise<Body[]> {
  const rows: Body[] = [];
  let cursor: string | undefined;
  do {
    const sent = new URLSearchParams({ ...query, limit: `${limit}`, ...(cursor && { cursor }) });
    const { status, body, text } = await desk.ask(`${path}?${sent}`);
    assert.is(status, 200, text);
    const page: Body[] = body[collections[path]!] ?? [];
    assert.ok(page.length <= limit);
    if (cursor) assert.ok(page.length > 0, 'a page that another page names has rows');
    rows.push(...page);
    assert.is(body.type === 'EMPTY' ? 0 : body.total, (await count(path, query)) ?? body.total, path);
    cursor = body.nextCursor;
  } while (cursor);
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
const endOf = (credential: string): string => /until (\S+)/.exec(credential)?.[1] ?? '9999-12-31';

interface PlainTest {
  /** Returns a value to ask for. */
  draw(rows: Body[]): string;
  passes(row: Body, value: string, path: string): boolean;
}

const drawWords = () => (random() < 0.5 ? pick(words).toUpperCase() : phrase().toLowerCase());
const oneOf = (member: string): PlainTest => ({
  draw: (rows) => pick(rows.flatMap((row) => row[member]).filter(Boolean)),
  passes: (row, value) => [row[member]].flat().includes(value),
});

/** What each filter means, said a second time. */
const filters: Record<string, PlainTest> = {
  status: {
    draw: (rows) => [pick(rows).status, pick(rows).status].join(','),
    passes: ({ status }, value) => value.split(',').includes(status),
  },
  occupation: {
    draw: () => pick([...codes, '29-1141', '29']),
    passes: ({ onetCode }, value) => onetCode.startsWith(value),
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
  ref: oneOf('ref'),
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
    draw: () => new Date(desk.start + below(4) * 3_600_000).toISOString(),
    passes: ({ createdAt, updatedAt = createdAt }, value) => Date.parse(updatedAt) >= Date.parse(value),
  },
  candidateId: oneOf('candidateId'),
  jobOrderId: oneOf('jobOrderId'),
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
    for (const sort of [undefined, ...sorts]) {
      const query: Record<string, string> = sort === undefined ? {} : { sort };
      const whole = await readPages(path, query, 100);
      assert.equal(toIds(await readPages(path, query, 1 + below(9))), toIds(whole), sort);
      assert.equal(toIds(whole).toSorted(), toIds(rows).toSorted(), sort);
    }
  });
}

law.run();
