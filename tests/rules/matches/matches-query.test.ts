import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGatedWorld } from '../../support/gated-people.ts';
import type { Body } from '../../support/http.ts';
import { nurse, order, world } from '../../support/plans.ts';
import { pluck } from '../../support/rows.ts';

const matches = suite('queries of matches');

const { drawOrder, drawCandidate, chance, pick } = createGatedWorld(11);
const drawAll = (draw: (at: number) => object, more: object) =>
  Array.from({ length: 30 }, (_, at) => ({ ...draw(at), id: undefined, ref: `r${at}`, ...more }));
const mostly = (status: string) => ({ ...(chance(6) === 0 && { status }) });
const desk = await world.open({
  jobOrders: drawAll(drawOrder, { client: 'Example Works', title: 'Work' }).map((one) => ({
    ...one,
    ...mostly('closed'),
  })),
  candidates: drawAll(drawCandidate, { name: 'Ann Sample' }).map((one) => ({
    ...one,
    ...mostly('withdrawn'),
  })),
});

/** What a record is matched with, by the list that it is in. */
const ways = {
  '/job-orders': {
    status: 'open',
    other: '/candidates',
    member: 'candidate',
    usual: 'available,placed',
    rest: 'withdrawn',
  },
  '/candidates': {
    status: 'available',
    other: '/job-orders',
    member: 'jobOrder',
    usual: 'open',
    rest: 'filled,closed',
  },
};
type Way = (typeof ways)[keyof typeof ways];

const scopes = ['scope=workspace', 'scope=all', 'scope=public', ''];
const filters = ['', 'skill=icu', 'metro=oh', 'workplace=onsite', 'shift=day', 'skill=python&metro=OH'];
const rules = ['', 'minScore=0', 'minScore=40.25', 'meets=true', 'minScore=20&meets=true', 'unstated=unmet'];

const join = (...parts: string[]) => parts.filter((part) => part !== '').join('&');

/** Reads all pages of a list. Checks that each says the same total. */
async function readPages(path: string, query: string, limit: number): Promise<Body[]> {
  const rows: Body[] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const next = cursor ? `cursor=${encodeURIComponent(cursor)}` : '';
    const { status, body, text } = await desk.get(`${path}?${join(query, `limit=${limit}`, next)}`);
    assert.is(status, 200, text);
    const page: Body[] = body.matches ?? body.candidates ?? body.jobOrders ?? [];
    assert.ok(page.length <= limit);
    rows.push(...page);
    totals.add(body.total ?? 0);
    cursor = body.nextCursor;
  }
  assert.equal([...totals], [rows.length], `${path}?${query}`);
  return rows;
}

interface Query {
  /** The list of the record, and its id. */
  own: keyof typeof ways;
  id: string;
  scope: string;
  filter: string;
  rule: string;
  /** Whether all statuses are asked for. */
  isOfAll: boolean;
}

const own = Object.keys(ways) as (keyof typeof ways)[];
const ids = Object.fromEntries(
  await Promise.all(
    own.map(async (path) => {
      const rows = await readPages(path, `scope=workspace&status=${ways[path].status}`, 200);
      return [path, pluck(rows, 'id')] as const;
    }),
  ),
);

function drawQuery(): Query {
  const path = pick(own);
  return {
    own: path,
    id: pick(ids[path]!),
    scope: pick(scopes),
    filter: pick(filters),
    rule: pick(rules),
    isOfAll: chance(3) === 0,
  };
}

const allOf = ({ usual, rest }: Way) => `status=${usual},${rest}`;

/** Reads the matches of a query, so many at once. */
const readMatches = ({ own, id, scope, filter, rule, isOfAll }: Query, limit: number): Promise<Body[]> =>
  readPages(`${own}/${id}/matches`, join(scope, filter, rule, isOfAll ? allOf(ways[own]) : ''), limit);

/** Returns the same by comparing all, and leaving out what the query leaves out. */
async function filterAll({ own, id, scope, filter, rule, isOfAll }: Query): Promise<Body[]> {
  const way = ways[own];
  const { minScore = 0, meets, unstated } = Object.fromEntries(new URLSearchParams(rule));
  const everything = join(allOf(way), 'scope=all', unstated ? 'unstated=unmet' : '');
  const all = await readPages(`${own}/${id}/matches`, everything, 200);
  const status = isOfAll ? allOf(way) : `status=${way.usual}`;
  const listed = pluck(
    await readPages(way.other, join(scope || 'scope=workspace', filter, status), 200),
    'id',
  );
  return all.filter(
    (match) =>
      listed.includes(match[way.member].id) && match.score >= Number(minScore) && (!meets || match.meets),
  );
}

matches('have the records of the list with the same query, in the order of all matches', async () => {
  let found = 0;
  for (let run = 0; run < 60; run += 1) {
    const query = drawQuery();
    const rows = await readMatches(query, 200);
    assert.equal(rows, await filterAll(query), JSON.stringify(query));
    found += Math.min(1, rows.length);
  }
  assert.ok(found > 30, `${found} with a match`);
});

