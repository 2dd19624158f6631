import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { lean } from '../../support/lean.ts';
import { makeSandbox, refused, toBody, unchanged } from '../../support/sandbox.ts';
import { makeFolder } from '../../support/server.ts';
import { World } from '../../support/world.ts';

const test = suite('Idempotency-Key');

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00', skills: ['SQL'] };
const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed');
const keyed = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });

function holdAsReplay(again: Reply, first: Reply): void {
  assert.is(again.status, first.status);
  assert.is(again.text, first.text);
  assert.is(replayed(again), 'true');
  assert.is(replayed(first), null);
}

const prepare = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'a' })],
  });

test('the header and the argument of a tool are the same key as over HTTP', async () => {
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  const byHeader = await client.rpc(
    'tools/call',
    { name: 'createCandidate', arguments: candidate },
    keyed(key),
  );
  const byArgument = await client.tool('createCandidate', { ...candidate, idempotencyKey: key });
  for (const { structuredContent, _meta } of [byHeader.body.result, byArgument]) {
    assert.equal(structuredContent, lean(first.body));
    assert.is(_meta.idempotencyReplayed, true);
  }
});

test('a reply is repeated after a restart, and no id or key is in the files', async () => {
  const file = join(makeFolder(), 'workspaces.sqlite');
  const before = new World({ store: new SqliteStore(file) });
  const key = randomUUID();
  const first = await before.post('/candidates', candidate, keyed(key));
  const inside = keyed(`in-${key}`, { 'X-Workspace': first.body.workspace });
  const second = await before.post('/candidates', candidate, inside);
  await before.store.close();
  const bytes = readFileSync(file).toString('latin1');
  assert.ok(bytes.includes(first.body.candidate.id));
  for (const secret of [key, first.body.workspace.slice(3)]) assert.not(bytes.includes(secret));

  const after = new World({ store: new SqliteStore(file) });
  holdAsReplay(await after.post('/candidates', candidate, keyed(key)), first);
  holdAsReplay(await after.post('/candidates', candidate, inside), second);
  await after.store.close();
});

test('a change under a key is made once, even if the record has changed since', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[0].links.self;
  const ETag = (await client.get(self, mine)).headers.get('etag')!;
  const headers = { ...mine, ...keyed('one'), 'If-Match': ETag };
  const send = () => client.patch(self, { name: 'Bea', status: 'withdrawn' }, headers);
  const first = await send();
  assert.is(first.status, 200);
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
  assert.is((await client.patch(self, { name: 'Cleo', status: 'available' }, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
  assert.is((await client.delete(self, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
});

test('a key that was used for another create is refused', async () => {
  const { mine } = await prepare();
  const headers = { ...mine, ...keyed('create') };
  const first = await client.post('/candidates', candidate, headers);
  assert.is((await client.post('/candidates', candidate, headers)).text, first.text);
  const other = await client.post('/candidates', { ...candidate, name: 'Cleo' }, headers);
  refused(other, 422, 'idempotency_mismatch');
});

test('a key that was used for another body or another record is refused', async () => {
  const sandbox = await prepare();
  const [one, other] = sandbox.candidates.map(({ links }) => links.self);
  const headers = { ...sandbox.mine, ...keyed('three') };
  await client.patch(one, { name: 'Bea' }, headers);
  await unchanged(client, sandbox, async () => {
    refused(await client.patch(one, { name: 'Cleo' }, headers), 422, 'idempotency_mismatch');
    refused(await client.patch(other, { name: 'Bea' }, headers), 422, 'idempotency_mismatch');
  });
});

test('a refusal is not kept, and the same key can then make the change', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[1].links.self;
  const send = (body: object, more: Record<string, string> = {}) =>
    client.patch(self, body, { ...mine, ...keyed('five'), ...more });
  await unchanged(client, sandbox, async () => {
    refused(await send({ ref: 'a' }), 409, 'duplicate_ref');
    refused(await send({ name: 'Bea' }, { 'If-Match': '"stale"' }), 412, 'changed');
    refused(await send({ name: '' }), 400, 'invalid_request');
  });
  assert.is((await client.delete(candidates[0].links.self, mine)).status, 200);
  const sent = await send({ ref: 'a' });
  assert.is(sent.status, 200);
  assert.is(replayed(sent), null);
});

test('the contract has the header on every POST, and the 422', async () => {
  for (const [path, { post }] of Object.entries(client.contract.paths)) {
    // This POST is a read, and takes no key.
    if (!post || path === '/titles') continue;
    const names = (post.parameters ?? []).map(({ name }) => name);
    assert.ok(names.includes('Idempotency-Key'), path);
    assert.ok(path === '/mcp' || post.responses[422], path);
  }
});

test.run();
