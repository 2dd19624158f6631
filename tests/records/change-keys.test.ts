import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patch, remove } from '../support/doors.ts';
import { client } from '../support/front.ts';
import type { Answer } from '../support/http.ts';
import { look, makeSandbox, refused, refusedTool, strict, toBody, unchanged } from '../support/sandbox.ts';

const keys = suite('changes under a key');

const key = (name: string) => ({ 'Idempotency-Key': name });
const prepare = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'a' })],
  });

/** Holds an answer to a repetition of another: alike in all but the mark. */
function holdRepeated(again: Answer, first: Answer): void {
  assert.equal([again.status, again.text], [first.status, first.text]);
  for (const name of ['etag', 'location', 'x-workspace'])
    assert.is(again.headers.get(name), first.headers.get(name), name);
  assert.is(first.headers.get('idempotency-replayed'), null);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
}

keys('a change is made once, whatever became of the record since', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[0].links.self;
  const ETag = (await client.get(self, mine)).headers.get('etag')!;
  const headers = { ...mine, ...key('one'), 'If-Match': ETag };
  const send = () => patch(client, self, { name: 'Bea', status: 'withdrawn', color: 'red' }, headers);
  const first = await send();
  assert.is(first.status, 200);
  assert.is(first.body.warnings[0].path, 'color', 'the warnings are kept too');
  await unchanged(client, sandbox, async () => holdRepeated(await send(), first));
  assert.is((await patch(client, self, { name: 'Cleo', status: 'available' }, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdRepeated(await send(), first));
  assert.is((await remove(client, self, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdRepeated(await send(), first));
});

keys('a batch, an erasure and a strict placement are made once', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const batch = { candidates: [toBody.candidate()], placements: [toBody.placement({ candidateId: '#a' })] };
  const placement = toBody.placement({ candidateId: '#b', jobOrderId: '#a' });
  const calls = [
    () => client.post('/batch', batch, { ...mine, ...key('two') }),
    () => client.post('/placements', placement, { ...mine, ...strict, ...key('two') }),
    () => remove(client, candidates[1].links.self, { ...mine, ...key('two') }),
  ];
  for (const send of calls) {
    const first = await send();
    assert.ok(first.status < 300, first.text);
    await unchanged(client, sandbox, async () => holdRepeated(await send(), first));
  }
});

keys('a key that was used for another body or another record is refused', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const [one, other] = candidates.map(({ links }) => links.self);
  const headers = { ...mine, ...key('three') };
  await patch(client, one, { name: 'Bea' }, headers);
  await remove(client, other, headers);
  await unchanged(client, sandbox, async () => {
    for (const body of [{ name: 'Cleo' }, { name: 'Bea', metro: null }, {}])
      refused(await patch(client, one, body, headers), 422, 'idempotency_mismatch');
    refused(await patch(client, other, { name: 'Bea' }, headers), 422, 'idempotency_mismatch');
    refused(await remove(client, one, headers), 422, 'idempotency_mismatch');
  });
});

keys('what was refused is not kept: the same key then makes the change', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[1].links.self;
  const headers = { ...mine, ...key('five') };
  const send = (body: object, more: Record<string, string> = {}) =>
    patch(client, self, body, { ...headers, ...more });
  await unchanged(client, sandbox, async () => {
    refused(await send({ ref: 'a' }), 409, 'duplicate_ref');
    refused(await send({ status: 'placed' }), 409, 'illegal_transition');
    refused(await send({ name: 'Bea' }, { 'If-Match': '"stale"' }), 412, 'changed');
    refused(await send({ name: '' }), 400, 'invalid_request');
  });
  assert.is((await remove(client, candidates[0].links.self, mine)).status, 200);
  const { status, headers: said } = await send({ ref: 'a' });
  assert.equal([status, said.get('idempotency-replayed')], [200, null]);
});

keys('by tool, the argument says the same', async () => {
  const sandbox = await prepare();
  const { workspace, candidates } = sandbox;
  const change = { id: candidates[0].id, name: 'Bea', workspace, idempotencyKey: 'six' };
  const batch = { candidates: [toBody.candidate()], workspace, idempotencyKey: 'six' };
  for (const [tool, args] of [
    ['updateCandidate', change],
    ['createBatch', batch],
  ] as const) {
    const first = await client.tool(tool, args);
    assert.is(first._meta?.idempotencyReplayed, undefined);
    const before = await look(client, sandbox);
    const again = await client.tool(tool, args);
    assert.equal(again.structuredContent, first.structuredContent);
    assert.is(again._meta.idempotencyReplayed, true);
    assert.equal(await look(client, sandbox), before);
  }
  const other = await client.tool('updateCandidate', { ...change, id: candidates[1].id });
  refusedTool(other, 'idempotency_mismatch');
  refusedTool(await client.tool('updateCandidate', { ...change, name: 'Cleo' }), 'idempotency_mismatch');
});

keys.run();
