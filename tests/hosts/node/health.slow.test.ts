import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { askRedis, redisBinary, startRedis, until } from '../../support/redis.ts';
import { findPort, makeFolder, startServer, withServer } from '../../support/server.ts';

process.chdir(join(import.meta.dirname, '..', '..', '..'));
const health = suite('health');
const get = async (origin: string, path: string) => {
  const response = await fetch(origin + path);
  return { status: response.status, body: await response.json() };
};
const candidate = { name: 'A', onetCode: '15-1252.00' };

/** What /readyz says within the 3 s that an old finding may be told again. */
const holdsReadiness = (origin: string, status: number) =>
  until(async () => (await get(origin, '/readyz')).status === status, `/readyz says ${status}`);

health('a full disk: alive, not ready, and ready again', async () => {
  const folder = makeFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status !== 0) {
    console.log('\nskipped: a disk that can be filled needs the right to mount');
    return;
  }
  const server = await startServer({ DATA_DIR: folder, LOG: 'off', STORE_FREE: '0' });
  try {
    const client = await connect(server.origin);
    assert.is((await client.get('/readyz')).status, 200);
    const filler = join(folder, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
    let { status } = await client.post('/candidates', candidate);
    while (status === 201) status = (await client.post('/candidates', candidate)).status;
    await holdsReadiness(server.origin, 503);
    const { body } = await get(server.origin, '/readyz');
    assert.equal([body.code, body.ready, body.store.ok], ['store_unavailable', false, false]);
    assert.match(body.cause.message, /full/);
    assert.match(body.cause.word, /^[a-z_]+$/);
    assert.is((await get(server.origin, '/healthz')).status, 200);
    rmSync(filler);
    await holdsReadiness(server.origin, 200);
  } finally {
    await server.stop();
    spawnSync('umount', ['-l', folder]);
  }
});

health('a Redis server that is away, full or read-only: alive and not ready', async () => {
  if (!redisBinary) {
    console.log('\nskipped: no redis-server on this machine');
    assert.not(process.env.CI, 'under CI there must be one');
    return;
  }
  await withServer({ STORE_URL: `redis://127.0.0.1:${await findPort()}` }, async ({ origin }) => {
    await holdsReadiness(origin, 503);
    assert.is((await get(origin, '/healthz')).status, 200);
  });
  const redis = await startRedis();
  const cli = (...args: string[]) => askRedis(redis.port, ...args);
  await withServer({ STORE_URL: `redis://127.0.0.1:${redis.port}` }, async ({ origin }) => {
    await holdsReadiness(origin, 200);
    const ttl = Number(cli('PTTL', 'careers:check'));
    assert.ok(ttl > 0 && ttl <= 10_000, `${ttl} ms`);
    const tells = (word: RegExp) =>
      until(async () => word.test((await get(origin, '/readyz')).body.cause?.message), `it tells ${word}`);
    cli('CONFIG', 'SET', 'maxmemory', '1');
    await tells(/OOM/);
    cli('CONFIG', 'SET', 'maxmemory', '0');
    cli('CONFIG', 'SET', 'appendfsync', 'everysec');
    await tells(/not_durable/);
    cli('CONFIG', 'SET', 'appendfsync', 'always');
    cli('REPLICAOF', '127.0.0.1', `${await findPort()}`);
    await tells(/READONLY/);
    cli('REPLICAOF', 'NO', 'ONE');
    cli('CONFIG', 'SET', 'min-replicas-to-write', '1');
    await tells(/NOREPLICAS/);
    assert.is((await get(origin, '/healthz')).status, 200);
    cli('CONFIG', 'SET', 'min-replicas-to-write', '0');
    await holdsReadiness(origin, 200);
  });
  await redis.stop();
});

health.run();
