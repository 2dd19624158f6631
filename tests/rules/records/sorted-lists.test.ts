import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { dayFromNow, refused, toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const lists = suite('sorted lists');
const world = new World();
const { ask } = world;

/** Makes a workspace of a batch, and reads its lists. */
async function make(batch: object, { ask: send }: Pick<typeof world, 'ask'> = world) {
  const { status, body, text } = await send('POST', '/batch', batch);
  assert.is(status, 201, text);
  const mine = inside(body.workspace);
  return {
    mine,
    body,
    read: (target: string, headers: object = {}) => send('GET', target, undefined, { ...mine, ...headers }),
    patch: (path: string, sent: object) => send('PATCH', path, sent, mine),
  };
}

type Made = Awaited<ReturnType<typeof make>>;

const rowsOf = (body: Body): Body[] => body.candidates ?? body.jobOrders ?? body.placements ?? [];

async function listRefs({ read }: Made, target: string): Promise<string[]> {
  const { status, body, text } = await read(target);
  assert.is(status, 200, text);
  return pluck(rowsOf(body), 'ref') as unknown as string[];
}

const person = (ref: string, more: object = {}) => toBody.candidate({ ref, name: ref, ...more });
const order = (ref: string, more: object = {}) => toBody.jobOrder({ ref, ...more });

const desk = await make({
  candidates: [
    person('a', { name: 'zoe', title: 'Clerk', metro: 'Reno, NV', availableFrom: dayFromNow(9) }),
    person('b', { name: 'Éva', status: 'withdrawn', metro: 'Akron, OH' }),
    person('c', { name: 'ewan', title: 'Analyst', availableFrom: dayFromNow(30) }),
    person('d', { name: 'Adam', title: 'baker', availableFrom: dayFromNow(2) }),
  ],
  jobOrders: [
    order('x', { client: 'Yard 10', title: 'Nurse', openings: 3, startDate: dayFromNow(20) }),
    order('y', { client: 'Yard 9', title: 'Driver', status: 'closed', metro: 'Reno, NV' }),
    order('z', { client: 'acme', title: 'Clerk', openings: 2, startDate: dayFromNow(3) }),
  ],
  placements: [
    toBody.placement({ ref: 'one', candidateId: '#a', jobOrderId: '#x', startDate: dayFromNow(20) }),
    toBody.placement({ ref: 'two', candidateId: '#c', jobOrderId: '#z', status: 'proposed' }),
    toBody.placement({ ref: 'three', candidateId: '#d', jobOrderId: '#z', startDate: dayFromNow(3) }),
  ],
});

const orders: [target: string, ascending: string, descending: string][] = [
  ['/candidates?sort=name', 'd b c a', 'a c b d'],
  ['/candidates?sort=title', 'c d a b', 'a d c b'],
  ['/candidates?sort=metro', 'b a d c', 'a b d c'],
  ['/candidates?sort=status', 'c d a b', 'b d a c'],
  ['/candidates?sort=availableFrom', 'd a c b', 'c a d b'],
  ['/job-orders?sort=client', 'z y x', 'x y z'],
  ['/job-orders?sort=title', 'z y x', 'x y z'],
  ['/job-orders?sort=metro', 'y z x', 'y z x'],
  ['/job-orders?sort=status', 'z x y', 'y z x'],
  ['/job-orders?sort=startDate', 'z x y', 'x z y'],
  ['/job-orders?sort=openingsLeft', 'y z x', 'x z y'],
  ['/placements?sort=candidateName', 'three two one', 'one two three'],
  ['/placements?sort=client', 'three two one', 'one three two'],
  ['/placements?sort=title', 'three two one', 'one three two'],
  ['/placements?sort=status', 'two three one', 'three one two'],
  ['/placements?sort=startDate', 'three one two', 'one three two'],
  ['/placements?sort=validateBy', 'three one two', 'one three two'],
  ['/candidates?status=available,placed&sort=name', 'd c a', 'a c d'],
];
for (const [target, ascending, descending] of orders) {
  lists(`are ascending by ${target}`, async () => {
    assert.is((await listRefs(desk, target)).join(' '), ascending);
  });
  lists(`are descending by ${target.replace('sort=', 'sort=-')}`, async () => {
    assert.is((await listRefs(desk, target.replace('sort=', 'sort=-'))).join(' '), descending);
  });
}

lists('of candidates sort by the day from which each is free', async () => {
  const sorted = rowsOf((await desk.read('/candidates?sort=-freeFrom')).body);
  const days = pluck(sorted, 'freeFrom').map((day) => (day as unknown as string | null) ?? '');
  const known = days.filter(Boolean);
  assert.equal(known, known.toSorted().reverse());
  assert.equal(days, [...known, ...days.filter((day) => !day)], 'those without a known end come last');
});

lists('sort by the time of a change', async () => {
  const own = new World();
  const made = await make({ candidates: [person('old'), person('mid'), person('new')] }, own);
  own.clock.now += 1000;
  await made.patch('/candidates/%23mid', { note: 'Called.' });
  own.clock.now += 1000;
  await made.patch('/candidates/%23old', { note: 'Called.' });
  assert.equal(await listRefs(made, '/candidates?sort=-updatedAt'), ['old', 'mid', 'new']);
  assert.equal(await listRefs(made, '/candidates?sort=updatedAt'), ['new', 'mid', 'old']);
  assert.equal(await listRefs(made, '/candidates?sort=createdAt'), ['new', 'mid', 'old'], 'made at once');
});

lists('show the chosen members of each row alone', async () => {
  const [first] = rowsOf((await desk.read('/candidates?sort=availableFrom&fields=name')).body);
  assert.equal(first, { id: first!.id, name: 'Adam' });
});

lists('of the workspace and the seed are sorted as one', async () => {
  const { body } = await desk.read('/candidates?scope=all&sort=name&limit=200');
  const names = pluck(rowsOf(body), 'name') as unknown as string[];
  assert.is(names.length, 52);
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  assert.equal(names, names.toSorted(compare));
});

lists('of the seed are sorted without a workspace', async () => {
  for (const path of ['/job-orders', '/job-orders.json']) {
    const { body } = await ask('GET', `${path}?sort=-startDate&limit=200`);
    const days = pluck(rowsOf(body), 'startDate').map((day) => (day as unknown as string | undefined) ?? '');
    assert.equal(days, days.toSorted().reverse(), path);
  }
});

/** Reads a list page by page through its Link, and returns the ids of all rows. */
async function readAll(first: string, read: Made['read'], between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = first; next; ) {
    const { status, body, headers, text } = await read(next);
    assert.is(status, 200, text);
    ids.push(...(pluck(rowsOf(body), 'id') as unknown as string[]));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    if (next) await between();
  }
  return ids;
}

