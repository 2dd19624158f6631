import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect, type Reply } from '../../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../../support/redis.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { makeFolder, withServer } from '../../../support/server.ts';

const storage = suite('limits on storage');
const quiet = { LOG: 'off', RATE_LIMIT: 'off', METER: 'count' };
const candidate = { name: 'Ann Sample', onetCode, skills: ['x'.repeat(80)] };
const large = { ...candidate, skills: Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(75)}`) };
const batch = { candidates: Array.from({ length: 200 }, () => large) };
const caller = (n: number) => ({ 'X-Forwarded-For': `203.0.${113 + (n >> 7)}.${n & 127}` });

function holdToFull({ status, body, headers }: Reply): void {
  assert.is(status, 503);
  assert.is(body.type, 'BLOCKED');
  assert.is(body.code, 'store_full');
  assert.ok(Number(headers.get('retry-after')) >= 1);
}

function holdToShare({ status, body, headers }: Reply): void {
  assert.is(status, 429);
  assert.is(body.type, 'BLOCKED');
  assert.is(body.code, 'storage_share');
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 2 * 86_400, `Retry-After ${seconds}`);
  assert.match(body.reason, new RegExp(`^More than \\d+ bytes in a day .* Wait ${seconds} s`));
}

/** Sends creates until one is refused. Returns the refusal and the number of creates before it. */
async function fill(create: () => Promise<Reply>): Promise<{ made: number; refused: Reply }> {
  for (let made = 0; ; made += 1) {
    const answer = await create();
    if (answer.status !== 201) return { made, refused: answer };
    assert.ok(made < 1000, 'never refused');
  }
}

/** Waits until a create is refused because the store is full, which the store checks each second. */
async function untilFull(client: Client): Promise<void> {
  let asked = 1;
  let answer: Reply | undefined;
  const isRefused = async () => {
    asked += 1;
    answer = await client.post('/candidates', candidate, caller(asked));
    return answer.status !== 201;
  };
  await until(isRefused, 'creates are refused', 60_000);
  holdToFull(answer!);
}

/** Waits until a create in a new workspace succeeds. */
const untilOpen = (client: Client, headers = {}) =>
  until(
    async () => (await client.post('/candidates', candidate, headers)).status === 201,
    'creates succeed',
    60_000,
  );

storage('an address that used up its share adds no more, but reads, deletes and others go on', async () => {
  const env = { ...quiet, METRICS: 'on', TRUST_PROXY: '1', BYTES_PER_CLIENT: '20000' };
  await withServer(env, async ({ origin }) => {
    const client = await connect(origin);
    const key = { 'Idempotency-Key': 'made-before-the-limit-was-met' };
    const first = await client.post('/candidates', candidate, { ...caller(1), ...key });
    const inside = { ...caller(1), 'X-Workspace': first.body.workspace };
    const { made, refused } = await fill(() => client.post('/candidates', candidate, inside));
    // Each is a text of about 230 bytes, with 200 bytes of overhead.
    assert.ok(made >= 35 && made <= 60, String(made));
    holdToShare(refused);
    holdToShare(await client.post('/candidates', candidate, caller(1)));
    const { id } = first.body.candidate;
    const toPatch = (body: object, more = {}) =>
      client.patch(`/candidates/${id}`, body, { ...inside, ...more });
    holdToShare(await toPatch({ skills: large.skills }));
    assert.is((await toPatch({ skills: null })).status, 200, 'a delete');
    const again = await client.post('/candidates', candidate, { ...caller(1), ...key });
    assert.equal([again.status, again.text], [201, first.text], 'an earlier create is replayed');
    assert.is((await client.get('/candidates?scope=workspace', inside)).body.total, made + 1);
    const rpc = { name: 'createCandidate', arguments: candidate };
    const { structuredContent } = (await client.rpc('tools/call', rpc, caller(1))).body.result;
    assert.is(structuredContent.code, 'storage_share');
    assert.is((await client.post('/candidates', candidate, caller(2))).status, 201, 'another address');
    assert.is((await client.delete('/workspace', inside)).status, 200);
    holdToShare(await client.post('/candidates', candidate, caller(1)));
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    assert.match(metrics, /^careers_rate_limited_total\{limit="bytes"\} 5$/m);
    assert.match(metrics, /^careers_store_bytes \d{5,}$/m);
  });
});

storage('a full store adds no record, but everything else works and can make room', async () => {
  const env = { ...quiet, STORE_BYTES: '16777216', STORE_FREE: '0' };
  const printed = await withServer(env, async ({ origin }) => {
    const client = await connect(origin);
    const job = await client.post('/job-orders', { client: 'Example', title: 'Developer', onetCode });
    const inside = { 'X-Workspace': job.body.workspace };
    const post = (path: string, body: object) => client.post(path, body, inside);
    const patch = (path: string, body: object) => client.patch(path, body, inside);
    const ann = (await post('/candidates', candidate)).body.candidate;
    const proposed = await post('/placements', {
      candidateId: ann.id,
      jobOrderId: job.body.jobOrder.id,
      onetCode,
      status: 'proposed',
    });
    const placed = await post('/placements', {
      candidateId: ann.id,
      jobOrderId: job.body.jobOrder.id,
      onetCode,
      startDate: new Date(Date.now() - 864_000_000).toISOString().slice(0, 10),
    });
    const outcome = `${placed.body.placement.links.self}/outcome`;
    assert.is((await post(outcome, { result: 'retained' })).status, 200);
    const confirmation = await post(outcome.replace('outcome', 'confirmations'), { party: 'client' });
    const filled: string[] = [];
    const { refused } = await fill(async () => {
      const answer = await client.post('/batch', batch);
      if (answer.status === 201) filled.push(answer.body.workspace);
      return answer;
    });
    holdToFull(refused);
    holdToFull(await post('/candidates', candidate));
    assert.is((await client.tool('createCandidate', candidate)).structuredContent.code, 'store_full');
    assert.is((await client.get('/candidates?limit=1', inside)).status, 200);
    assert.is((await client.get('/readyz')).status, 200);
    assert.is((await patch(`/candidates/${ann.id}`, { name: 'Ann Other' })).status, 200);
    const decided = await patch(proposed.body.placement.links.self, { status: 'declined' });
    assert.is(decided.status, 200, decided.text);
    const token = { 'X-Confirmation': confirmation.body.confirmation.token };
    const { tag } = (await client.get('/confirmation', token)).body;
    const said = await client.post('/confirmation', { agrees: true, tag }, token);
    assert.is(said.status, 200, said.text);
    assert.is((await client.delete(`/candidates/${ann.id}`, inside)).status, 200);
    for (const workspace of filled) await client.delete('/workspace', { 'X-Workspace': workspace });
    await untilOpen(client);
  });
  assert.match(printed, /StoreFault: store_full: .*it takes \d+ bytes, and STORE_BYTES is 16777216/);
});

storage('what expires makes room in a full store', async () => {
  const env = { ...quiet, STORE_BYTES: '16777216', STORE_FREE: '0', RETENTION_SECONDS: '2' };
  await withServer(env, async ({ origin }) => {
    const client = await connect(origin);
    holdToFull((await fill(() => client.post('/batch', batch))).refused);
    await untilOpen(client);
  });
});

storage('a disk with less than its reserve free accepts no record until there is room', async () => {
  const folder = makeFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]).status !== 0) {
    console.log('\nskipped: a disk that can be filled needs the right to mount');
    return;
  }
  const env = { ...quiet, DATA_DIR: folder, STORE_FREE: '4000000' };
  try {
    await withServer(env, async ({ origin }) => {
      const client = await connect(origin);
      const { body } = await client.post('/candidates', candidate);
      const inside = { 'X-Workspace': body.workspace };
      const filler = join(folder, 'filler');
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M', 'count=13']);
      await untilFull(client);
      assert.is((await client.delete('/workspace', inside)).status, 200);
      rmSync(filler);
      await untilOpen(client);
    });
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
});

storage('instances share what an address added, and the memory of Redis counts as it is', async () => {
  if (skipsRedis()) return;
  const redis = await startRedis();
  const used = () => Number(/used_memory:(\d+)/.exec(askRedis(redis.port, 'INFO', 'memory'))![1]);
  const most = used() + 17_000_000;
  const shared = { ...quiet, STORE_URL: `redis://127.0.0.1:${redis.port}`, TRUST_PROXY: '1' };
  const env = {
    ...shared,
    BYTES_PER_CLIENT: '20000',
    STORE_BYTES: String(most),
    STORE_FREE: '1000000000000000',
  };
  try {
    await withServer(env, async (one) => {
      await withServer(env, async (other) => {
        const [a, b] = [await connect(one.origin), await connect(other.origin)];
        holdToShare((await fill(() => a.post('/candidates', candidate, caller(1)))).refused);
        const { made, refused } = await fill(() => b.post('/candidates', candidate, caller(1)));
        holdToShare(refused);
        assert.ok(made <= 3, `the other made ${made} more`);
        askRedis(redis.port, 'SETRANGE', 'filler', '18000000', 'x');
        for (const client of [a, b]) await untilFull(client);
        askRedis(redis.port, 'DEL', 'filler');
        for (const client of [a, b]) await untilOpen(client, caller(8000));
      });
    });
  } finally {
    await redis.stop();
  }
});

storage.run();
