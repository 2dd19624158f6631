import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toLines } from '../../../support/log-lines.ts';
import { makeKey, toPem } from '../../../support/receipts.ts';
import { until } from '../../../support/redis.ts';
import { launchServer, type RunningServer, withServer } from '../../../support/server.ts';

const lines = suite('the lines of a start and a stop');

/** Returns the lines of this event that a host has printed. */
const findEvents = (printed: string, event: string) =>
  toLines(printed).filter((line) => line.event === event);

const mostBytes = '1125899906842624';

const changed = { RETENTION_SECONDS: '60', METRICS: 'on', LOG: 'live', STORE_FREE: '0' };
let usual: Promise<{ printed: string; server: RunningServer }> | undefined;

/** Returns what a host with some settings prints from its start to its stop. It runs once. */
function readUsual() {
  usual ??= launchServer(changed).then(async (server) => {
    await server.stop();
    return { printed: server.output(), server };
  });
  return usual;
}

lines('the start has one line, with the version, the address and the store', async () => {
  const { printed, server } = await readUsual();
  const { origin, port, dataDir } = server;
  const expected = { address: origin, listen: `*:${port}`, store: join(dataDir, 'workspaces.sqlite') };
  const events = findEvents(printed, 'start');
  assert.is(events.length, 1);
  const { address, listen, store, version } = events[0]!;
  assert.equal({ address, listen, store }, expected);
  assert.match(version, /^\d+\.\d+\.\d+$/);
});

lines('the start names the settings that differ from their defaults', async () => {
  const [start] = findEvents((await readUsual()).printed, 'start');
  assert.is(start!.settings.RETENTION_SECONDS, '60');
  assert.is(start!.settings.METRICS, 'on');
  assert.not('LOG' in start!.settings);
  assert.not('RECORD_CEILING' in start!.settings);
});

lines('the start shows no secret', async () => {
  const pem = toPem(makeKey());
  const env = { SIGNING_KEY: pem, STORE_URL: 'redis://operator:sesame@127.0.0.1:1' };
  const printed = await withServer(env, async () => {});
  assert.is(findEvents(printed, 'start')[0]!.store, 'redis://***@127.0.0.1:1');
  assert.not.match(printed, 'sesame');
  assert.not(printed.includes(pem.split('\n')[1]!));
});

lines('the stop has one line, the last, with its reason and how long it took', async () => {
  const stop = toLines((await readUsual()).printed).at(-1)!;
  assert.is(stop.event, 'stop');
  assert.is(stop.reason, 'SIGTERM');
  assert.ok(stop.tookSeconds >= 0);
  assert.ok(stop.ranSeconds > 0);
});

lines('LOG=off leaves out requests, and neither the start nor the stop', async () => {
  const printed = await withServer({ LOG: 'off' }, ({ origin }) => fetch(`${origin}/candidates?limit=1`));
  assert.equal(
    toLines(printed).map(({ event }) => event),
    ['start', 'stop'],
  );
});

lines('Ctrl-C is a reason', async () => {
  const server = await launchServer();
  server.process.kill('SIGINT');
  await until(() => server.process.exitCode !== null, 'the host has ended');
  assert.is(findEvents(server.output(), 'stop')[0]!.reason, 'SIGINT');
});

lines('a second signal is a reason', async () => {
  const server = await launchServer({ GRACE_SECONDS: '600' });
  server.process.kill('SIGTERM');
  await until(async () => (await fetch(`${server.origin}/readyz`)).status === 503, 'it is stopping');
  server.process.kill('SIGINT');
  await until(() => server.process.exitCode !== null, 'the host has ended');
  assert.is(findEvents(server.output(), 'stop')[0]!.reason, 'SIGINT, the second signal');
});

lines('a start with less than STORE_FREE on the disk says that nothing can be added', async () => {
  const printed = await withServer({ STORE_FREE: mostBytes }, async () => {});
  assert.match(
    printed,
    new RegExp(`^The store is full, so nothing can be added.* STORE_FREE is ${mostBytes}$`, 'm'),
  );
  assert.is(findEvents(printed, 'start')[0]!.roomBytes, 0);
});

lines('a start with enough on the disk does not', async () => {
  const { printed } = await readUsual();
  assert.not.match(printed, 'The store is full');
  assert.ok(findEvents(printed, 'start')[0]!.roomBytes > 0);
});

lines.run();
