import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { toLines } from '../../../support/log-lines.ts';
import { openServer, withOpenServer } from '../../../support/open-host.ts';
import { until } from '../../../support/redis.ts';
import { type RunningServer, startServer, withServer } from '../../../support/server.ts';
import { openWire } from '../../../support/wire.ts';

const stopping = suite('stopping');
const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
const post = `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: ${candidate.length}\r\n\r\n`;
const pricing = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n';
const lastAnswer = /^HTTP\/1\.1 20[01] [\s\S]*\r\nConnection: close\r\n/;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const open = (server: RunningServer, bytes = '') => openWire(server, bytes).opened;
const isOpen = ({ origin }: Pick<RunningServer, 'origin'>) =>
  fetch(`${origin}/pricing`).then(Boolean, () => false);

stopping('answers what has begun, accepts nothing new, and closes idle connections', async () => {
  const server = await startServer();
  const [slow, idle] = [await open(server, post + candidate.slice(0, 10)), await open(server, pricing)];
  await pause(100);
  const stopped = server.stop();
  await idle.closed;
  assert.not(await isOpen(server));
  slow.socket.write(candidate.slice(10));
  assert.is(await stopped, 0);
  await slow.closed;
  assert.match(slow.text(), lastAnswer);
});

stopping('every create that was acknowledged during the stop is in the store', async () => {
  const server = await startServer({ LOG: 'off' });
  const acknowledged: { workspace: string; candidate: { id: string } }[] = [];
  let isUp = true;
  const create = async () => {
    while (isUp) {
      const options = { method: 'POST', body: candidate };
      const response = await fetch(`${server.origin}/candidates`, options).catch(() => undefined);
      const body = await response?.json().catch(() => undefined);
      if (response?.status === 201 && body) acknowledged.push(body as (typeof acknowledged)[number]);
      else isUp = false;
    }
  };
  const callers = Array.from({ length: 16 }, create);
  while (acknowledged.length < 100 && isUp) await pause(10);
  assert.is(await server.stop(), 0);
  await Promise.all(callers);
  assert.ok(acknowledged.length >= 100, `${acknowledged.length} acknowledged`);
  await withOpenServer({ DATA_DIR: server.dataDir, LOG: 'off' }, async ({ origin }) => {
    const client = await connect(origin);
    for (const { workspace, candidate: made } of acknowledged) {
      const { status } = await client.get(`/candidates/${made.id}`, { 'X-Workspace': workspace });
      assert.is(status, 200);
    }
  });
});

stopping('an endless request is cut off after DRAIN_SECONDS, and the exit code is still 0', async () => {
  await withServer({ DRAIN_SECONDS: '2' }, async (server) => {
    const stuck = await open(server, post);
    for (let n = 0; n < 20; n++) await open(server, n % 2 ? 'GET / HT' : '');
    await pause(100);
    const start = performance.now();
    assert.is(await server.stop(), 0);
    assert.ok(performance.now() - start > 1800);
    await stuck.closed;
  });
});

stopping('during the grace it serves a kept connection, until its last answer says so', async () => {
  const server = await startServer({ GRACE_SECONDS: '3' });
  const [idle, used] = [openWire(server, pricing), openWire(server, pricing)];
  await pause(200);
  const start = performance.now();
  const stopped = server.stop();
  await pause(500);
  assert.ok(await isOpen(server));
  const ready = await fetch(`${server.origin}/readyz`);
  assert.is(ready.status, 503);
  assert.is(((await ready.json()) as { code: string }).code, 'stopping');
  assert.is((await fetch(`${server.origin}/healthz`)).status, 200);
  assert.ok(!idle.socket.closed && !used.socket.closed);
  const before = used.text().length;
  used.socket.write(pricing);
  await used.closed;
  assert.match(used.text().slice(before), lastAnswer);
  await idle.closed;
  assert.not.match(idle.text(), /Connection: close/);
  assert.ok(performance.now() - start > 2900);
  assert.is(idle.socket.errored, null);
  assert.is(used.socket.errored, null);
  assert.is(await stopped, 0);
});

stopping('a request that began before the grace ended is answered', async () => {
  const host = await openServer();
  const wires = Array.from({ length: 8 }, () => openWire(host));
  await Promise.all(wires.map(({ opened }) => opened));
  const ended = host.stop(1);
  while (await isOpen(host)) await pause(20);
  for (const { socket } of wires) socket.write(pricing);
  await Promise.all(wires.map(({ closed }) => closed));
  for (const { text } of wires) assert.match(text(), lastAnswer);
  await ended;
});

stopping('SIGINT skips the grace, and a second signal ends the host at once', async () => {
  const cases = [
    ['SIGINT', undefined, 0],
    ['SIGTERM', 'SIGTERM', 1],
    ['SIGTERM', 'SIGINT', 1],
  ] as const;
  await Promise.all(
    cases.map(async ([first, second, code]) => {
      const server = await startServer({ GRACE_SECONDS: '300' });
      const ended = new Promise((resolve) => server.process.once('exit', resolve));
      server.process.kill(first);
      // Within a second the same signal is an echo of the first.
      await pause(1500);
      if (second) {
        assert.ok(await isOpen(server));
        server.process.kill(second);
      }
      assert.is(await ended, code, `${first} ${second}`);
    }),
  );
});

const wrappers = {
  npm: ['npm', 'start'],
  'with-node.mjs': [process.execPath, 'scripts/with-node.mjs', 'scripts/start.ts'],
  'serve.mjs': [process.execPath, 'scripts/serve.mjs'],
};

/** All wrappers pass signals on in the same way. npm is around one of them. */
const signals = [
  ['npm', 'SIGTERM'],
  ['npm', 'SIGINT'],
  ['with-node.mjs', 'SIGINT'],
  ['serve.mjs', 'SIGTERM'],
] as const;

for (const [wrapper, signal] of signals) {
  stopping(
    `${signal} to ${wrapper} and all its processes counts once, so what has begun is answered`,
    async () => {
      // setsid makes it the leader of a process group, as a shell does.
      const server = await startServer({ DRAIN_SECONDS: '60' }, ['setsid', ...wrappers[wrapper]]);
      const slow = await open(server, post + candidate.slice(0, 10));
      await pause(100);
      process.kill(-server.process.pid!, signal);
      await until(async () => !(await isOpen(server)), 'it accepts nothing new');
      slow.socket.write(candidate.slice(10));
      await slow.closed;
      assert.match(slow.text(), lastAnswer);
      const stopLine = () => toLines(server.output()).find(({ event }) => event === 'stop');
      await until(async () => stopLine() !== undefined, 'it says that it stops');
      assert.is(stopLine()!.reason, signal);
    },
  );
}

for (const [wrapper, command] of Object.entries(wrappers)) {
  stopping(`a host ends, and frees its folder, if ${wrapper} around it is killed with -9`, async () => {
    const server = await startServer({ GRACE_SECONDS: '300' }, command);
    await server.kill();
    await until(async () => !(await isOpen(server)), 'the host is gone', 30_000);
    const isFree = () =>
      openServer({ DATA_DIR: server.dataDir }).then(
        (next) => next.stop().then(() => true),
        () => false,
      );
    await until(isFree, 'its folder is free', 30_000);
  });
}

stopping('a host that was started directly outlives the process that started it', async () => {
  const start = `${process.execPath} dist/host/main.mjs & echo "host $!"; wait`;
  const server = await startServer({}, ['sh', '-c', start]);
  const host = Number(/^host (\d+)$/m.exec(server.output())![1]);
  await server.kill();
  assert.ok(await isOpen(server));
  process.kill(host, 'SIGKILL');
});

stopping.run();
