import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { refused, toBody } from '../../support/sandbox.ts';
import { type Desk, World } from '../../support/world.ts';

/** That each order is right, and its pages are the list, is in `list-law`. */
const lists = suite('sorted lists');
const world = new World();

const rowsOf = (body: Body): Body[] => body.candidates ?? body.jobOrders ?? body.placements ?? [];
const person = (ref: string, more: object = {}) => toBody.candidate({ ref, name: ref, ...more });

lists('of the workspace and the seed are sorted as one', async () => {
  const desk = await world.open({
    candidates: [person('zoe'), person('eva', { name: 'Éva' }), person('Adam')],
  });
  const { body } = await desk.get('/candidates?scope=all&sort=name&limit=200');
  const names = pluck(rowsOf(body), 'name') as unknown as string[];
  assert.is(names.length, 51);
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  assert.equal(names, names.toSorted(compare));
});

lists('of the seed are sorted without a workspace', async () => {
  for (const path of ['/job-orders', '/job-orders.json']) {
    const { body } = await world.get(`${path}?sort=-startDate&limit=200`);
    const days = pluck(rowsOf(body), 'startDate').map((day) => (day as unknown as string | undefined) ?? '');
    assert.equal(days, days.toSorted().reverse(), path);
  }
});

/** Opens a desk of 150 people, many of the same name and with a long title. */
const openCrowd = (): Promise<Desk & { reply: { body: Body } }> =>
  world.open({
    candidates: Array.from({ length: 150 }, (_, at) =>
      person(`p${at}`, { name: `Person ${(at * 7) % 40}`, ...(at % 3 && { title: 'é'.repeat(200) }) }),
    ),
  });
const crowd = await openCrowd();

lists('are read on to the end while their records change and are deleted', async () => {
  const desk = await openCrowd();
  const ids = pluck(desk.reply.body.candidates, 'id') as unknown as string[];
  let [read, changes] = [0, 0];
  for (let next: string | undefined = '/candidates?sort=-name&limit=40'; next; ) {
    const { status, body, headers, text } = await desk.get(next);
    assert.is(status, 200, text);
    read += rowsOf(body).length;
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    if (!next) break;
    changes += 1;
    await desk.patch(`/candidates/${ids[changes]}`, { name: `Zed ${changes}` });
    await desk.delete(`/candidates/${ids[10 + changes]}`);
  }
  assert.is(changes, 3);
  assert.ok(read >= 147, String(read));
});

lists('have a total and a short cursor, however long their texts', async () => {
  const { body } = await crowd.get('/candidates?sort=-title&limit=2');
  assert.is(body.total, 150);
  assert.ok(body.nextCursor.length < 60, body.nextCursor);
});

lists('answer 304 to a caller who has the current version', async () => {
  const desk = await world.open({ candidates: [person('a'), person('b')] });
  const target = '/candidates?sort=name';
  const ETag = (await desk.get(target)).headers.get('etag');
  assert.is((await desk.get(target, { 'if-none-match': ETag })).status, 304);
  assert.is((await desk.get('/candidates?sort=-name', { 'if-none-match': ETag })).status, 200);
  await desk.patch('/candidates/%23a', { name: 'z' });
  const changed = await desk.get(target, { 'if-none-match': ETag });
  assert.equal(pluck(rowsOf(changed.body), 'ref'), ['b', 'a']);
});

const unknown: [target: string, known: RegExp][] = [
  [
    '/candidates?sort=client',
    /status, createdAt, updatedAt, name, title, metro, availableFrom, freeFrom, expires, with -/,
  ],
  ['/job-orders?sort=-name', /client, title, metro, startDate, openingsLeft, with -/],
  ['/placements?sort=outcome', /startDate, candidateName, client, title, validateBy, with -/],
  ['/candidates?sort=constructor', /takes one of status/],
];
for (const [target, known] of unknown)
  lists(`refuse ${target} and name the members that they sort by`, async () => {
    const { issues } = refused(await world.get(target), 400, 'invalid_request', ['sort']);
    assert.match(issues[0].message, known);
  });

lists('refuse a cursor of another order', async () => {
  const { nextCursor } = (await crowd.get('/candidates?limit=2&sort=name')).body;
  const other = await crowd.get(`/candidates?limit=2&sort=-name&cursor=${nextCursor}`);
  const { issues } = refused(other, 400, 'invalid_request', ['cursor']);
  assert.match(issues[0].message, /came with sort=name; send that sort too, or send no cursor/);
});

lists('are sorted for a tool that sends sort, though no tool shows it', async () => {
  const desk = await world.open({ candidates: [person('b'), person('a'), person('c')] });
  const { structuredContent } = await desk.tool('listCandidates', { sort: '-name' });
  assert.equal(pluck(structuredContent.candidates, 'ref'), ['c', 'b', 'a']);
  const { result } = (await world.rpc('tools/list')).body;
  for (const tool of result.tools) assert.not('sort' in tool.inputSchema.properties, tool.name);
});

lists.run();
