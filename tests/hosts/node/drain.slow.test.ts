import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { type RunningServer, startServer, withServer } from '../../support/server.ts';
import { openWire } from '../../support/wire.ts';

const drain = suite('stopping');
const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
const post = `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: ${candidate.length}\r\n\r\n`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const open = (server: RunningServer, bytes = '') => openWire(server, bytes).opened;

/** Sends the rest of a body once SIGTERM is on its way, and wants its answer. */
async function stopInTheMiddle(server: RunningServer): Promise<void> {
  const slow = await open(server, post + candidate.slice(0, 10));
  await pause(100);
  const stopped = server.stop();
  await pause(300);
  slow.socket.write(candidate.slice(10));
  assert.is(await stopped, 0);
  await slow.closed;
  assert.match(slow.text(), /^HTTP\/1\.1 201 /);
  assert.match(slow.text(), /\r\nConnection: close\r\n/);
}

drain('a request whose body is on its way is answered, on a connection that then closes', async () => {
  await stopInTheMiddle(await startServer());
});

drain('npm start passes SIGTERM on, and ends with the host', async () => {
  await stopInTheMiddle(await startServer({}, ['npm', 'start']));
});

drain('nothing new is accepted, and what rests is closed at once', async () => {
  await withServer({}, async (server) => {
    const idle = await open(server, 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n');
    const busy = await open(server, post);
    await pause(100);
    const stopped = server.stop();
    await idle.closed;
    const refused = await fetch(`${server.origin}/pricing`).then(
      () => false,
      () => true,
    );
    assert.ok(refused);
    busy.socket.write(candidate);
    assert.is(await stopped, 0);
  });
});

drain('every create that was acknowledged while it stopped is in the store', async () => {
  const server = await startServer({ LOG: 'off' });
  const acknowledged: { workspace: string; candidate: { id: string } }[] = [];
  let isOpen = true;
  const create = async () => {
    while (isOpen) {
      const options = { method: 'POST', body: candidate };
      const response = await fetch(`${server.origin}/candidates`, options).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as
        | (typeof acknowledged)[number]
        | undefined;
      if (response?.status === 201 && body) acknowledged.push(body);
      else isOpen = false;
    }
  };
  const callers = Array.from({ length: 16 }, create);
  while (acknowledged.length < 100 && isOpen) await pause(10);
  assert.is(await server.stop(), 0);
  await Promise.all(callers);
  assert.ok(acknowledged.length >= 100, `${acknowledged.length} acknowledged`);
  await withServer({ DATA_DIR: server.dataDir, LOG: 'off' }, async ({ origin }) => {
    const client = await connect(origin);
    for (const { workspace, candidate: made } of acknowledged) {
      const { status } = await client.get(`/candidates/${made.id}`, { 'X-Workspace': workspace });
      assert.is(status, 200);
    }
  });
});

drain('a request that never ends is cut off after DRAIN_SECONDS, and the exit code is still 0', async () => {
  await withServer({ DRAIN_SECONDS: '2' }, async (server) => {
    const stuck = await open(server, post);
    await pause(100);
    const start = performance.now();
    assert.is(await server.stop(), 0);
    const took = performance.now() - start;
    assert.ok(took > 1800 && took < 4000, `${took} ms`);
    await stuck.closed;
  });
});

drain('idle and dripping connections do not hold it up', async () => {
  await withServer({ DRAIN_SECONDS: '30' }, async (server) => {
    for (let n = 0; n < 50; n++) await open(server, n % 2 ? 'GET / HT' : '');
    const start = performance.now();
    assert.is(await server.stop(), 0);
    assert.ok(performance.now() - start < 5000);
  });
});

drain('while it stops, /readyz on an open connection says not ready', async () => {
  await withServer({}, async (server) => {
    const held = await open(server, post);
    const probe = await open(server, 'GET /readyz HTTP/1.1\r\nHost: a\r\n');
    await pause(100);
    const stopped = server.stop();
    await pause(200);
    probe.socket.write('\r\n');
    await probe.closed;
    assert.match(probe.text(), /^HTTP\/1\.1 503 .*"code":"stopping".*"ready":false/s);
    held.socket.write(candidate);
    assert.is(await stopped, 0);
  });
});

drain.run();
