import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../support/http.ts';
import { type SharedServer, useServer } from '../../support/server.ts';
import { openWire, sendRaw } from '../../support/wire.ts';

let server: SharedServer;
let client: Client;
const transport = suite('bodies and HTTP itself');
transport.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });

transport('a body is read up to 64 KiB, whatever Content-Type it has', async () => {
  assert.is((await client.post('/candidates', candidate.padEnd(65_536))).status, 201);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'image/png',
    'nonsense',
    'application/json; charset=latin1',
  ]) {
    assert.is((await client.post('/candidates', candidate, { 'Content-Type': type })).status, 201, type);
  }
  const bare = `POST /candidates HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${candidate.length}\r\n\r\n`;
  assert.is((await sendRaw(server.port, bare + candidate)).status, 201, 'no Content-Type at all');
});

transport('a body above 64 KiB is 413, with its length told or in chunks', async () => {
  const large = candidate.padEnd(65_537);
  const start = 'POST /candidates HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  const half = `${(40_000).toString(16)}\r\n${' '.repeat(40_000)}\r\n`;
  const calls = {
    told: `${start}Content-Length: ${large.length}\r\n\r\n${large}`,
    'told, not sent': `${start}Content-Length: 99999999999\r\n\r\n`,
    chunked: `${start}Transfer-Encoding: chunked\r\n\r\n${half}${half}0\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(calls)) {
    const { status, body } = await sendRaw(server.port, bytes);
    assert.equal([status, body?.type], [413, 'BLOCKED'], name);
    assert.match(body.reason, /64 KiB/);
  }
});

transport(
  'a body far above 64 KiB still gets its 413: the connection outlives what the client is sending',
  async () => {
    const large = 'x'.repeat(4_000_000);
    const lost: string[] = [];
    for (let round = 0; round < 8; round++) {
      for (const body of [large, new Blob([large]).stream()]) {
        const options = { method: 'POST', body, duplex: 'half' } as RequestInit;
        const status = await fetch(`${server.origin}/candidates`, options).then(
          (response) => response.status,
          (error) => `${error.cause?.code ?? error.message}`,
        );
        if (status !== 413) lost.push(`${typeof body} ${status}`);
      }
    }
    assert.equal(lost, []);
  },
);

transport('a Content-Encoding is 415 and says to send none, identity is none', async () => {
  for (const coding of ['gzip', 'br', 'GZIP', 'nonsense']) {
    const { status, body } = await client.post('/candidates', candidate, { 'Content-Encoding': coding });
    assert.equal([status, body.type], [415, 'BLOCKED'], coding);
    assert.match(body.reason, /without a Content-Encoding/);
  }
  for (const coding of ['identity', 'Identity']) {
    assert.is(
      (await client.post('/candidates', candidate, { 'Content-Encoding': coding })).status,
      201,
      coding,
    );
  }
});

transport('what the HTTP parser refuses is an envelope too', async () => {
  const close = 'Connection: close\r\n';
  const calls: [string, number, string][] = [
    ['garbage', 400, 'GARBAGE\r\n\r\n'],
    ['a method that is none', 400, `FOO / HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
    ['a TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['no Host', 400, `GET / HTTP/1.1\r\n${close}\r\n`],
    ['two Hosts', 400, `GET /pricing HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}\r\n`],
    ['two Hosts of HTTP/1.0', 400, 'GET /pricing HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    [
      'two lengths',
      400,
      `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['a bad chunk', 400, 'POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['CONNECT', 400, 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'headers above 16 KiB',
      431,
      `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(17_000)}\r\n${close}\r\n`,
    ],
    ['a thousand headers', 431, `GET /offer HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(1000)}${close}\r\n`],
    ['an address above 16 KiB', 431, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n${close}\r\n`],
  ];
  const failures: string[] = [];
  for (const [name, expected, bytes] of calls) {
    const { status, body, head } = await sendRaw(server.port, bytes);
    const ok = status === expected && body?.type === 'BLOCKED' && body.reason.length > 20;
    if (!ok || !/access-control-allow-origin: \*/i.test(head))
      failures.push(`${name}: ${head} ${body?.type}`);
  }
  assert.equal(failures, []);
});

transport('what cannot be parsed of a request that was answered is not answered again', async () => {
  const start = 'HTTP/1.1\r\nHost: a\r\n';
  const calls: [string, number][] = [
    [`POST /candidates ${start}Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 400],
    [`POST /candidates ${start}Transfer-Encoding: xchunked\r\n\r\n`, 400],
    ['POST /candidates HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    [`GET /nothing ${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 404],
    [`GET /pricing ${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 200],
  ];
  for (const [bytes, expected] of calls) {
    const wire = openWire(server, bytes);
    assert.ok((await wire.closed) < 5, bytes);
    assert.equal(wire.text().match(/HTTP\/1\.1 \d+/g), [`HTTP/1.1 ${expected}`], bytes);
    assert.match(wire.text(), /\}\s*$/, 'the whole answer');
  }
  const next = openWire(server, `GET /pricing ${start}\r\nGARBAGE\r\n\r\n`);
  await next.closed;
  assert.equal(next.text().match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
});

transport(
  'blank lines before a request are read up to 1 KiB, then the connection ends unanswered',
  async () => {
    const get = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n';
    const patient = openWire(
      server,
      `${'\r\n'.repeat(500)}${get}`.repeat(3) + get.replace('\r\n', '\r\nConnection: close\r\n'),
    );
    await patient.closed;
    assert.is(patient.text().match(/HTTP\/1\.1 200/g)?.length, 4);
    for (const bytes of ['\r\n'.repeat(1100), '\n'.repeat(2100)]) {
      const blank = openWire(server, bytes + get);
      await blank.closed;
      assert.is(blank.text(), '');
    }
  },
);

transport.run();
