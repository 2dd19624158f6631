import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../../support/front.ts';
import { type Client, connect, type Reply } from '../../support/http.ts';
import { lean } from '../../support/lean.ts';
import { look, makeSandbox, refused, refusedTool, strict, toBody, unchanged } from '../../support/sandbox.ts';
import { makeFolder, startServer } from '../../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00', skills: ['SQL'] };
const test = suite('Idempotency-Key');

const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed');
const keyed = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });

function holdAsReplay(again: Reply, first: Reply): void {
  assert.is(again.status, first.status);
  assert.is(again.text, first.text);
  assert.is(replayed(again), 'true');
  assert.is(replayed(first), null);
  for (const name of ['etag', 'location', 'x-workspace', 'content-type', 'cache-control'])
    assert.is(again.headers.get(name), first.headers.get(name), name);
}

async function countIn(client: Client, workspace: string): Promise<number> {
  const { body } = await client.get('/candidates?limit=200', { 'X-Workspace': workspace });
  return body.candidates.filter(({ example }: { example: boolean }) => !example).length;
}

test('a repeated keyless create gets the first reply, byte for byte', async () => {
  const key = randomUUID();
  const body = { ...candidate, nickname: 'ignored' };
  const first = await client.post('/candidates?x=1', body, keyed(key));
  assert.is(first.status, 201);
  assert.is(first.body.warnings.length, 2);
  assert.is(replayed(first), null);
  const again = await client.post('/candidates?x=1', body, keyed(`"${key}"`));
  holdAsReplay(again, first);
  const reordered = Object.fromEntries(Object.entries(body).reverse());
  holdAsReplay(await client.post('/candidates', reordered, keyed(key)), first);
  assert.is(await countIn(client, first.body.workspace), 1);
});

test('a repeated delete by ref gets the first reply, although the ref is gone', async () => {
  const { mine } = await makeSandbox(client, { candidates: [{ ...candidate, ref: 'ann' }] });
  const headers = keyed(randomUUID(), mine);
  const first = await client.delete('/candidates/%23ann', headers);
  assert.is(first.status, 200);
  holdAsReplay(await client.delete('/candidates/%23ann', headers), first);
});

test('a repeated change of a ref gets the first reply', async () => {
  const { mine } = await makeSandbox(client, { candidates: [{ ...candidate, ref: 'ann' }] });
  const headers = keyed(randomUUID(), mine);
  const first = await client.patch('/candidates/%23ann', { ref: 'bea' }, headers);
  assert.is(first.status, 200);
  holdAsReplay(await client.patch('/candidates/%23ann', { ref: 'bea' }, headers), first);
});

test('another operation or workspace makes it another key', async () => {
  const key = randomUUID();
  const job = { client: 'Example Co', title: 'Developer', onetCode: '15-1252.00' };
  const minted = await Promise.all([
    client.post('/candidates', candidate, keyed(key)),
    client.post('/job-orders', job, keyed(key)),
  ]);
  const [one, two] = minted.map(({ body }) => body.workspace);
  assert.is.not(one, two);
  for (const workspace of [one, two, one]) {
    const answer = await client.post('/candidates', candidate, keyed(key, { 'X-Workspace': workspace }));
    assert.is(answer.status, 201);
    assert.is(answer.body.workspace, workspace);
  }
  assert.is(await countIn(client, one), 2);
  assert.is(await countIn(client, two), 1);
});

test('another address makes it another key', async () => {
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  const elsewhere = await connect(`http://[::1]:${server.port}`);
  const other = await elsewhere.post('/candidates', candidate, keyed(key));
  const addresses = await Promise.all(
    ['127.0.0.1', '127.0.0.2'].map(async (host) =>
      (await connect(`http://${host}:${server.port}`)).post('/candidates', candidate, keyed(key)),
    ),
  );
  const all = [first, other, ...addresses];
  assert.ok(all.every(({ status }) => status === 201));
  assert.is(new Set(all.map(({ body }) => body.workspace)).size, 2, 'by IPv4 and by IPv6');
});

test('the header on /mcp counts for a create tool, and is the same key as over HTTP', async () => {
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  const call = (args: object) =>
    client.rpc('tools/call', { name: 'createCandidate', arguments: args }, keyed(key));
  const { result } = (await call(candidate)).body;
  assert.equal(result.structuredContent, lean(first.body));
  assert.is(result._meta.idempotencyReplayed, true);
  const mismatch = (await call({ ...candidate, name: 'Bo' })).body.result;
  assert.is(mismatch.isError, true);
  assert.is(mismatch.structuredContent.code, 'idempotency_mismatch');
});

test('a replay survives a restart, and no id or key is in the files', async () => {
  const folder = makeFolder();
  const before = await startServer({ DATA_DIR: folder });
  const key = randomUUID();
  const first = await (await connect(before.origin)).post('/candidates', candidate, keyed(key));
  const inside = keyed(`in-${key}`, { 'X-Workspace': first.body.workspace });
  const second = await (await connect(before.origin)).post('/candidates', candidate, inside);
  await before.stop();
  const bytes = readFileSync(join(folder, 'workspaces.sqlite')).toString('latin1');
  assert.ok(bytes.includes(first.body.candidate.id));
  for (const secret of [key, first.body.workspace.slice(3)]) assert.not(bytes.includes(secret));
  const after = await startServer({ DATA_DIR: folder });
  const client = await connect(after.origin);
  holdAsReplay(await client.post('/candidates', candidate, keyed(key)), first);
  holdAsReplay(await client.post('/candidates', candidate, inside), second);
  await after.stop();
});

