import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Client, connect } from '../support/http.ts';
import { redisBinary, startRedis, until } from '../support/redis.ts';
import { findPort, makeFolder, startServer } from '../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00', skills: ['x'.repeat(80)] };
const quiet = { LOG: 'off', RATE_LIMIT: 'off', STORE_FREE: '0' };
const test = suite('faults of the store');

function holdAsUnavailable(answer: Answer): void {
  assert.is(answer.status, 503);
  assert.equal([answer.body.type, answer.body.code], ['BLOCKED', 'store_unavailable']);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
}

/** What needs no store is answered as ever. */
async function holdStaticUp(client: Client): Promise<void> {
  for (const path of ['/', '/candidates', '/candidates/cand_001', '/occupations/15-1252.00', '/openapi.json'])
    assert.is((await client.get(path)).status, 200, path);
  assert.is((await client.get('/placements?status=active')).status, 200);
  assert.is((await client.get('/offer')).status, 402);
  assert.is((await client.post('/candidates', { name: 1 })).status, 400);
}

const countIn = async (client: Client, workspace: string) =>
  (await client.get('/candidates?limit=200', { 'X-Workspace': workspace })).body.total;

test('a full disk refuses creates, keeps all else, and passes', async () => {
  const folder = makeFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status === 0;
  if (!mounted) {
    console.log('\nskipped: a disk that can be filled needs the right to mount');
    return;
  }
  const server = await startServer({ ...quiet, DATA_DIR: folder });
  try {
    const client = await connect(server.origin);
    const { workspace } = (await client.post('/candidates', candidate)).body;
    const inside = { 'X-Workspace': workspace };
    const filler = join(folder, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k']);
    let acknowledged = 1;
    let answer = await client.post('/candidates', candidate, inside);
    for (; answer.status === 201; answer = await client.post('/candidates', candidate, inside))
      acknowledged += 1;
    holdAsUnavailable(answer);
    holdAsUnavailable(await client.post('/candidates', candidate));
    const { structuredContent } = await client.tool('createCandidate', candidate);
    assert.is(structuredContent.code, 'store_unavailable');
    assert.match(server.output(), /StoreFault: disk_full: /);
    await holdStaticUp(client);
    const total = await countIn(client, workspace);
    rmSync(filler);
    assert.is((await client.post('/candidates', candidate, inside)).status, 201);
    assert.is(await countIn(client, workspace), total + 1);
    const seed = (await client.get('/candidates')).body.total;
    assert.is(total, seed + acknowledged);
  } finally {
    await server.stop();
    spawnSync('umount', ['-l', folder]);
  }
});

test('a Redis server that is gone at the start, comes, drops and comes back', async () => {
  if (!redisBinary) {
    console.log('\nskipped: no redis-server on this machine');
    assert.not(process.env.CI, 'under CI there must be one');
    return;
  }
  const nowhere = await startServer({ ...quiet, STORE_URL: `redis://127.0.0.1:${await findPort()}` });
  const lonely = await connect(nowhere.origin);
  holdAsUnavailable(await lonely.post('/candidates', candidate));
  await holdStaticUp(lonely);
  assert.is(await nowhere.stop(), 0);

  const redis = await startRedis();
  const server = await startServer({ ...quiet, STORE_URL: `redis://127.0.0.1:${redis.port}` });
  const client = await connect(server.origin);
  const { workspace } = (await client.post('/candidates', candidate)).body;
  const total = await countIn(client, workspace);
  await redis.stop('SIGKILL');
  holdAsUnavailable(await client.post('/candidates', candidate));
  holdAsUnavailable(await client.get('/candidates', { 'X-Workspace': workspace }));
  await holdStaticUp(client);
  await redis.start();
  await until(async () => (await client.post('/candidates', candidate)).status === 201, 'creates are back');
  assert.is(await countIn(client, workspace), total);
  assert.is(await server.stop(), 0);
  await redis.stop();
});

test.run();
