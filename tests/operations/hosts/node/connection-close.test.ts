import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFor } from '../../../support/open-host.ts';
import { until } from '../../../support/redis.ts';
import { openWire } from '../../../support/wire.ts';

const closing = suite('the Connection header of a reply');
const server = await openFor(closing, { LOG: 'off', METRICS: 'on' });

const next = 'GET /projection.json HTTP/1.1\r\nHost: a\r\n\r\n';
const length = (count: number) => `Content-Length: ${count}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const toHead = (line: string, fields = '') => `${line} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;

/** The head of a request with a body of this many bytes, and its first 1,000 bytes. The rest is not sent. */
const toStart = (line: string, count: number) => toHead(line, length(count)) + ' '.repeat(1000);

/** What is sent, the status of the reply, and whether the reply says that the connection closes. */
const rows: [what: string, bytes: string, status: number, closes: boolean][] = [
  ['70,000 spaces', toStart('POST /candidates', 70_000), 413, true],
  ['chunks without an end', toHead('POST /candidates', chunked) + chunk.repeat(18), 413, true],
  ['a body that is never sent', toHead('POST /candidates', length(99_999_999)), 413, true],
  ['a large body with a read', toStart('GET /pricing', 70_000), 200, true],
  ['a large body for /metrics', toStart('POST /metrics', 70_000), 405, true],
  ['a small body with a read', toHead('GET /pricing', length(60_000)) + ' '.repeat(60_000), 200, false],
  ['a small body to no address', toHead('POST /nothing', length(60_000)) + ' '.repeat(60_000), 404, false],
  ['a body that is no JSON', `${toHead('POST /candidates', length(2))}no`, 400, false],
  [
    'a body that is no JSON, in chunks',
    `${toHead('POST /candidates', chunked)}2\r\nno\r\n0\r\n\r\n`,
    400,
    false,
  ],
  ['a coding that is not known', toHead('POST /candidates', 'Transfer-Encoding: gzip\r\n'), 400, true],
  ['two Hosts', toHead('GET /pricing', 'Host: b\r\n'), 400, true],
  ['a head that is too large', toHead('GET /pricing', `X: ${'x'.repeat(17_000)}\r\n`), 431, true],
  ['no HTTP', 'GARBAGE\r\n\r\n', 400, true],
  ['CONNECT', toHead('CONNECT a:1'), 400, true],
];

const countReplies = (text: string) => text.match(/HTTP\/1\.1 \d+ /g)?.length ?? 0;
const saysClose = (text: string) => /^Connection: close\r?$/im.test(text.split('\r\n\r\n')[0]!);

for (const [what, bytes, status, closes] of rows) {
  closing(`a ${status} for ${what} says ${closes ? 'close' : 'keep-alive'}`, async () => {
    const wire = openWire(server, bytes);
    await until(() => wire.text().includes('\r\n\r\n'), 'a reply');
    assert.match(wire.text(), new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.is(saysClose(wire.text()), closes);
    wire.socket.destroy();
  });

  closing(`the request after a ${status} for ${what} is ${closes ? 'not run' : 'answered'}`, async () => {
    const wire = openWire(server, bytes);
    await until(() => wire.text().includes('\r\n\r\n'), 'a reply');
    wire.socket.write(next);
    if (closes) await wire.closed;
    else await until(() => countReplies(wire.text()) === 2, 'two replies');
    assert.is(countReplies(wire.text()), closes ? 1 : 2);
    wire.socket.destroy();
  });
}

closing('a reply arrives whole while the body is still being sent', async () => {
  const wire = await openWire(server, toHead('POST /candidates', length(4_000_000))).opened;
  wire.socket.write(' '.repeat(4_000_000));
  await wire.closed;
  assert.match(wire.text(), /"code":"body_too_large"[\s\S]*\}\s*$/);
});

closing('a late body keeps its connection if the reply said so', async () => {
  const wire = openWire(server, toHead('GET /pricing', length(60_000)));
  await until(() => countReplies(wire.text()) === 1, 'a reply');
  wire.socket.write(' '.repeat(60_000) + next);
  await until(() => countReplies(wire.text()) === 2, 'a second reply');
  wire.socket.destroy();
});

/** Asserts that the connection does what the reply to its first request says. */
async function holdToPromise(bytes: string): Promise<void> {
  const wire = openWire(server, bytes + next);
  await until(() => countReplies(wire.text()) > 0, 'a reply');
  if (saysClose(wire.text())) await wire.closed;
  else await until(() => countReplies(wire.text()) === 2, 'a second reply');
  assert.is(countReplies(wire.text()), saysClose(wire.text()) ? 1 : 2);
  wire.socket.destroy();
}

closing('the connection does what the reply said after 70,000 spaces that arrive at once', () =>
  holdToPromise(toHead('POST /candidates', length(70_000)) + ' '.repeat(70_000)),
);

for (const count of [16, 17, 18, 40]) {
  closing(`the connection does what the reply said after ${count} chunks of 4 KiB and an end`, () =>
    holdToPromise(`${toHead('POST /candidates', chunked)}${chunk.repeat(count)}0\r\n\r\n`),
  );
}

closing.run();