const many = () =>
  make({
    candidates: Array.from({ length: 150 }, (_, at) =>
      person(`p${at}`, { name: `Person ${(at * 7) % 40}`, ...(at % 3 && { title: 'é'.repeat(200) }) }),
    ),
  });
const crowd = await many();

for (const sort of ['name', '-name', 'title', '-title', 'status', '-createdAt'])
  lists(`show each record once in pages sorted by ${sort}`, async () => {
    const whole = pluck(rowsOf((await crowd.read(`/candidates?sort=${sort}&limit=200`)).body), 'id');
    const paged = await readAll(`/candidates?sort=${sort}&limit=40`, crowd.read);
    assert.equal(paged, whole);
    assert.is(new Set(paged).size, 150);
  });

lists('show each record once in pages of the seed', async () => {
  const read = (target: string) => ask('GET', target);
  const paged = await readAll('/candidates?sort=-name&limit=13', read);
  assert.is(new Set(paged).size, 48);
  assert.is(paged.length, 48);
});

lists('read on to the end while their records change and are deleted', async () => {
  const made = await many();
  const ids = pluck(made.body.candidates, 'id') as unknown as string[];
  let changes = 0;
  const paged = await readAll('/candidates?sort=-name&limit=40', made.read, async () => {
    changes += 1;
    await made.patch(`/candidates/${ids[changes]}`, { name: `Zed ${changes}` });
    await ask('DELETE', `/candidates/${ids[10 + changes]}`, undefined, made.mine);
  });
  assert.is(changes, 3);
  assert.ok(paged.length >= 147, String(paged.length));
});