matches('have the same rows on pages of any size', async () => {
  for (let run = 0; run < 20; run += 1) {
    const query = drawQuery();
    assert.equal(
      await readMatches(query, 1 + chance(9)),
      await readMatches(query, 200),
      JSON.stringify(query),
    );
  }
});

matches('show each record in short, as its own address does', async () => {
  for (const path of own) {
    const { other, member } = ways[path];
    const rows = await readPages(`${path}/${ids[path]![0]}/matches`, 'scope=all', 200);
    for (const row of rows.filter(() => chance(4) === 0)) {
      const record = await desk.read(`${other}/${row[member].id}`);
      for (const [name, value] of Object.entries<Body>(row[member]))
        if (name !== 'links') assert.equal(value, record[name], name);
      assert.is(row[member].links.self, record.links.self);
      assert.equal(
        row.score,
        row.reasons.reduce((sum: number, { points }: Body) => sum + points, 0),
      );
    }
  }
});

matches('are ten unless limit says otherwise', async () => {
  assert.is((await world.get('/job-orders/job_001/matches')).body.matches.length, 10);
});

matches('repeat no person and hide none if better ones are added between two pages', async () => {
  const refs = Array.from({ length: 12 }, (_, at) => `first${at}`);
  const growing = await world.open({
    candidates: refs.map((ref) => nurse(ref, { onetCode: '29-1141.00' })),
    jobOrders: [order('o')],
  });
  const path = '/job-orders/%23o/matches?limit=5';
  const first = (await growing.get(path)).body;
  await growing.post('/batch', { candidates: [nurse('better'), nurse('another')] });
  const rest = (await growing.get(`${path}0&cursor=${first.nextCursor}`)).body;
  const read = [...first.matches, ...rest.matches].map(({ candidate }) => candidate.ref);
  assert.equal(read.toSorted(), refs.toSorted());
  assert.is(rest.total, 14);
});

matches('have an ETag until the next revision, for their own address', async () => {
  const own = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const path = '/job-orders/%23o/matches';
  const tag = (await own.get(path)).headers.get('etag');
  const again = (address: string) => own.get(address, { 'if-none-match': tag });
  assert.is((await again(path)).status, 304);
  assert.is((await again(`${path}?limit=1`)).status, 200);
  await own.patch('/candidates/%23a', { skills: ['CRRT'] });
  assert.is((await again(path)).status, 200);
});

const pair = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });

/** A query without a match, and the end of the message that says what to change. */
const empty: [query: string, message: RegExp][] = [
  ['skill=Falconry', / To widen, drop or change skill\.$/],
  ['metro=Nowhere', / To widen, drop or change metro\.$/],
  ['status=asleep', / To widen, drop or change status\.$/],
  ['skill=ICU&metro=Nowhere', / To widen, drop or change metro\.$/],
  ['skill=Falconry&metro=Columbus', / To widen, drop or change skill\.$/],
  ['skill=Falconry&metro=Nowhere', / To widen, drop or change scope and .*skill and drop or change metro\.$/],
];
for (const [query, message] of empty)
  matches(`with "${query}" say what to change`, async () => {
    const { body } = await pair.get(`/job-orders/%23o/matches?scope=all&${query}`);
    assert.is(body.type, 'EMPTY');
    assert.is(body.total, 0);
    assert.match(body.message, message);
  });

matches('of a workspace say that scope=all matches the public seed too', async () => {
  const { body } = await pair.get('/job-orders/%23o/matches?skill=Falconry');
  assert.match(body.message, /of your workspace .* change skill\. scope=all matches the public seed too\.$/);
});

matches('say that no record reaches minScore', async () => {
  const { body } = await world.get('/job-orders/job_001/matches?minScore=100&status=available');
  assert.match(body.message, 'No candidate reaches minScore 100. Lower or drop minScore.');
});

matches('in the scope of a workspace that was not sent say so', async () => {
  const { body } = await world.get('/job-orders/job_034/matches?scope=workspace');
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, 'X-Workspace (over MCP the argument workspace) was not sent');
});

const listCursor = (await world.get('/candidates?limit=1')).body.nextCursor;
const otherCursor = (await world.get('/job-orders/job_002/matches?limit=1')).body.nextCursor;
const invalid: [query: string, at: string][] = [
  ['minScore=101', 'minScore'],
  ['minScore=-0.25', 'minScore'],
  ['minScore=high', 'minScore'],
  ['minScore=', 'minScore'],
  ['meets=yes', 'meets'],
  ['unstated=met', 'unstated'],
  ['limit=201', 'limit'],
  [`cursor=${listCursor}`, 'cursor'],
  [`cursor=${otherCursor}`, 'cursor'],
];
for (const path of ['/job-orders/job_001/matches', '/candidates/cand_001/matches', '/workspace/matches'])
  for (const [query, at] of invalid)
    matches(`of ${path} refuse "${query.slice(0, 20)}"`, async () => {
      const { status, body } = await pair.get(`${path}?${query}`);
      assert.is(status, 400);
      assert.equal(pluck(body.issues, 'path'), [at]);
    });

matches.run();
