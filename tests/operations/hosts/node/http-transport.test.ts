import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../../support/http.ts';
import { until } from '../../../support/redis.ts';
import { type SharedServer, useServer } from '../../../support/server.ts';
import { openWire, sendRaw } from '../../../support/wire.ts';

let server: SharedServer;
let client: Client;
const transport = suite('bodies and HTTP itself');
transport.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
const post = 'POST /candidates HTTP/1.1\r\nHost: a\r\n';
const get = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n';
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
const create = `${post}Content-Length: ${candidate.length}\r\n\r\n${candidate}`;
const close = 'Connection: close\r\n';
const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

transport('a body is read up to 64 KiB, whatever Content-Type it has', async () => {
  assert.is((await client.post('/candidates', candidate.padEnd(65_536))).status, 201);
  for (const type of ['text/plain', 'image/png', 'nonsense', 'application/json; charset=latin1'])
    assert.is((await client.post('/candidates', candidate, { 'Content-Type': type })).status, 201, type);
  const bare = `${post}${close}Content-Length: ${candidate.length}\r\n\r\n${candidate}`;
  assert.is((await sendRaw(server.port, bare)).status, 201, 'no Content-Type at all');
});

transport('a body above 64 KiB is 413, with a Content-Length or in chunks', async () => {
  const large = candidate.padEnd(65_537);
  const half = `${(40_000).toString(16)}\r\n${' '.repeat(40_000)}\r\n`;
  const calls = {
    told: `${post}${close}Content-Length: ${large.length}\r\n\r\n${large}`,
    'told, not sent': `${post}${close}Content-Length: 99999999999\r\n\r\n`,
    chunked: `${post}${close}Transfer-Encoding: chunked\r\n\r\n${half}${half}0\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(calls)) {
    const { status, body } = await sendRaw(server.port, bytes);
    assert.is(status, 413, name);
    assert.is(body?.type, 'BLOCKED', name);
    assert.match(body.reason, /64 KiB/);
  }
});

transport('the 413 reaches a client that is still sending megabytes', async () => {
  const large = 'x'.repeat(4_000_000);
  for (let round = 0; round < 8; round++) {
    for (const body of [large, new Blob([large]).stream()]) {
      const options = { method: 'POST', body, duplex: 'half' } as RequestInit;
      assert.is((await fetch(`${server.origin}/candidates`, options)).status, 413);
    }
  }
});

transport('a refused body in chunks is not read to its end, and the caller gets the reason', async () => {
  const wire = await openWire(server, chunked).opened;
  const timer = setInterval(() => wire.socket.write('1\r\na\r\n'.repeat(20_000)), 5);
  await wire.closed;
  clearInterval(timer);
  assert.equal(statuses(wire.text()), [413]);
  assert.match(wire.text(), /"code":"body_too_large"/);
});

transport('a body is the same in chunks of any size, up to 4,096 of them', async () => {
  const lines = `${JSON.stringify(JSON.parse(candidate), null, 1)}${'\n'.repeat(70)}`;
  for (const size of [1, 3, 64, 1000]) {
    const parts = lines.match(new RegExp(`.{1,${size}}`, 'gs'))!;
    const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
    const wire = openWire(server, `${chunked}${chunks}0\r\n\r\n${get}`.repeat(20));
    await until(() => statuses(wire.text()).length === 40, `40 answers, chunks of ${size}`);
    assert.equal(statuses(wire.text()), Array(20).fill([201, 200]).flat());
    wire.socket.destroy();
  }
  const toBlank = (count: number) => `${chunked}${'1\r\n \r\n'.repeat(count)}0\r\n\r\n`;
  const wire = openWire(server, `${toBlank(4096)}${toBlank(4097)}${get}`);
  await until(() => statuses(wire.text()).length === 3, 'three answers');
  assert.equal(statuses(wire.text()), [400, 413, 200], 'the connection stays open');
  assert.match(wire.text(), /more than 4,096 pieces/);
  wire.socket.destroy();
});

transport('a Content-Encoding is 415 and says to send none, identity is none', async () => {
  for (const [coding, expected] of Object.entries({ gzip: 415, BR: 415, nonsense: 415, Identity: 201 })) {
    const { status, body } = await client.post('/candidates', candidate, { 'Content-Encoding': coding });
    assert.is(status, expected, coding);
    if (status === 415) assert.match(body.reason, /without a Content-Encoding/);
  }
});

transport('what the HTTP parser refuses gets an envelope too', async () => {
  const calls: [what: string, status: number, bytes: string][] = [
    ['garbage', 400, 'GARBAGE\r\n\r\n'],
    ['a method that is none', 400, `FOO / HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
    ['a TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['no Host', 400, `GET / HTTP/1.1\r\n${close}\r\n`],
    ['two Hosts', 400, `GET /pricing HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}\r\n`],
    ['two Hosts of HTTP/1.0', 400, 'GET /pricing HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['another version', 505, 'GET /pricing HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['two lengths', 400, `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    ['a bad chunk', 400, `${chunked}zz\r\n`],
    ['two codings', 400, `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['CONNECT', 400, 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['headers above 16 KiB', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n${close}\r\n`],
    ['a thousand headers', 431, `GET /offer HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(1000)}${close}\r\n`],
    ['an address above 16 KiB', 431, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
  ];
  for (const [what, expected, bytes] of calls) {
    const { status, body, head } = await sendRaw(server.port, bytes);
    assert.equal(status, expected, what);
    assert.is(body?.type, 'BLOCKED', what);
    assert.match(head, /access-control-allow-origin: \*/i, what);
  }
});

transport('a syntax error after a reply was sent is not answered again', async () => {
  const unknown = `${post}Transfer-Encoding: xchunked\r\n\r\n`;
  const calls: [bytes: string, statuses: number[]][] = [
    [`${unknown}5\r\nhello\r\n0\r\n\r\n`, [400]],
    [unknown, [400]],
    [chunked.replace('Host: a\r\n', '').concat('zz\r\n'), [400]],
    [`${get.replace('pricing', 'nothing').slice(0, -2)}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, [404]],
    [`${get.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, [200]],
    ...['GARBAGE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n'].flatMap(
      (behind): [string, number[]][] => [
        [get + behind, [200, 400]],
        [create + behind, [201, 400]],
      ],
    ),
  ];
  for (const [bytes, expected] of calls) {
    const wire = openWire(server, bytes);
    await wire.closed;
    assert.equal(statuses(wire.text()), expected, bytes);
    assert.match(wire.text(), /\}\s*$/, 'the whole answer');
  }
});

transport('blank lines before a request are ignored', async () => {
  const last = get.replace('\r\n', `\r\n${close}`);
  const wire = openWire(server, `${'\r\n'.repeat(500)}${get}`.repeat(3) + last);
  await wire.closed;
  assert.equal(statuses(wire.text()), [200, 200, 200, 200]);
});

transport('a caller whose body would be refused is not asked to send it', async () => {
  const wire = openWire(server, `${post}Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n`);
  await wire.closed;
  assert.equal(statuses(wire.text()), [413]);
});

transport.run();
