import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { startServer } from '../../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };

/** Starts a server with a replica, and a host that waits for the replica. */
async function openDesk() {
  const redis = await startRedis();
  const replica = await startRedis(['--replicaof', '127.0.0.1', `${redis.port}`]);
  const STORE_URL = `redis://127.0.0.1:${redis.port}`;
  const host = await startServer({ STORE_URL, STORE_REPLICAS: '1', METER: 'on', RATE_LIMIT: 'off' });
  const client = await connect(host.origin);
  await until(async () => (await client.get('/readyz')).status === 200, 'it is ready');
  return {
    client,
    /** Returns how often the server ran a command since it started. */
    count(command: string): number {
      const stats = askRedis(redis.port, 'INFO', 'commandstats');
      return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    },
    async stop() {
      await host.stop();
      await replica.stop();
      await redis.stop();
    },
  };
}

if (!skipsRedis()) {
  const desk = await openDesk();
  const { client } = desk;
  const commands = suite('commands to Redis');

  commands('load no workspace that only this instance changes', async () => {
    const { workspace } = (await client.post('/candidates', candidate)).body;
    const mine = { 'X-Workspace': workspace };
    const before = desk.count('hkeys');

    const calls = Array.from({ length: 20 }, () => [
      client.post('/candidates', candidate, mine),
      client.get('/candidates', mine),
    ]);
    const statuses = (await Promise.all(calls.flat())).map(({ status }) => status);

    assert.equal(new Set(statuses), new Set([200, 201]));
    assert.is(desk.count('hkeys'), before);
  });

  commands('read the head of a workspace once in a change', async () => {
    const { workspace } = (await client.post('/candidates', candidate)).body;
    const before = desk.count('hmget');
    const { status } = await client.post('/candidates', candidate, { 'X-Workspace': workspace });
    assert.is(status, 201);
    assert.is(desk.count('hmget'), before + 1);
  });

  commands('read the head of a workspace once in a metered read', async () => {
    const { workspace, candidate: made } = (await client.post('/candidates', candidate)).body;
    const before = desk.count('hmget');
    const { status } = await client.get(`/candidates/${made.id}`, { 'X-Workspace': workspace });
    assert.is(status, 200);
    assert.is(desk.count('hmget'), before + 1);
  });

  commands.after(() => desk.stop());
  commands.run();
}