test('an invalid key is 400, and the refusal says why', async () => {
  const { body } = await client.post('/candidates', candidate);
  const inside = { 'X-Workspace': body.workspace };
  const cases: [string, Record<string, string>, RegExp][] = [
    ['', {}, /1 to 255/],
    ['""', inside, /1 to 255/],
    ['x'.repeat(256), inside, /1 to 255/],
    [`"${'x'.repeat(256)}"`, inside, /1 to 255/],
    ['fifteen-letters', {}, /at least 16/],
    ['"fifteen-letters"', {}, /at least 16/],
    ['two keys', inside, /one key/],
    ['one, two', inside, /one key/],
    ['"open', inside, /one key/],
    ['"bad \\x escape"', inside, /one key/],
    ['"tab\there"', inside, /one key/],
    ['caf\u00e9', inside, /one key/],
    ['"key";version=1', inside, /one key/],
  ];
  const { parameters } = client.contract.paths['/candidates']!.post!;
  const { pattern } = parameters!.find(({ name }) => name === 'Idempotency-Key')!.schema as {
    pattern: string;
  };
  for (const [key, more, says] of cases) {
    if (says.source !== 'at least 16')
      assert.not.match(key, new RegExp(pattern), 'the contract says the same');
    const answer = await client.post('/candidates', candidate, keyed(key, more));
    assert.is(answer.status, 400, key);
    assert.is(answer.body.issues[0].path, 'Idempotency-Key');
    assert.match(answer.body.issues[0].message, says);
  }
  for (const key of ['x', 'x'.repeat(255), '"a \\"b\\" \\\\"', `"${'x'.repeat(255)}"`]) {
    assert.match(key, new RegExp(pattern));
    assert.is((await client.post('/candidates', candidate, keyed(key, inside))).status, 201, key);
  }
  assert.is((await client.post('/candidates', candidate, keyed('sixteen-letters-'))).status, 201);
});

const prepare = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'a' })],
  });

test('a change under a key is made once, even if the record has changed since', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[0].links.self;
  const ETag = (await client.get(self, mine)).headers.get('etag')!;
  const headers = { ...mine, ...keyed('one'), 'If-Match': ETag };
  const send = () => client.patch(self, { name: 'Bea', status: 'withdrawn', color: 'red' }, headers);
  const first = await send();
  assert.is(first.status, 200);
  assert.is(first.body.warnings[0].path, 'color', 'the warnings are kept too');
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
  assert.is((await client.patch(self, { name: 'Cleo', status: 'available' }, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
  assert.is((await client.delete(self, mine)).status, 200);
  await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
});

test('a batch, an erasure and a strict placement under a key are made once', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const batch = { candidates: [toBody.candidate()], placements: [toBody.placement({ candidateId: '#a' })] };
  const placement = toBody.placement({ candidateId: '#b', jobOrderId: '#a' });
  const calls = [
    () => client.post('/batch', batch, { ...mine, ...keyed('two') }),
    () => client.post('/placements', placement, { ...mine, ...strict, ...keyed('two') }),
    () => client.delete(candidates[1].links.self, { ...mine, ...keyed('two') }),
  ];
  for (const send of calls) {
    const first = await send();
    assert.ok(first.status < 300, first.text);
    await unchanged(client, sandbox, async () => holdAsReplay(await send(), first));
  }
});

test('a key that was used for another body or another record is refused', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const [one, other] = candidates.map(({ links }) => links.self);
  const headers = { ...mine, ...keyed('three') };
  await client.patch(one, { name: 'Bea' }, headers);
  await client.delete(other, headers);
  await unchanged(client, sandbox, async () => {
    for (const body of [{ name: 'Cleo' }, { name: 'Bea', metro: null }, {}])
      refused(await client.patch(one, body, headers), 422, 'idempotency_mismatch');
    refused(await client.patch(other, { name: 'Bea' }, headers), 422, 'idempotency_mismatch');
    refused(await client.delete(one, headers), 422, 'idempotency_mismatch');
  });
});

test('a refusal is not kept, and the same key can then make the change', async () => {
  const sandbox = await prepare();
  const { mine, candidates } = sandbox;
  const self = candidates[1].links.self;
  const headers = { ...mine, ...keyed('five') };
  const send = (body: object, more: Record<string, string> = {}) =>
    client.patch(self, body, { ...headers, ...more });
  await unchanged(client, sandbox, async () => {
    refused(await send({ ref: 'a' }), 409, 'duplicate_ref');
    refused(await send({ status: 'placed' }), 409, 'illegal_transition');
    refused(await send({ name: 'Bea' }, { 'If-Match': '"stale"' }), 412, 'changed');
    refused(await send({ name: '' }), 400, 'invalid_request');
  });
  assert.is((await client.delete(candidates[0].links.self, mine)).status, 200);
  const { status, headers: said } = await send({ ref: 'a' });
  assert.is(status, 200);
  assert.is(said.get('idempotency-replayed'), null);
});

test('a tool takes the key as an argument too', async () => {
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

test('the contract has the header on every POST, and the 422', async () => {
  for (const [path, { post }] of Object.entries(client.contract.paths)) {
    // This POST is a read, and takes no key.
    if (!post || path === '/titles') continue;
    const names = (post as unknown as { parameters: { name: string }[] }).parameters.map(({ name }) => name);
    assert.ok(names.includes('Idempotency-Key'), path);
    assert.ok(path === '/mcp' || post.responses[422], path);
  }
});

test.run();
