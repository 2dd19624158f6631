import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { onetCode } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const test = suite('bounds on what a caller sends');
const candidate = { name: 'A', onetCode };
const mostRefused = 8192;

test('a refusal names at most 20 places, counts the others, and has at most 8 KiB', async () => {
  const wrong = { ...candidate, skills: Array(50).fill({}) };
  const repeated = Array.from({ length: 3000 }, (_, n) => `a${n}=1&a${n}=2`).join('&');
  const name = `${'%00%F0%9F%98%80'.repeat(20)}`;
  const long = Array.from({ length: 50 }, (_, n) => `${name}${n}=1&`.repeat(2)).join('');
  for (const { status, body, text } of [
    await client.post('/candidates', wrong),
    await client.get(`/candidates?${repeated.slice(0, 15_000)}`),
    await client.get(`/candidates?${long.slice(0, 15_000)}`),
  ]) {
    assert.is(status, 400);
    assert.ok(body.issues.length <= 21, `${body.issues.length} issues`);
    assert.match(body.issues.at(-1).message, /^and at least [\d,]+ more$/);
    assert.ok(body.reason.length < 500, body.reason);
    assert.ok(Buffer.byteLength(text) <= mostRefused, `${Buffer.byteLength(text)} bytes`);
  }
});

test('ignores unknown members, names 20 of them, and keeps a small reply for the key', async () => {
  const members = Object.fromEntries(Array.from({ length: 6350 }, (_, n) => [`${n}`, 0]));
  const headers = { 'Idempotency-Key': 'a-key-of-16-characters-or-more' };
  const { status, body, text } = await client.post('/candidates', { ...candidate, ...members }, headers);
  assert.is(status, 201);
  assert.is(body.warnings.length, 21);
  assert.is(body.warnings[20].message, 'and at least 6,330 more');
  assert.ok(text.length < mostRefused, `${text.length} bytes are kept`);
});

test('no answer contains half a character', async () => {
  const name = `${'x'.repeat(99)}😀`;
  const sent = { ...candidate, [name]: 1, '\ud800': 1 };
  const replies = [
    await client.post('/candidates', sent),
    await client.get(`/candidates?${encodeURIComponent(name)}=1`),
    await client.post(`/candidates?${encodeURIComponent(name)}=1`, candidate),
    await client.rpc('tools/call', { name }),
    await client.rpc(name),
    await client.post(
      '/mcp',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'createCandidate', arguments: sent },
      }),
    ),
  ];
  for (const { text } of replies) assert.not.match(text, /\\ud[89a-f]/i, text);
});

test('a JSON-RPC id is repeated in the reply, up to a length', async () => {
  for (const [length, status] of [
    [255, 200],
    [256, 400],
  ] as const) {
    const id = 'x'.repeat(length);
    const reply = await client.post('/mcp', { jsonrpc: '2.0', id, method: 'ping' });
    assert.is(reply.status, status);
    assert.is(reply.body.id, length === 255 ? id : null);
  }
});

test('a workspace that is full by bytes answers 402, and its records are still read by id', async () => {
  const { ask } = new World({ settings: { recordCeiling: 20 } });
  const large = { ...candidate, skills: Array(50).fill('x'.repeat(80)) };
  const { workspace, candidate: first } = (await ask('POST', '/candidates', large)).body;
  const mine = { 'x-workspace': workspace };
  let count = 1;
  let answer = await ask('POST', '/candidates', large, mine);
  for (; answer.status === 201; answer = await ask('POST', '/candidates', large, mine)) count += 1;
  assert.is(answer.status, 402);
  assert.is(answer.body.id, 'offer-record-ceiling');
  assert.ok(count * JSON.stringify(large).length <= 20 * 4096 && count > 10, `${count} records`);
  assert.is((await ask('GET', `/candidates/${first.id}`, undefined, mine)).body.candidate.name, 'A');
});

test.run();
