import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../../support/redis.ts';
import { type SharedServer, useServer } from '../../support/server.ts';
import { openWire, send } from '../../support/wire.ts';

const test = suite('bodies in chunks');
const head = 'POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00', skills: ['x', 'y'] }, null, 1);
const toChunks = (text: string, size: number) =>
  `${(text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
let server: SharedServer;

test.before(async () => {
  server = await useServer();
});

test('a body is the same in chunks of any size, and what stands behind it is the next message', async () => {
  for (const size of [1, 2, 3, 7, 64, 1000]) {
    const lines = `${body}${'\n'.repeat(70)}`;
    const one = `${head}${toChunks(lines, size)}GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n`;
    const wire = openWire(server, one.repeat(20));
    await until(() => statuses(wire.text()).length === 40, `40 answers, chunks of ${size}`);
    assert.equal(statuses(wire.text()), Array(20).fill(['201', '200']).flat());
    wire.socket.destroy();
  }
});

test('a body of very many chunks is parsed a few at a time: other callers are answered in between', async () => {
  const tiny = `${head}${'1\r\na\r\n'.repeat(4000)}`;
  const wires = Array.from({ length: 60 }, () => openWire(server, `${tiny}0\r\n\r\n`));
  const isDone = () => wires.filter((wire) => wire.text() !== '').length;
  let during = 0;
  while (isDone() < wires.length) {
    await send(server.origin, '/pricing');
    if (isDone() < wires.length) during += 1;
  }
  console.log(`figure: answers to a bystander beside 240,000 chunks of a byte: ${during}`);
  assert.ok(during > wires.length, String(during));
  for (const wire of wires) {
    assert.equal(statuses(wire.text()), ['400']);
    wire.socket.destroy();
  }
});

test('a body in more than 4,096 chunks is refused, and its connection goes on', async () => {
  const chunks = (count: number) => `${head}${'1\r\n \r\n'.repeat(count)}0\r\n\r\n`;
  const wire = openWire(server, `${chunks(4096)}${chunks(4097)}GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(() => statuses(wire.text()).length === 3, 'three answers');
  assert.equal(statuses(wire.text()), ['400', '413', '200']);
  assert.match(wire.text(), /more than 4,096 pieces/);
  wire.socket.destroy();
});

test('a body in chunks that was refused is not read to its end, and its caller reads why', async () => {
  const wire = openWire(server, head);
  const timer = setInterval(() => wire.socket.write('1\r\na\r\n'.repeat(20_000)), 5);
  await wire.closed;
  clearInterval(timer);
  assert.equal(statuses(wire.text()), ['413']);
  assert.match(wire.text(), /"code":"body_too_large"/);
});

test('a body in a coding that is not known is answered once', async () => {
  for (const behind of ['0\r\n\r\n', 'garbage\r\n\r\n', 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n']) {
    const wire = openWire(server, `${head.replace('chunked', 'xchunked')}${behind}`);
    await wire.closed;
    assert.equal(statuses(wire.text()), ['400'], behind);
    assert.match(wire.text(), /Connection: close/i);
  }
});

test.run();
