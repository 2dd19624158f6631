import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import { client } from '../../support/in-process.ts';
import { toCounts } from '../../support/metered.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, refused, strict, toBody } from '../../support/sandbox.ts';

const test = suite('the meter');

const usageOf = async (workspace: string) =>
  (await client.get('/workspace', inside(workspace))).body.workspace.usage;

test('counts the same over HTTP, by tool and in a batch', async () => {
  const { body } = await client.post('/candidates', toBody.candidate());
  const { workspace } = body;
  const mine = inside(workspace);
  await client.post('/candidates', toBody.candidate(), mine);
  await client.tool('createCandidate', { ...toBody.candidate(), workspace });
  await client.post('/job-orders', toBody.jobOrder(), mine);
  const batch = {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate()],
    jobOrders: [toBody.jobOrder({ ref: 'b' })],
    placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#b' })],
  };
  const { placements, jobOrders } = (await client.post('/batch', batch, mine)).body;
  await client.tool('createBatch', { candidates: [toBody.candidate()], workspace });
  const path = `/candidates/${body.candidate.id}`;
  for (const address of [path, '/candidates/cand_001', `/job-orders/${jobOrders[0].id}`])
    assert.is((await client.get(address, mine)).status, 200);
  assert.is((await client.ask('HEAD', path, undefined, mine)).status, 200);
  assert.is((await client.get(`/placements/${placements[0].id}`, mine)).status, 200);
  assert.not((await client.tool('getCandidate', { id: body.candidate.id, workspace })).isError);
  const usage = await usageOf(workspace);
  assert.equal(toCounts(usage), {
    createCandidate: 6,
    createJobOrder: 2,
    createPlacement: 1,
    getCandidate: 4,
    getJobOrder: 1,
    getPlacement: 1,
  });
});

test('does not count what is refused, empty, unchanged, repeated, free or anonymous', async () => {
  const batch = { candidates: [toBody.candidate({ ref: 'a' })], jobOrders: [toBody.jobOrder()] };
  const { workspace, mine, candidates, jobOrders } = await makeSandbox(client, batch);
  const path = `/candidates/${candidates[0].id}`;
  const read = await client.get(path, mine);
  const key = { 'Idempotency-Key': 'a-key-of-this-test' };
  const keyed = (more = {}) => client.post('/candidates', toBody.candidate(more), { ...mine, ...key });
  assert.is((await keyed()).status, 201);
  const counted = { createCandidate: 2, createJobOrder: 1, getCandidate: 1 };
  assert.equal(toCounts(await usageOf(workspace)), counted);

  assert.is((await keyed()).headers.get('idempotency-replayed'), 'true');
  refused(await keyed({ name: 'Eve' }), 422, 'idempotency_mismatch');
  refused(await client.post('/candidates', { name: 'A' }, mine), 400, 'invalid_request');
  refused(await client.post('/candidates', '{', mine), 400, 'invalid_json');
  refused(await client.post('/candidates', toBody.candidate({ ref: 'a' }), mine), 409, 'duplicate_ref');
  const nobody = toBody.placement({ candidateId: 'cand_x' });
  refused(await client.post('/placements', nobody, { ...mine, ...strict }), 409, 'conflict');
  assert.is((await client.post('/batch', { candidates: [{}] }, mine)).status, 400);
  for (const tag of [read.headers.get('etag')!, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const asked = await client.ask(method, path, undefined, { ...mine, 'If-None-Match': tag });
      assert.is(asked.status, 304);
    }
  }
  assert.is((await client.get('/candidates/cand_none', mine)).status, 404);
  assert.is((await client.get('/candidates/%zz', mine)).status, 400);
  assert.is((await client.post(path, undefined, mine)).status, 405);
  refused(await client.get(path, { ...mine, ...inside('ws_none') }), 401, 'unknown_workspace');
  assert.ok((await client.tool('getCandidate', { id: 'cand_none', workspace })).structuredContent);
  assert.ok((await client.tool('getCandidate', { id: candidates[0].id, workspace, worksapce: 1 })).isError);
  for (const address of ['/candidates', '/candidates?scope=workspace', '/workspace', '/workspace/export'])
    assert.is((await client.get(address, mine)).status, 200);
  assert.is((await client.get(`/job-orders/${jobOrders[0].id}/matches`, mine)).status, 200);
  assert.is((await client.patch(path, { name: 'Zoe' }, mine)).status, 200);
  assert.is((await client.delete(`/job-orders/${jobOrders[0].id}`, mine)).status, 200);
  for (const address of ['/candidates/cand_001', '/candidates/cand_001?x=1'])
    assert.is((await client.get(address)).status, 200);
  assert.is((await client.get('/candidates/cand_001.json', mine)).status, 200);
  assert.equal(toCounts(await usageOf(workspace)), counted);
});

test('the workspace shows its usage, and its ETag changes with it', async () => {
  const { mine, candidates } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const { body, headers } = await client.get('/workspace', mine);
  const { usage, revision } = body.workspace;
  const { period, operations, ...rest } = usage;
  assert.is(period, new Date().toISOString().slice(0, 7));
  const ceiling = { hardCeiling: 25, authorised: 25, remaining: 25 };
  assert.equal(rest, { unit: 'usd-per-month', settlement: 'inactive', total: 0, ...ceiling });
  const names = ['Candidate', 'JobOrder', 'Placement'].flatMap((kind) => [`create${kind}`, `get${kind}`]);
  assert.equal(pluck(operations, 'operation').sort(), names.sort());
  const ask = () => client.get('/workspace', { ...mine, 'If-None-Match': headers.get('etag')! });
  assert.is((await ask()).status, 304);
  await client.get(`/candidates/${candidates[0].id}`, mine);
  const after = await ask();
  assert.is(after.status, 200);
  assert.is(after.body.workspace.revision, revision, 'a read changes no revision');
  assert.is(after.body.workspace.expiresAt, body.workspace.expiresAt);
  const list = await client.get('/candidates', mine);
  await client.get(`/candidates/${candidates[0].id}`, mine);
  const again = await client.get('/candidates', { ...mine, 'If-None-Match': list.headers.get('etag')! });
  assert.is(again.status, 304, 'a read keeps the ETag of a list');
});

test('every metered operation has 402, and the documents name the meter', async () => {
  const { body } = await client.get('/openapi.json');
  const rows = Object.values(body.paths).flatMap((path) => Object.values(path as object));
  const { rates } = (await client.get('/pricing')).body;
  for (const { operation, price } of rates) {
    const row = rows.find(({ operationId }) => operationId === operation);
    if (price > 0) assert.ok(row.responses[402], `${operation} has no 402`);
  }
  for (const path of ['/llms.txt', '/pricing.md', '/index.md'])
    assert.match((await client.get(path)).text, /GET \/workspace/, path);
  const { meter } = (await client.get('/.well-known/agents.json')).body.monetization;
  assert.is(meter.url, '/workspace');
  assert.is(meter.member, 'usage');
  assert.is(meter.mode, 'on');
});

test.run();
