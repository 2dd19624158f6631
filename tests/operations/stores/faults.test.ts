import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect, type Reply } from '../../support/http.ts';
import { toLines } from '../../support/log-lines.ts';
import { until } from '../../support/redis.ts';
import { findPort, makeFolder, startServer, withServer } from '../../support/server.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00', skills: ['x'.repeat(80)] };
const quiet = { LOG: 'off', RATE_LIMIT: 'off', STORE_FREE: '0' };
const test = suite('faults of the store');

function holdAsUnavailable(answer: Reply): void {
  assert.is(answer.status, 503);
  assert.is(answer.body.type, 'BLOCKED');
  assert.is(answer.body.code, 'store_unavailable');
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
}

/** Asserts that requests without a store are answered as usual. */
async function holdStaticUp(client: Client): Promise<void> {
  for (const path of ['/', '/candidates', '/candidates/cand_001', '/occupations/15-1252.00', '/openapi.json'])
    assert.is((await client.get(path)).status, 200, path);
  assert.is((await client.get('/placements?status=active')).status, 200);
  assert.is((await client.get('/offer')).status, 402);
  assert.is((await client.post('/candidates', { name: 1 })).status, 400);
}

const countIn = async (client: Client, workspace: string) =>
  (await client.get('/candidates?limit=200&scope=all', { 'X-Workspace': workspace })).body.total;

test('a full disk refuses creates and deletes, answers reads, and recovers', async () => {
  const folder = makeFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status === 0;
  if (!mounted) {
    console.log('\nskipped: a disk that can be filled needs the right to mount');
    return;
  }
  const server = await startServer({ ...quiet, DATA_DIR: folder });
  try {
    const client = await connect(server.origin);
    const { workspace, candidate: first } = (await client.post('/candidates', candidate)).body;
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
    holdAsUnavailable(await client.delete(first.links.self, inside));
    assert.match(server.output(), /StoreFault: disk_full: /);
    assert.is((await client.get(first.links.self, inside)).status, 200);
    await until(async () => (await client.get('/readyz')).status === 503, 'it is not ready');
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

test('while Redis is away everything else works, nothing is signed, and faults name the request', async () => {
  const env = { LOG: 'off', STORE_URL: `redis://127.0.0.1:${await findPort()}` };
  const printed = await withServer(env, async ({ origin, output, dataDir }) => {
    const client = await connect(origin);
    const told = (count: number) =>
      until(() => output().split('"level":"error"').length > count, 'the fault is reported');
    // One fault is reported once a second.
    const second = () => new Promise((resolve) => setTimeout(resolve, 1000));
    await told(1);
    await second();
    holdAsUnavailable(await client.post('/candidates', candidate, { 'X-Request-Id': 'first.one' }));
    await told(2);
    await second();
    const call = { name: 'createCandidate', arguments: candidate };
    await client.rpc('tools/call', call, { 'X-Request-Id': 'ws_'.padEnd(42, '0') });
    await holdStaticUp(client);
    assert.equal((await client.get('/.well-known/jwks.json')).body, { keys: [] });
    assert.match(output(), /^Signing key: none, since STORE_URL is set and SIGNING_KEY is not$/m);
    assert.not(readdirSync(dataDir).includes('signing-key.pem'));
  });
  const requests = toLines(printed).filter(({ event }) => event === undefined);
  assert.equal(
    requests.map(({ id }) => id),
    [undefined, 'first.one', 'ws_***'],
    'LOG=off: no line but that the store is away, at the start and as requests meet it',
  );
});

test.run();
