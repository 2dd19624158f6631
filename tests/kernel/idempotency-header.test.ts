import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../support/http.ts';
import { type SharedServer, useServer } from '../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const keyed = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });
const test = suite<{ server: SharedServer; client: Client }>('the header Idempotency-Key');

test.before(async (context) => {
  context.server = await useServer();
  context.client = await connect(context.server.origin);
});

test('a key that cannot count is 400 and says why', async ({ client }) => {
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

test('the contract tells the header on every POST, and the 422', async ({ client }) => {
  for (const [path, { post }] of Object.entries(client.contract.paths)) {
    // It reads: what is sent twice is answered twice.
    if (!post || path === '/titles') continue;
    const names = (post as unknown as { parameters: { name: string }[] }).parameters.map(({ name }) => name);
    assert.ok(names.includes('Idempotency-Key'), path);
    assert.ok(path === '/mcp' || post.responses[422], path);
  }
});

test.run();
