import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { until } from '../../../support/redis.ts';
import { type RunningServer, startServer, withServer } from '../../../support/server.ts';
import { openWire } from '../../../support/wire.ts';

const slow = suite('slow callers');
const candidate = { name: 'A', onetCode: '15-1252.00' };

const open = (server: RunningServer, bytes = '') => openWire(server, bytes).opened;

slow('1,000 idle and 200 dripping connections do not stop a normal caller', async () => {
  await withServer({}, async (server) => {
    const client = await connect(server.origin);
    const idle = await Promise.all(Array.from({ length: 1000 }, () => open(server)));
    const inHeaders = 'GET /candidates?limit=1 HTTP/1.1\r\nHost: a\r\nX-Slow: ';
    const inBody = 'POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n';
    const dripping = await Promise.all(
      Array.from({ length: 200 }, (_, n) => open(server, n % 2 ? inHeaders : inBody)),
    );
    const drip = setInterval(() => {
      for (const { socket } of dripping) if (socket.writable) socket.write('x');
    }, 50);
    for (let n = 0; n < 20; n++) {
      assert.is((await client.get('/candidates?limit=1')).status, 200);
      assert.is((await client.post('/candidates', candidate)).status, 201);
    }
    clearInterval(drip);
    assert.ok(
      dripping.every(({ text }) => text() === ''),
      'it did not wait for them',
    );
    for (const { socket } of [...idle, ...dripping]) socket.destroy();
  });
});

slow('headers and bodies that take too long are answered 408', async () => {
  const env = { HEADER_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '3' };
  await withServer(env, async (server) => {
    const silent = await open(server);
    const headers = await open(server, 'GET / HTTP/1.1\r\nHost: a\r\n');
    const body = await open(server, 'POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    const drip = setInterval(() => body.socket.writable && body.socket.write(' '), 900);
    for (const [opened, least] of [
      [silent, 0.9],
      [headers, 0.9],
      [body, 2.9],
    ] as const) {
      assert.ok((await opened.closed) > least);
      assert.match(opened.text(), /^HTTP\/1\.1 408 .*"type":"BLOCKED"/s);
    }
    clearInterval(drip);
  });
});

slow('an idle connection is closed after KEEP_ALIVE_SECONDS', async () => {
  await withServer({ KEEP_ALIVE_SECONDS: '1' }, async (server) => {
    const resting = await open(server, 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n');
    await resting.closed;
    assert.match(resting.text(), /^HTTP\/1\.1 200 /);
  });
});

slow('a connection beyond MAX_CONNECTIONS or ulimit -n is refused, until another one ends', async () => {
  for (const [env, command, most] of [
    [{ MAX_CONNECTIONS: '5' }, undefined, 5],
    [{}, ['sh', '-c', `ulimit -n 200; exec ${process.execPath} dist/host/main.mjs`], 136],
  ] as const) {
    const server = await startServer(env, command && [...command]);
    if (command)
      assert.match(server.output(), /MAX_CONNECTIONS is 10000, but ulimit -n is 200: at most 136 /);
    const held = await Promise.all(Array.from({ length: most }, () => open(server)));
    const request = 'GET /pricing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const refused = await open(server, request);
    await refused.closed;
    assert.match(refused.text(), /^HTTP\/1\.1 503 .*\r\nRetry-After: 2\r\n.*"code":"too_many_connections"/s);
    for (const { socket } of held) socket.destroy();
    const isServed = async () => (await fetch(`${server.origin}/pricing`)).status === 200;
    await until(isServed, 'a place is free');
    assert.is(await server.stop(), 0);
  }
});

slow('a caller that reads nothing of its answer is dropped, and a slow reader is not', async () => {
  const env = { REQUEST_TIMEOUT_SECONDS: '1', HEADER_TIMEOUT_SECONDS: '1', METRICS: 'on' };
  const whole = 'GET /occupations HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400);
  await withServer(env, async (server) => {
    const counted = async () => (await readMetrics(server)).get('careers_connections')!;
    const before = await counted();
    const [deaf, slow] = [await open(server, whole), await open(server, whole)];
    for (const { socket } of [deaf, slow]) socket.pause();
    const sip = setInterval(() => {
      slow.socket.resume();
      setTimeout(() => slow.socket.pause(), 2);
    }, 200);
    const opened = performance.now();
    await until(async () => (await counted()) === before + 1, 'one is dropped', 20_000);
    while (performance.now() - opened < 4000) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.is(await counted(), before + 1);
    assert.is(slow.socket.writable, true);
    clearInterval(sip);
    for (const { socket } of [deaf, slow]) socket.destroy();
  });
});

slow.run();
