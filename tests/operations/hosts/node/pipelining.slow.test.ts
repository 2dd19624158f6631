import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBystander } from '../../../support/bystander.ts';
import { connect } from '../../../support/http.ts';
import { until } from '../../../support/redis.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { startFor } from '../../../support/server.ts';
import { openWire } from '../../../support/wire.ts';

const test = suite('several requests on one connection');
const rates = { RATE_LIMIT_LIVE: '1000000', RATE_LIMIT_MINT: '1000000' };
const server = await startFor(test, { ...rates, TRUST_PROXY: '1', LOG: 'off' });
const toPost = (body: object, more = '') => {
  const text = JSON.stringify(body);
  return `POST /candidates HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const post = toPost({ name: 'A', onetCode });
const toGet = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Returns the headers of a head that are the same for every caller. */
const toLasting = (head: string) => head.replace(/^(Date|X-Request-Id|RateLimit): .*\r\n/gm, '');

test('are answered one after the other, in order', async () => {
  const chunked = `POST /job-orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
  const all = `${post}${toGet('/offer')}\r\n${chunked}HEAD /pricing HTTP/1.1\r\nHost: a\r\n\r\n`;
  const once = openWire(server, all.repeat(30));
  const slow = openWire(server);
  for (const byte of all) {
    slow.socket.write(byte);
    await pause(0);
  }
  const expected = [201, 402, 400, 200];
  await until(() => statuses(once.text()).length === 120, '120 answers');
  await until(() => statuses(slow.text()).length === 4, 'four answers, byte by byte');
  assert.equal(statuses(once.text()), Array(30).fill(expected).flat());
  assert.equal(statuses(slow.text()), expected);
  for (const { socket } of [once, slow]) socket.destroy();
});

test('a caller that asks for a tunnel and leaves ends only its own connection', async () => {
  const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
  for (let round = 0; round < 40; round += 1) {
    const gone = [tunnel, toGet('/pricing') + tunnel].map((bytes) => {
      const { socket, closed } = openWire(server);
      socket.write(bytes, () => socket.resetAndDestroy());
      return closed;
    });
    await Promise.all(gone);
  }
  assert.is(server.process.exitCode, null);
});

