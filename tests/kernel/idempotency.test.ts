import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../support/front.ts';
import { type Answer, type Client, connect } from '../support/http.ts';
import { makeFolder, startServer } from '../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00', skills: ['SQL'] };
const test = suite('Idempotency-Key');

const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');
const keyed = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });

function holdAsReplay(again: Answer, first: Answer): void {
  assert.is(again.status, first.status);
  assert.is(again.text, first.text);
  assert.is(replayed(again), 'true');
  for (const name of ['location', 'x-workspace', 'content-type', 'cache-control'])
    assert.is(again.headers.get(name), first.headers.get(name), name);
}

async function countIn(client: Client, workspace: string): Promise<number> {
  const { body } = await client.get('/candidates?limit=200', { 'X-Workspace': workspace });
  return body.candidates.filter(({ example }: { example: boolean }) => !example).length;
}

test('a repeated keyless create is answered with the first reply, byte for byte', async () => {
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

test('50 at once with one key mint once, and in a workspace add once', async () => {
  const { workspace } = (await client.post('/candidates', candidate)).body;
  for (const headers of [keyed(randomUUID()), keyed('k', { 'X-Workspace': workspace })]) {
    const send = () => client.post('/candidates', candidate, headers);
    const all = await Promise.all(Array.from({ length: 50 }, send));
    assert.is(new Set(all.map(({ text }) => text)).size, 1);
    assert.is(all.filter((answer) => replayed(answer) === null).length, 1);
    const { body } = all[0]!;
    assert.is(await countIn(client, body.workspace), body.workspace === workspace ? 2 : 1);
  }
});

test('the same key with another body is 422, and changes nothing', async () => {
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  for (const other of [
    { ...candidate, name: 'Bo Sample' },
    { ...candidate, extra: 1 },
    { ...candidate, skills: [] },
  ]) {
    const answer = await client.post('/candidates', other, keyed(key));
    assert.is(answer.status, 422);
    assert.equal([answer.body.type, answer.body.code], ['BLOCKED', 'idempotency_mismatch']);
    assert.is(answer.headers.get('x-workspace'), null);
  }
  holdAsReplay(await client.post('/candidates', candidate, keyed(key)), first);
});

test('under another operation or workspace it is another key', async () => {
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
  assert.equal([await countIn(client, one), await countIn(client, two)], [2, 1]);
});

test('from another address it is another key', async () => {
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

test('what was refused may be sent again, put right, under the same key', async () => {
  const key = randomUUID();
  assert.is((await client.post('/candidates', { name: 'Ann' }, keyed(key))).status, 400);
  assert.is((await client.post('/candidates', candidate, keyed(key))).status, 201);
});

test('the header on /mcp counts for a create tool, and is one with HTTP', async () => {
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  const call = (args: object) =>
    client.rpc('tools/call', { name: 'createCandidate', arguments: args }, keyed(key));
  const { result } = (await call(candidate)).body;
  assert.equal(result.structuredContent, first.body);
  assert.is(result._meta.idempotencyReplayed, true);
  const mismatch = (await call({ ...candidate, name: 'Bo' })).body.result;
  assert.equal([mismatch.isError, mismatch.structuredContent.code], [true, 'idempotency_mismatch']);
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

test('a key is forgotten with its record', async () => {
  const server = await startServer({ RETENTION_SECONDS: '1' });
  const client = await connect(server.origin);
  const key = randomUUID();
  const first = await client.post('/candidates', candidate, keyed(key));
  await new Promise((resolve) => setTimeout(resolve, 1050));
  assert.is((await client.get('/candidates', { 'X-Workspace': first.body.workspace })).status, 401);
  const later = await client.post('/candidates', candidate, keyed(key));
  assert.is(later.status, 201);
  assert.is(replayed(later), null);
  await server.stop();
});

test('a key that cannot count is 400 and says why', async () => {
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
  for (const [key, more, says] of cases) {
    const answer = await client.post('/candidates', candidate, keyed(key, more));
    assert.is(answer.status, 400, key);
    assert.is(answer.body.issues[0].path, 'Idempotency-Key');
    assert.match(answer.body.issues[0].message, says);
  }
  for (const key of ['x', 'x'.repeat(255), '"a \\"b\\" \\\\"', `"${'x'.repeat(255)}"`])
    assert.is((await client.post('/candidates', candidate, keyed(key, inside))).status, 201, key);
  assert.is((await client.post('/candidates', candidate, keyed('sixteen-letters-'))).status, 201);
});

test('the contract tells the header on every POST, and the 422', async () => {
  for (const [path, { post }] of Object.entries(client.contract.paths)) {
    // It reads: what is sent twice is answered twice.
    if (!post || path === '/titles') continue;
    const names = (post as unknown as { parameters: { name: string }[] }).parameters.map(({ name }) => name);
    assert.ok(names.includes('Idempotency-Key'), path);
    assert.ok(path === '/mcp' || post.responses[422], path);
  }
});

test.run();
