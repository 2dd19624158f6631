import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boundExport } from '../../../src/records/account/export.ts';
import { today } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';
import { changePlacement, openSmallDesk, place } from '../../support/small-desk.ts';

const bad = suite('a history that is imported, if it is not what it says');

const entry = (more: object = {}) => ({
  at: '2026-01-02T03:04:05.678Z',
  via: 'http',
  operation: 'updateCandidate',
  changes: [{ member: 'metro', from: null, to: 'Reno, NV' }],
  ...more,
});
const change = (more: object) => entry({ changes: [more] });

const operations = 'must be the operationId of an operation that changes records';
const faults: [what: string, history: unknown, place: string, message: string | RegExp][] = [
  ['a text', 'none', '', 'must be an array of objects'],
  ['101 entries', Array(101).fill(entry()), '', 'must hold at most 100 entries'],
  ['an entry that is no object', [7], '[0]', 'must be an object'],
  ['an entry without a time', [entry({ at: undefined })], '[0].at', /^is missing/],
  ['a time that does not exist', [entry({ at: '2026-02-30T00:00:00Z' })], '[0].at', /RFC 3339/],
  ['a time in the future', [entry({ at: `${today}T12:00:00.001Z` })], '[0].at', /^is in the future/],
  ['an unknown way', [entry(), entry({ via: 'fax' })], '[1].via', /^must be one of http, mcp/],
  ['an unknown operation', [entry({ operation: 'sellCandidate' })], '[0].operation', operations],
  ['an operation that only reads', [entry({ operation: 'getCandidate' })], '[0].operation', operations],
  ['a day that does not exist', [entry({ effectiveDate: '2026-02-31' })], '[0].effectiveDate', /calendar/],
  ['a reason of 201 characters', [entry({ reason: 'x'.repeat(201) })], '[0].reason', /at most 200/],
  ['an actor with a control character', [entry({ actor: 'Da\u0007na' })], '[0].actor', /control/],
  ['an unknown status', [entry({ to: 'sold' })], '[0].to', /^must be one of available/],
  ['an unknown member', [change({ member: 'ssn', to: '1' })], '[0].changes[0].member', /^must be one of /],
  ['a text of a note', [change({ member: 'note', to: 'x' })], '[0].changes[0]', /^is private/],
  [
    'a value that is an object',
    [change({ member: 'metro', to: {} })],
    '[0].changes[0].to',
    /^must be a text/,
  ],
  [
    'a value of 201 characters',
    [change({ member: 'title', from: null, to: 'x'.repeat(201) })],
    '[0].changes[0].to',
    /200/,
  ],
  [
    '64 kB in all',
    Array.from({ length: 17 }, () =>
      change({ member: 'skills', added: Array(19).fill('x'.repeat(200)), removed: [] }),
    ),
    '',
    'must have at most 65536 bytes; send fewer entries',
  ],
  [
    'a time before the year 0',
    [entry({ at: '0000-01-01T00:00:00+14:00' })],
    '[0].at',
    'must be an RFC 3339 time such as 2026-11-27T09:00:00Z',
  ],
  [
    'a change that says only what was',
    [change({ member: 'metro', from: 'A' })],
    '[0].changes[0]',
    'has one of from and to; send both, or neither',
  ],
  [
    'an item that is null',
    [change({ member: 'skills', added: [null], removed: [] })],
    '[0].changes[0].added[0]',
    'must be a text, a number, true or false',
  ],
  [
    'an entry of more than 4 kB',
    [change({ member: 'skills', added: Array(25).fill('x'.repeat(200)), removed: [] })],
    '[0]',
    'must have at most 4096 bytes',
  ],
];

/** Pairs of values that look like days, and are none or are far away. */
const oddDays = [
  ['2026-99-99', 'B'],
  ['0000-00-00', null],
  [null, '9999-99-99'],
  ['2026-01-01', '2026-13-01'],
];
for (const [from, to] of oddDays)
  bad(`is read with the days ${from} and ${to}`, async () => {
    const { read } = await importOne([change({ member: 'metro', from, to })]);
    assert.match((await read())[1]!.sentence, /^Metro/);
  });

bad('comes with refs of which only texts count', async () => {
  const { ask } = await openSmallDesk();
  const sent = {
    exportedAt: '2026-11-01T00:00:00.000Z',
    refs: { zz: { toString: 1, valueOf: 1 } },
    placements: [{ candidateId: 'zz', jobOrderId: '#o', onetCode }],
  };
  const { status, body } = await ask('POST', '/batch', sent);
  assert.is(status, 201);
  assert.is(body.placements[0].candidateId, 'zz');
});

