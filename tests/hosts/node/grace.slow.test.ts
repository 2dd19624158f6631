import { Agent } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type RunningServer, startServer, withServer } from '../../support/server.ts';
import { openWire, send } from '../../support/wire.ts';

const grace = suite('the grace before stopping');
const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One request on a connection of `agent`. Rejects where it is reset or refused. */
async function ask({ origin }: RunningServer, path: string, agent: Agent | false, body?: string) {
  const { status, headers } = await send(origin, path, { method: body ? 'POST' : 'GET', body, agent });
  return { status, connection: headers.connection };
}

/** Callers that ask without a pause until told to stop, half of them on connections that they keep. */
function startStream(server: RunningServer) {
  const failed: string[] = [];
  let answered = 0;
  let last = 0;
  let isOn = true;
  const call = async (_: unknown, index: number) => {
    const agent = index % 2 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false;
    const [path, body] = index % 4 < 2 ? (['/pricing'] as const) : (['/candidates', candidate] as const);
    while (isOn) {
      const told = await ask(server, path, agent, body).catch((error: NodeJS.ErrnoException) => error);
      if (told instanceof Error) failed.push(`${path} ${told.code ?? told.message}`);
      else {
        answered += 1;
        if (told.connection === 'close') last += 1;
      }
      await pause(2);
    }
    if (agent) agent.destroy();
  };
  const callers = Array.from({ length: 16 }, call);
  return {
    counts: () => ({ answered, last }),
    async end() {
      isOn = false;
      await Promise.all(callers);
      return failed;
    },
  };
}

grace('no request of a stream is reset or refused, on fresh and on kept connections', async () => {
  const server = await startServer({ GRACE_SECONDS: '8', LOG: 'off' });
  const stream = startStream(server);
  let before = stream.counts();
  let failed: string[] = [];
  const start = performance.now() + 500;
  let stopped: Promise<number | null> | undefined;
  try {
    await pause(500);
    before = stream.counts();
    assert.ok(before.last <= before.answered / 2 + 16, 'connections are kept until it stops');
    stopped = server.stop();
    await pause(100);
    for (let n = 0; n < 20 && performance.now() - start < 2400; n++) {
      const { status, connection } = await ask(server, '/candidates?limit=1', false);
      assert.equal([status, connection], [200, 'close']);
    }
    await pause(2400 - (performance.now() - start));
  } finally {
    failed = await stream.end();
  }
  const during = stream.counts().answered - before.answered;
  assert.ok(during > 100, `${during} answers while it stops`);
  assert.equal(failed, []);
  assert.is(await stopped, 0);
  const took = performance.now() - start;
  assert.ok(took > 7900, `${took} ms`);
});

grace('a kept connection ends after an answer that says so, or when the grace is over', async () => {
  const server = await startServer({ GRACE_SECONDS: '5' });
  const pricing = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n';
  const [idle, used] = [openWire(server, pricing), openWire(server, pricing)];
  await pause(200);
  const start = performance.now();
  const stopped = server.stop();
  await pause(500);
  assert.ok(!idle.socket.closed && !used.socket.closed);
  const before = used.text().length;
  used.socket.write(pricing);
  await used.closed;
  assert.match(used.text().slice(before), /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/);
  await idle.closed;
  assert.not.match(idle.text(), /Connection: close/);
  const took = performance.now() - start;
  assert.ok(took > 4900, `${took} ms`);
  assert.equal([idle.socket.errored, used.socket.errored], [null, null]);
  assert.is(await stopped, 0);
});

grace('a request that was on its way when the grace was over is answered', async () => {
  await withServer({ GRACE_SECONDS: '1' }, async (server) => {
    const wires = Array.from({ length: 8 }, () => openWire(server));
    await pause(200);
    const ended = server.stop();
    const isOpen = () => ask(server, '/pricing', false).then(Boolean, () => false);
    while (await isOpen()) await pause(20);
    for (const { socket } of wires) socket.write('GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all(wires.map(({ closed }) => closed));
    for (const { text } of wires) assert.match(text(), /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/);
    assert.is(await ended, 0);
  });
});

grace('SIGINT skips it, and a second signal ends it at once', async () => {
  for (const [first, second, code] of [
    ['SIGINT', undefined, 0],
    ['SIGTERM', 'SIGTERM', 1],
    ['SIGTERM', 'SIGINT', 1],
  ] as const) {
    await withServer({ GRACE_SECONDS: '30' }, async (server) => {
      const start = performance.now();
      const ended = new Promise((resolve) => server.process.once('exit', resolve));
      server.process.kill(first);
      await pause(300);
      if (second) {
        assert.is((await ask(server, '/pricing', false)).status, 200);
        server.process.kill(second);
      }
      assert.is(await ended, code, `${first} ${second}`);
      assert.ok(performance.now() - start < 25_000);
    });
  }
});

grace.run();
