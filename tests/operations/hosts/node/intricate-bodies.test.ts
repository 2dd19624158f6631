import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../../support/http.ts';
import { onetCode, toBody } from '../../../support/sandbox.ts';
import { type SharedServer, useServer } from '../../../support/server.ts';

const test = suite('bodies with many parts or deep nesting');
/** The deepest nesting allowed, and the most commas, colons and brackets. */
const [mostDeep, mostParts] = [64, 40_000];
const large = 1_048_576;
let server: SharedServer;
let client: Client;

test.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const toDeep = (deep: number) => [
  '['.repeat(deep) + ']'.repeat(deep),
  `${'{"1":'.repeat(deep)}0${'}'.repeat(deep)}`,
];
const toMessage = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const toCall = (name: string, args: string) =>
  toMessage('tools/call', `{"name":"${name}","arguments":${args}}`);
const candidate = `"name":"A","onetCode":"${onetCode}"`;

test('deep nesting is refused with a 400 that says so, over HTTP and MCP', async () => {
  for (const deep of [mostDeep, 3000, 9000].flatMap(toDeep)) {
    const key = { 'Idempotency-Key': randomUUID() };
    const single = `{${candidate},"x":${deep}}`;
    const spaces = ' '.repeat(65_536);
    for (const [path, text] of [
      ['/candidates', single],
      ['/batch', `{"candidates":[{${candidate}}],"x":${deep}}${spaces}`],
    ] as const) {
      for (const headers of [{}, key]) {
        const { status, body } = await client.post(path, text, headers);
        assert.is(status, 400, path);
        assert.is(body.code, 'invalid_json', path);
        assert.match(body.reason, `nested more than ${mostDeep} deep. Send`);
      }
    }
    for (const text of [
      toCall('listOccupations', `{"y":${deep}}`),
      toCall('createBatch', `{"candidates":[{${candidate}}],"x":${deep}}${spaces}`),
      toMessage('resources/read', `{"uri":${deep}}`),
      toMessage('tools/list', `{"cursor":${deep}}`),
    ]) {
      const { status, body } = await client.post('/mcp', text);
      assert.is(status, 400);
      assert.is(body.error.code, -32600);
      assert.is(body.error.data.code, 'invalid_json');
      assert.match(body.error.message, `nested more than ${mostDeep} deep`);
    }
  }
});

test('less nesting is accepted, and brackets in a text do not count', async () => {
  for (const deep of toDeep(mostDeep - 1)) {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { status, body } = await client.post('/candidates', `{${candidate},"x":${deep}}`, headers);
    assert.is(status, 201);
    assert.is(body.warnings.length, 1);
  }
  for (const name of ['[{'.repeat(90), `\\"${'['.repeat(90)}`, `\\\\\\"${'{'.repeat(90)}\\\\`]) {
    const { status, body } = await client.post('/candidates', `{"name":"${name}","onetCode":"${onetCode}"}`);
    assert.is(status, 201);
    assert.equal(body.candidate?.name, JSON.parse(`"${name}"`));
  }
});

test('a body with very many parts is refused before it is parsed, whatever the parts are', async () => {
  const dense = [
    ['members', '"a":1', '{}'],
    ['members with spaces', '"a" :1', '{}'],
    ['values', '1', '[]'],
    ['lists', '[]', '[]'],
  ] as const;
  for (const [what, part, [open, close]] of dense) {
    const text = `${open}${Array(mostParts).fill(part).join()}${close}`;
    assert.ok(text.length < large);
    const reply = await client.post('/batch', `{"candidates":[{${candidate}}],"x":${text}}`);
    assert.is(reply.status, 413, what);
    assert.is(reply.body.code, 'body_too_large', what);
    assert.match(reply.body.reason, '40,000 members and values');
    const { status, body } = await client.post('/mcp', toCall('createBatch', `{"x":${text}}`));
    assert.is(status, 413, what);
    assert.is(body.error.data.code, 'body_too_large', what);
  }
});

test('a batch of the most records with the most members is accepted, twice over', async () => {
  const skills = Array.from({ length: 50 }, (_, index) => `${index},:[{`);
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, index]));
  const ref = (index: number) => ({ ref: `r${index}`, metro: 'Columbus, OH', skills, ...unknown });
  const candidates = Array.from({ length: 200 }, (_, index) => toBody.candidate(ref(index)));
  const { status, body } = await client.post('/batch', { candidates });
  assert.is(status, 201);
  assert.is(body.candidates.length, 200);
  const jobOrders = candidates.map((_, index) =>
    toBody.jobOrder({ ...ref(index), billRateUsdHour: 1, openings: 1 }),
  );
  assert.is((await client.post('/batch', { jobOrders })).status, 201);
});

test.run();