for (const [what, history, place, message] of faults)
  bad(`is refused with ${what}, and nothing is lost`, async () => {
    const { ask } = await openSmallDesk();
    const send = (sent: unknown) =>
      ask('POST', '/batch', { candidates: [{ ref: 'new', name: 'Cy Sample', onetCode, history: sent }] });
    const { status, body } = await send(history);
    assert.is(status, 400);
    assert.equal(pluck(body.issues, 'path'), [`candidates[0].history${place}`]);
    if (typeof message === 'string') assert.is(body.issues[0].message, message);
    else assert.match(body.issues[0].message, message);
    assert.is((await ask('GET', '/workspace')).body.workspace.records.candidates, 2);
    assert.is((await send([entry()])).status, 201);
  });

/** Imports one candidate with a history, and returns it as it reads. */
async function importOne(history: readonly object[], more: object = {}) {
  const desk = await openSmallDesk();
  const sent = { candidates: [{ ref: 'new', name: 'Cy Sample', onetCode, history, ...more }] };
  const { body } = await desk.post('/batch', sent);
  const { id } = body.candidates[0];
  const read = async (query = ''): Promise<Body[]> =>
    (await desk.get(`/workspace/activity?record=${id}${query}`)).body.activity;
  return { ...desk, id: id as string, read };
}

bad('is marked in each entry, and is no part of what the workspace recorded', async () => {
  const { read, ask, world, workspace } = await importOne([entry(), entry({ reason: 'A move' })]);
  assert.equal(pluck(await read(), 'imported'), [undefined, true, true]);
  assert.equal(pluck(await read(), 'revision'), [2, 0, 0]);
  assert.equal(pluck(await read('&since=0'), 'revision'), [2]);
  assert.is((await ask('GET', '/workspace/activity')).body.total, 2);
  const { hash } = (await world.service.openWorkspace(workspace, {})) as { hash: string };
  const stored = await world.store.readActivity((await world.store.open(hash))!, { limit: 100 });
  assert.equal(pluck(stored as unknown as Body[], 'revision'), [2, 1]);
});

bad('pushes out nothing that the workspace recorded', async () => {
  const { ask } = await openSmallDesk();
  for (let count = 0; count < 15; count += 1) {
    const history = Array.from({ length: 100 }, () => entry());
    await ask('POST', '/batch', { candidates: [{ name: `Person ${count}`, onetCode, history }] });
  }
  const { body } = await ask('GET', '/workspace/activity?since=0&limit=100');
  assert.is(body.activity[0].revision, 1);
  assert.is(body.total, 16);
});

bad('gives a placement no outcome and no receipt', async () => {
  const validated = entry({
    via: 'confirmation',
    operation: 'answerConfirmation',
    changes: [
      { member: 'outcome.result', from: 'pending', to: 'retained' },
      { member: 'outcome.validated', from: false, to: true },
    ],
  });
  const { ask } = await openSmallDesk();
  const placements = [
    { candidateId: '#a', jobOrderId: '#o', onetCode, startDate: '2026-01-05', history: [validated] },
  ];
  const { body } = await ask('POST', '/batch', { placements });
  const [placed] = body.placements;
  assert.is(placed.outcome.result, 'pending');
  assert.is(placed.outcome.validated, false);
  assert.not('history' in placed);
  assert.ok((await ask('GET', `/placements/${placed.id}/receipt`)).status >= 400);
  const history = (await ask('GET', `/workspace/activity?record=${placed.id}`)).body.activity;
  assert.is(history[1].via, 'confirmation');
  assert.is(history[1].imported, true);
});

bad('stays through changes, cannot be changed, and goes with its record', async () => {
  const { ask, id, read, world, workspace } = await importOne([entry({ reason: 'mark-of-history' })]);
  await ask('PATCH', `/candidates/${id}`, { status: 'withdrawn', history: [] });
  await ask('PATCH', `/candidates/${id}`, { history: [entry()] });
  assert.equal(pluck(await read(), 'operation'), ['updateCandidate', 'createBatch', 'updateCandidate']);
  assert.not.match((await ask('GET', `/candidates/${id}`)).text, 'mark-of-history');
  assert.match((await ask('GET', '/workspace/export')).text, 'mark-of-history');

  await ask('DELETE', `/candidates/${id}`);
  assert.equal(pluck(await read(), 'imported'), [undefined, undefined, undefined]);
  const { hash } = (await world.service.openWorkspace(workspace, {})) as { hash: string };
  const texts: string[] = [];
  for await (const { records } of world.store.load((await world.store.open(hash))!))
    texts.push(...records.map(({ text }) => text));
  assert.not.match(texts.join(), 'mark-of-history');
});

bad('counts in the bytes that a workspace may hold', async () => {
  const history = Array.from({ length: 50 }, () => entry());
  const [full, empty] = [await importOne(history), await importOne([])];
  const readBytes = async ({ world, workspace }: typeof full) => {
    const { hash } = (await world.service.openWorkspace(workspace, {})) as { hash: string };
    return (await world.store.open(hash))!.bytes;
  };
  const more = (await readBytes(full)) - (await readBytes(empty));
  assert.ok(Math.abs(more - JSON.stringify(history).length) < 100, String(more));
});