test('an offer to upgrade is ignored, and the connection stays open', async () => {
  const wire = openWire(server, toGet('/offer', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'));
  await until(() => wire.text().endsWith('}'), 'an answer');
  wire.socket.write(toGet('/pricing', 'Connection: close\r\n'));
  await wire.closed;
  assert.equal(statuses(wire.text()), [402, 200]);
});

test('a request after Connection: close is not run', async () => {
  const client = await connect(server.origin);
  const { workspace } = (await client.post('/candidates', { name: 'A', onetCode })).body;
  const toSecond = (connection: string) =>
    toPost({ name: 'B', onetCode }, `X-Workspace: ${workspace}\r\nConnection: ${connection}\r\n`);
  const last = openWire(server, toSecond('close') + toSecond('keep-alive'));
  await last.closed;
  assert.equal(statuses(last.text()), [201]);
  const { body } = await client.get('/candidates?scope=workspace', { 'X-Workspace': workspace });
  assert.is(body.total, 2);
});

test('garbage after a request is refused after the answer to that request', async () => {
  const wire = openWire(server, `${post}GARBAGE\r\n\r\n`);
  await wire.closed;
  assert.equal(statuses(wire.text()), [201, 400]);
});

test('a caller that closes its sending side gets every answer', async () => {
  const list = toGet('/occupations?q=nurse&limit=200');
  for (const bytes of [[post], [post, post, post], [list], [post, list, post, list]]) {
    const wire = openWire(server);
    wire.socket.end(bytes.join(''));
    await wire.closed;
    assert.is(wire.text().match(/HTTP\/1\.1 20[01] /g)?.length, bytes.length, wire.text().slice(0, 300));
  }
});

test('other callers wait briefly beside packets of many requests or of misleading chunks', async () => {
  const search = toGet('/occupations?q=worker&limit=5').repeat(3000);
  const chunks = `POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'2\r\n\r\n\r\n'.repeat(9000)}`;
  const bystander = startBystander(server);
  const wires = [search, chunks, chunks, search].map((bytes) => openWire(server, bytes));
  await until(() => bystander.answers() > 10, 'a bystander is answered', 60_000);
  bystander.stop();
  const isAllAnswered =
    statuses(wires[0]!.text()).length === 3000 && statuses(wires[3]!.text()).length === 3000;
  assert.not(isAllAnswered, 'the bystander is answered before all others');
  for (const { socket } of wires) socket.destroy();
});

test('another caller gets 20 answers before half of 200 flooding connections are closed', async () => {
  const bystander = startBystander(server);
  await until(() => bystander.answers() > 0, 'a first answer');
  const before = bystander.answers();
  let ended = 0;
  const wires = Array.from({ length: 200 }, () => openWire(server, toGet('/offer').repeat(2500)));
  for (const { closed } of wires) void closed.then(() => (ended += 1));
  await until(() => bystander.answers() >= before + 20, '20 answers', 60_000);
  bystander.stop();
  assert.ok(ended < 100, `${ended} of 200 connections were closed before that`);
  for (const { socket } of wires) socket.destroy();
});

test('a client may send a hundred requests on each of 40 connections before it reads', async () => {
  const wires = Array.from({ length: 40 }, () => openWire(server, toGet('/pricing').repeat(100)));
  for (const wire of wires)
    await until(() => statuses(wire.text()).length === 100, 'a hundred answers', 60_000);
  for (const { socket } of wires) socket.destroy();
});

/** Sends requests one after the other on one connection, and returns the heads of the answers. */
async function readHeads(requests: readonly string[]): Promise<string[]> {
  const wire = openWire(server);
  const heads: string[] = [];
  for (const request of requests) {
    const before = wire.text().length;
    wire.socket.write(request);
    await until(() => wire.text().slice(before).includes('\r\n\r\n'), 'a head');
    const [head = ''] = wire.text().slice(before).split('\r\n\r\n');
    const length = request.startsWith('HEAD') ? 0 : Number(/^Content-Length: (\d+)\r$/m.exec(head)![1]);
    await until(() => wire.text().length === before + head.length + 4 + length, 'its body and nothing else');
    heads.push(head);
  }
  wire.socket.destroy();
  return heads;
}

/** Asserts that heads are equal except for what depends on the caller. */
const holdAlike = (heads: string[]) =>
  assert.equal(heads.map(toLasting), Array(heads.length).fill(toLasting(heads[0]!)));

test('a repeated answer has the same head, except for what depends on the caller', async () => {
  const statuses = { '/pricing': 200, '/candidates?limit=1': 200, '/offer': 402 };
  for (const [path, status] of Object.entries(statuses)) {
    const ids = ['1', '2', '3'];
    const heads = await readHeads(
      ids.map((id) => toGet(path, `X-Forwarded-For: 10.0.0.${id}\r\nX-Request-Id: ${id}\r\n`)),
    );
    for (const [at, head] of heads.entries()) {
      assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
      if (path.includes('?')) {
        assert.match(head, new RegExp(`^X-Request-Id: ${ids[at]}\r$`, 'm'));
        assert.match(head, /^RateLimit: "live";r=\d+;t=\d+\r$/m);
      } else if (path === '/pricing') assert.not.match(head, /^X-Request-Id/m);
      assert.match(head, /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
      assert.match(head, /^Connection: keep-alive\r\nKeep-Alive: timeout=\d+$/m);
    }
    holdAlike(heads);
  }
});

test('HEAD has the headers of GET, and Connection: close and HTTP/1.0 work as in node:http', async () => {
  for (const path of ['/pricing', '/candidates?limit=1']) {
    const asked = toGet(path, 'X-Request-Id: 1\r\n');
    const bare = asked.replace('GET', 'HEAD');
    holdAlike(await readHeads([bare, asked, bare]));
    for (const [request, expected] of [
      [toGet(path, 'Connection: close\r\n'), /\r\nConnection: close\r\n/],
      [toGet(path, 'Connection: close\r\n').replace('GET', 'HEAD'), /\r\n\r\n$/],
      [`GET ${path} HTTP/1.0\r\n\r\n`, /\r\nConnection: close\r\n/],
      [`GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`, /\r\nConnection: keep-alive\r\n/],
    ] as const) {
      const one = openWire(server, request);
      await until(() => one.text().includes('\r\n\r\n'), 'an answer');
      assert.match(one.text(), expected, request);
      one.socket.destroy();
    }
  }
});

test('requests that many callers send at once, in pieces, are never mixed', async () => {
  const callers = Array.from({ length: 60 }, (_, index) => {
    const name = `${index} ${String.fromCharCode(97 + (index % 26)).repeat(150)}`;
    const skills = Array.from({ length: 30 }, (__, skill) => `${index}-${skill}-${name.slice(-60)}`);
    return { name, skills, text: toPost({ name, onetCode, skills }), wire: openWire(server) };
  });
  const longest = Math.max(...callers.map(({ text }) => text.length));
  for (let at = 0; at < longest; at += 97) {
    for (const { wire, text } of callers) if (at < text.length) wire.socket.write(text.slice(at, at + 97));
    await pause(1);
  }
  for (const { name, skills, wire } of callers) {
    await until(() => wire.text().endsWith('}'), 'an answer');
    const { candidate } = JSON.parse(wire.text().split('\r\n\r\n')[1]!);
    assert.equal(candidate.name, name);
    assert.equal(candidate.skills, skills);
    wire.socket.destroy();
  }
});

test.run();