lists('have a total and a short cursor, however long their texts', async () => {
  const { body } = await crowd.read('/candidates?sort=-title&limit=2');
  assert.is(body.total, 150);
  assert.ok(body.nextCursor.length < 60, body.nextCursor);
});

lists('answer 304 to a caller who has the current version', async () => {
  const made = await make({ candidates: [person('a'), person('b')] });
  const target = '/candidates?sort=name';
  const ETag = (await made.read(target)).headers.get('etag');
  assert.is((await made.read(target, { 'if-none-match': ETag })).status, 304);
  assert.is((await made.read('/candidates?sort=-name', { 'if-none-match': ETag })).status, 200);
  await made.patch('/candidates/%23a', { name: 'z' });
  const changed = await made.read(target, { 'if-none-match': ETag });
  assert.equal(pluck(rowsOf(changed.body), 'ref'), ['b', 'a']);
});

const unknown: [target: string, known: RegExp][] = [
  [
    '/candidates?sort=client',
    /status, createdAt, updatedAt, name, title, metro, availableFrom, freeFrom, expires, with -/,
  ],
  ['/job-orders?sort=-name', /client, title, metro, startDate, openingsLeft, with -/],
  ['/placements?sort=outcome', /startDate, candidateName, client, title, validateBy, with -/],
  ['/candidates?sort=', /takes one of status/],
  ['/candidates?sort=-', /takes one of status/],
  ['/candidates?sort=--name', /takes one of status/],
  ['/candidates?sort=name,title', /takes one of status/],
  ['/candidates?sort=constructor', /takes one of status/],
];
for (const [target, known] of unknown)
  lists(`refuse ${target} and name the members that they sort by`, async () => {
    for (const headers of [{}, desk.mine]) {
      const answer = await ask('GET', target, undefined, headers);
      refused(answer as never, 400, 'invalid_request', ['sort']);
      assert.match(answer.body.issues[0].message, known);
    }
  });

const cursorOf = async (query: string) =>
  (await crowd.read(`/candidates?limit=2${query}`)).body.nextCursor as string;

const others: [from: string, to: string, message: RegExp][] = [
  ['&sort=name', '&sort=-name', /came with sort=name; send that sort too, or send no cursor/],
  ['&sort=-name', '', /came with sort=-name; send that sort too, or send no cursor/],
  ['', '&sort=name', /came without sort; leave sort out, or send no cursor/],
];
for (const [from, to, message] of others)
  lists(`refuse a cursor of a list with "${from}" on one with "${to}"`, async () => {
    const answer = await crowd.read(`/candidates?limit=2${to}&cursor=${await cursorOf(from)}`);
    refused(answer as never, 400, 'invalid_request', ['cursor']);
    assert.match(answer.body.issues[0].message, message);
  });

lists('refuse a cursor of another collection', async () => {
  const answer = await crowd.read(`/job-orders?sort=title&cursor=${await cursorOf('&sort=title')}`);
  refused(answer as never, 400, 'invalid_request', ['cursor']);
});

lists('are sorted for a tool that sends sort, though no tool shows it', async () => {
  const given = { workspace: desk.body.workspace, sort: '-name' };
  const { structuredContent } = await world.tool('listCandidates', given);
  assert.equal(pluck(structuredContent.candidates, 'ref'), ['a', 'c', 'b', 'd']);
  const { result } = (await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body;
  for (const tool of result.tools) assert.not('sort' in tool.inputSchema.properties, tool.name);
});

lists.run();
