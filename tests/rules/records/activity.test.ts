import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { address, mint, toRevisions } from '../../support/activity.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

/** Its pages, and what came after a revision, are in `history-law`. */
const activity = suite('the activity of a workspace');
const world = new World();

activity('has the create that made the workspace as revision 1', async () => {
  const { id, newest } = await mint(world);
  const { at, ...entry } = await newest();
  assert.ok(Math.abs(Date.parse(at) - world.clock.now) < 1000);
  assert.equal(entry, {
    revision: 1,
    via: 'http',
    operation: 'createCandidate',
    records: [{ id, kind: 'candidate', name: 'Ann Sample' }],
  });
});

activity('shows names as they were on that day', async () => {
  const { patch, read } = await mint(world);
  await patch({ name: 'Ann Renamed' });
  const names = (await read()).body.activity.map(({ records }: Body) => records[0].name);
  assert.equal(names, ['Ann Renamed', 'Ann Sample']);
});

activity('has null as the name of a record that is deleted', async () => {
  const { mine, path, read } = await mint(world);
  await world.delete(path, mine);
  const { activity: entries } = (await read()).body;
  assert.is(entries[0].operation, 'deleteCandidate');
  assert.equal(
    entries.map(({ records }: Body) => records[0].name),
    [null, null],
  );
});

activity('names a placement by its candidate and the title of its order', async () => {
  const { id, post, newest } = await mint(world);
  const order = (await post('/job-orders', toBody.jobOrder({ title: 'Night Nurse' }))).body.jobOrder;
  assert.equal((await newest()).records, [{ id: order.id, kind: 'jobOrder', name: 'Night Nurse' }]);
  await post('/placements', toBody.placement({ candidateId: id, jobOrderId: order.id }));
  const [record] = (await newest()).records;
  assert.is(record.kind, 'placement');
  assert.is(record.name, 'Ann Sample, Night Nurse');
});

activity('names a placement by what is left of its two records', async () => {
  const { id, path, mine, post, newest, read } = await mint(world);
  await post('/placements', toBody.placement({ candidateId: id, status: 'proposed' }));
  const { name } = (await newest()).records[0];
  await world.delete(path, mine);
  const [, before] = (await read()).body.activity;
  assert.is(`Ann Sample, ${before.records[0].name}`, name);
});

for (const since of [1, 9])
  activity(`is EMPTY if nothing came after revision ${since}, and names the current one`, async () => {
    const { read } = await mint(world);
    const { status, body, headers } = await read(`?since=${since}`);
    assert.is(status, 200);
    assert.is(body.type, 'EMPTY');
    assert.match(body.message, 'is at revision 1');
    assert.is(body.total, 0);
    assert.ok(headers.get('etag'), 'a caller can wait with it');
  });

activity('refuses a cursor for the other order', async () => {
  const { patch, read } = await mint(world);
  await patch({ metro: 'Reno, NV' });
  const newest = (await read('?limit=1')).body.nextCursor;
  const oldest = (await read('?limit=1&since=0')).body.nextCursor;
  for (const query of [`?since=0&cursor=${newest}`, `?cursor=${oldest}`]) {
    const { status, body } = await read(query);
    assert.is(status, 400, query);
    assert.is(body.issues[0].path, 'cursor');
  }
});

const wrong: [query: string, path: string][] = [
  ['?since=-1', 'since'],
  ['?since=1.5', 'since'],
  ['?since=x', 'since'],
  ['?limit=0', 'limit'],
  ['?limit=201', 'limit'],
  ['?cursor=nonsense', 'cursor'],
  [`?cursor=${btoa('activity:0').replaceAll('=', '')}`, 'cursor'],
  [`?cursor=${btoa('activity:0').replaceAll('=', '')}&since=1`, 'cursor'],
];
for (const [query, path] of wrong)
  activity(`refuses ${query} and names ${path}`, async () => {
    const { read } = await mint(world);
    const { status, body } = await read(query);
    assert.is(status, 400);
    assert.equal(pluck(body.issues, 'path'), [path]);
  });

activity('needs its workspace', async () => {
  const { status, body } = await world.get(address);
  assert.is(status, 401);
  assert.is(body.code, 'unknown_workspace');
});

activity('keeps the newest 1,000 changes, and says if those after a revision are gone', async () => {
  const { patch, read } = await mint(world);
  for (let count = 2; count <= 1003; count += 1) await patch({ metro: `Place ${count}` });
  const { body } = await read('?limit=200');
  assert.is(body.activity[0].revision, 1003);
  assert.is(body.total, 1000);
  const gone = (await read('?since=2&limit=1')).body;
  assert.is(gone.truncated, true);
  assert.is(gone.total, 1000);
  assert.equal(toRevisions(gone), [4]);
  const whole = (await read('?since=3&limit=1')).body;
  assert.not('truncated' in whole);
  assert.equal(toRevisions(whole), [4]);
});

activity('answers 304 to a caller who has the current version, and 200 after a change', async () => {
  const { mine, patch, read } = await mint(world);
  const ETag = (await read()).headers.get('etag');
  const again = () => world.get(address, { ...mine, 'if-none-match': ETag });
  assert.is((await again()).status, 304);
  await patch({ metro: 'Reno, NV' });
  assert.equal(toRevisions((await again()).body), [2, 1]);
});

activity.run();