bad('is not taken by an upsert of a record that is known', async () => {
  const { ask, read } = await importOne([entry()]);
  const candidates = [{ ref: 'new', name: 'Cy Other', history: [entry({ reason: 'forged' }), entry()] }];
  const { status, body } = await ask('POST', '/batch', { candidates, upsert: true });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(pluck(await read(), 'imported'), [undefined, undefined, true]);
  assert.not.match(JSON.stringify(await read()), 'forged');
});

bad('is read in pages that join', async () => {
  const history = Array.from({ length: 100 }, (_, index) => entry({ reason: `No ${index}` }));
  const { ask, id, read } = await importOne(history);
  const whole = pluck(await read('&limit=200'), 'reason');
  assert.is(whole.length, 101);
  const paged: unknown[] = [];
  for (let cursor = ''; cursor !== undefined; ) {
    const path = `/workspace/activity?record=${id}&limit=7${cursor && `&cursor=${cursor}`}`;
    const { body } = await ask('GET', path);
    paged.push(...pluck(body.activity, 'reason'));
    cursor = body.nextCursor;
  }
  assert.equal(paged, whole);
});

bad('leaves its oldest entries out of an export that a batch could not take', async () => {
  const added = Array(19).fill('x'.repeat(200));
  const history = Array.from({ length: 16 }, (_, index) =>
    entry({ reason: `No ${index}`, changes: [{ member: 'skills', added }] }),
  );
  const { ask, world, id } = await importOne(history);
  const skills = Array.from({ length: 30 }, (_, index) => `${index} ${'y'.repeat(70)}`);
  assert.is((await ask('PATCH', `/candidates/${id}`, { skills })).status, 200);
  const page = (await ask('GET', '/workspace/export')).body;
  const reasons = pluck(page.candidates[2].history, 'reason');
  assert.equal(reasons.slice(-3), ['No 15', undefined, undefined]);
  assert.ok(reasons.length < 18);
  assert.is((await world.post('/batch', page)).status, 201);
});

bad('is left out of an export where it is not wanted', async () => {
  const { ask, tool, workspace } = await importOne([entry()]);
  const read = async (query: string) => (await ask('GET', `/workspace/export${query}`)).body.candidates[2];
  assert.is((await read('')).history.length, 2);
  assert.not('history' in (await read('?history=false')));
  const { candidates } = (await tool('exportWorkspace', { workspace })).structuredContent;
  assert.not('history' in candidates[2]);
});

bad('names the new id of a record that is on another page', async () => {
  const from = await openSmallDesk();
  await place(from, { ref: 'x' });
  await changePlacement(from, 'x', { candidateId: '#b' });
  const to = await openSmallDesk();
  for (let cursor = ''; cursor !== undefined; ) {
    const { body } = await from.get(`/workspace/export?limit=1${cursor && `&cursor=${cursor}`}`);
    const rows = Object.entries(body).filter(([, value]) => Array.isArray(value));
    // The world to import into has such refs too.
    const page = JSON.parse(JSON.stringify(Object.fromEntries(rows)).replaceAll(/"ref":"/g, '"ref":"new-'));
    const refs = Object.fromEntries(Object.entries(body.refs ?? {}).map(([id, ref]) => [id, `new-${ref}`]));
    const made = await to.post('/batch', { ...page, refs, exportedAt: body.exportedAt });
    assert.is(made.status, 201, made.text);
    cursor = body.nextCursor;
  }
  const idOf = async (ref: string) => (await to.get(`/candidates/%23${ref}`)).body.candidate.id;
  const { id } = (await to.get('/placements/%23new-x')).body.placement;
  const { activity } = (await to.get(`/workspace/activity?record=${id}`)).body;
  const told = activity.flatMap(({ changes = [] }: Body) => changes);
  const moved = told.find(({ member }: Body) => member === 'candidateId');
  assert.equal([moved.from, moved.to], [await idOf('new-a'), await idOf('new-b')]);
});

bad('fits with all others into the bytes that are reserved for an export', async () => {
  const { ask, world, workspace } = await openSmallDesk();
  const candidates = Array.from({ length: 100 }, (_, at) => ({ ref: `c${at}`, name: 'A', onetCode }));
  await ask('POST', '/batch', { candidates }, { 'x-actor': encodeURIComponent('\u{1f600}'.repeat(40)) });
  const opened = await world.service.openWorkspace(workspace, {});
  const { text } = await ask('GET', '/workspace/export');
  const bound = boundExport({ workspace: opened } as unknown as Parameters<typeof boundExport>[0]);
  assert.ok(Buffer.byteLength(text) <= bound, `${Buffer.byteLength(text)} of ${bound}`);
});

bad.run();
