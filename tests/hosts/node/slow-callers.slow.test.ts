import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../support/http.ts';
import { type RunningServer, withServer } from '../../support/server.ts';
import { openWire } from '../../support/wire.ts';

const slow = suite('slow callers');
const candidate = { name: 'A', onetCode: '15-1252.00' };

const open = (server: RunningServer, bytes = '') => openWire(server, bytes).opened;

/** The slowest of 40 reads and creates by a normal caller, in milliseconds. */
async function timeNormalCaller(client: Client): Promise<number> {
  let slowest = 0;
  for (let n = 0; n < 20; n++) {
    for (const call of [
      () => client.get('/candidates?limit=1'),
      () => client.post('/candidates', candidate),
    ]) {
      const start = performance.now();
      assert.ok((await call()).status < 300);
      slowest = Math.max(slowest, performance.now() - start);
    }
  }
  return slowest;
}

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
    const slowest = await timeNormalCaller(client);
    clearInterval(drip);
    console.log(`figure: slowest of 40 calls beside 1,200 slow connections: ${slowest.toFixed(1)} ms`);
    assert.ok(slowest < 1000, `${slowest} ms`);
    for (const { socket } of [...idle, ...dripping]) socket.destroy();
  });
});

slow('headers and bodies that take too long are answered 408, and the connection ends', async () => {
  const env = { HEADER_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '3' };
  await withServer(env, async (server) => {
    const silent = await open(server);
    const headers = await open(server, 'GET / HTTP/1.1\r\nHost: a\r\n');
    const body = await open(server, 'POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    const drip = setInterval(() => body.socket.writable && body.socket.write(' '), 900);
    for (const [opened, least, most] of [
      [silent, 0.9, 4],
      [headers, 0.9, 4],
      [body, 2.9, 7],
    ] as const) {
      const seconds = await opened.closed;
      assert.match(opened.text(), /^HTTP\/1\.1 408 .*"type":"BLOCKED"/s);
      assert.ok(seconds > least && seconds < most, `${seconds} s`);
    }
    clearInterval(drip);
  });
});

slow('a connection beyond the ceiling is told so, and the next one has its place when one ends', async () => {
  await withServer({ MAX_CONNECTIONS: '5' }, async (server) => {
    const held = await Promise.all(Array.from({ length: 5 }, () => open(server)));
    const request = 'GET /pricing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const turned = await open(server, request);
    await turned.closed;
    assert.match(turned.text(), /^HTTP\/1\.1 503 .*\r\nRetry-After: 2\r\n.*"code":"too_many_connections"/s);
    held[0]!.socket.destroy();
    await held[0]!.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const served = await open(server, request);
    await served.closed;
    assert.match(served.text(), /^HTTP\/1\.1 200 /);
    for (const { socket } of held) socket.destroy();
  });
});

slow('a caller that takes nothing of its answer is let go, one that takes it slowly is not', async () => {
  const env = { REQUEST_TIMEOUT_SECONDS: '1', HEADER_TIMEOUT_SECONDS: '1', METRICS: 'on' };
  const whole = 'GET /occupations HTTP/1.1\r\nHost: a\r\n\r\n';
  await withServer(env, async (server) => {
    const counted = async () =>
      Number(/careers_connections (\d+)/.exec(await (await fetch(`${server.origin}/metrics`)).text())?.[1]);
    const before = await counted();
    const [deaf, slow] = [await open(server, whole.repeat(400)), await open(server, whole.repeat(400))];
    deaf.socket.pause();
    slow.socket.pause();
    const sip = setInterval(() => {
      slow.socket.resume();
      setTimeout(() => slow.socket.pause(), 2);
    }, 200);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const left = await counted();
    const { writable } = slow.socket;
    clearInterval(sip);
    for (const { socket } of [deaf, slow]) socket.destroy();
    assert.is(left - before, 1, `${before} connections before, ${left} after`);
    assert.ok(writable);
  });
});

slow.run();
