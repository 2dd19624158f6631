import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { onetCode } from '../../support/sandbox.ts';
import { startServer } from '../../support/server.ts';
import { World } from '../../support/world.ts';

const test = suite('bounds on what a caller sends');
const candidate = { name: 'A', onetCode };
const mostRefused = 8192;

test('a number of 15,900 digits is refused for its length', async () => {
  const long = `${'1'.repeat(15_900)}x`;
  for (const path of ['/candidates?limit=', '/occupations?jobZone=', '/placements?spend=']) {
    const { status, body } = await client.get(path + long);
    assert.is(status, 400);
    assert.is(body.code, 'invalid_request');
    assert.is(body.issues.length, 1);
  }
});

test('an array above its limit is refused for its length alone', async () => {
  const skills = Array.from({ length: 32_000 }, () => 1);
  const { status, body, text } = await client.post('/candidates', { ...candidate, skills });
  assert.is(status, 400);
  assert.equal(body.issues, [{ path: 'skills', message: 'must hold at most 50 skills' }]);
  assert.ok(text.length < mostRefused);
  const result = await client.tool('createCandidate', { ...candidate, skills: skills.slice(0, 31_000) });
  assert.equal(result.structuredContent.issues, body.issues);
});

test('a refusal names at most 20 places, counts the others, and has at most 8 KiB', async () => {
  const wrong = { ...candidate, skills: Array(50).fill({}) };
  const repeated = Array.from({ length: 3000 }, (_, n) => `a${n}=1&a${n}=2`)
    .join('&')
    .slice(0, 15_000);
  const long = Array.from({ length: 50 }, (_, n) => `${'%00%F0%9F%98%80'.repeat(20)}${n}=1&`.repeat(2)).join(
    '',
  );
  for (const reply of [
    await client.post('/candidates', wrong),
    await client.get(`/candidates?${repeated}`),
    await client.get(`/candidates?${long.slice(0, 15_000)}`),
  ]) {
    const { status, body, text } = reply;
    const { issues } = body;
    assert.is(status, 400);
    assert.ok(issues.length <= 21, `${issues.length} issues`);
    assert.match(issues.at(-1).message, /^and at least [\d,]+ more$/);
    assert.ok(Buffer.byteLength(text) <= mostRefused, `${Buffer.byteLength(text)} bytes`);
  }
  const { body } = await client.post('/candidates', wrong);
  assert.is(body.issues.length, 21);
  assert.is(body.issues[20].message, 'and at least 30 more');
  const { body: answer, text } = await client.rpc('tools/call', {
    name: 'createCandidate',
    arguments: wrong,
  });
  assert.is(answer.result.structuredContent.issues.length, 21);
  assert.ok(text.length <= mostRefused, `${text.length} bytes over MCP`);
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

test('a reply that caches may keep does not mention its caller', async () => {
  const limited = await startServer({ TRUST_PROXY: '1' });
  const own = await connect(limited.origin);
  const caller = { 'X-Request-Id': 'of-one-caller', 'X-Forwarded-For': '203.0.113.1' };
  const { workspace } = (await own.post('/candidates', candidate)).body;
  const paths = [
    ...['/occupations?q=nurse', '/pricing?x=1', '/candidates.json?limit=2'],
    ...['/candidates?limit=2', '/candidates?x=1', '/', '/placements?status=nothing', '/nothing', '/offer'],
  ];
  let kept = 0;
  for (const path of paths) {
    for (const more of [{}, { 'X-Workspace': workspace }] as Record<string, string>[]) {
      const { headers } = await own.get(path, { ...caller, ...more });
      const isKept = !/no-store/.test(headers.get('cache-control')!);
      kept += Number(isKept);
      const told = ['x-request-id', 'ratelimit', 'ratelimit-policy'].map(
        (name) => headers.get(name) !== null,
      );
      assert.equal(
        told,
        isKept ? [false, false, false] : [true, true, true],
        `${path} ${headers.get('cache-control')}`,
      );
    }
  }
  assert.ok(kept >= 8, `${kept} were kept`);
  await limited.stop();
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
