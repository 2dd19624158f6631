import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../src/records/store.ts';
import { openRedisStore } from '../src/stores/redis.ts';
import { readWhole, toAddition, toHash } from './support/additions.ts';
import {
  askRedis,
  type RedisProcess,
  skipsRedis,
  startRedis,
  startTlsRedis,
  until,
} from './support/redis.ts';
import { testStore } from './support/store-contract.ts';

/** Whether it answers now. */
const isUp = (store: Store) =>
  Promise.resolve(store.check!()).then(
    () => true,
    () => false,
  );

async function open(url: string): Promise<Store> {
  const store = openRedisStore(url);
  await until(() => isUp(store), `${url} answers`);
  return store;
}

if (!skipsRedis()) {
  const running: RedisProcess[] = [];
  const start = async (more: string[] = []) => {
    const redis = await startRedis(more);
    running.push(redis);
    return redis;
  };
  const plain = await start(['--requirepass', 'open sesame']);
  const url = `redis://:open%20sesame@127.0.0.1:${plain.port}/3`;
  const cluster = await start(['--cluster-enabled', 'yes']);
  askRedis(cluster.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(
    () => askRedis(cluster.port, 'CLUSTER', 'INFO').includes('cluster_state:ok'),
    'the cluster is up',
  );
  testStore('Redis, with a password', () => open(url), { shared: true });
  testStore('Redis, a cluster', () => open(`redis-cluster://127.0.0.1:${cluster.port}`), { shared: true });

  const redis = suite('Redis');

  redis('puts a workspace and its keys in one hash slot, and expires them by itself', async () => {
    const store = await open(url);
    const first = toAddition();
    await store.add(first);
    const key = { name: toHash(), fingerprint: toHash(), reply: '{}' };
    await store.add(toAddition({ workspace: first.workspace, mint: false, key }));
    const ask = (...args: string[]) =>
      askRedis(plain.port, '-a', 'open sesame', '--no-auth-warning', '-n', '3', ...args).trim();
    const names = ask('KEYS', `*${first.workspace}*`).split('\n');
    assert.is(names.length, 3);
    assert.is(new Set(names.map((name) => ask('CLUSTER', 'KEYSLOT', name))).size <= 1, true);
    for (const name of names) {
      const ttl = Number(ask('PTTL', name));
      assert.ok(ttl > 3_600_000 && ttl <= 3_660_000, `${name} lives for ${ttl} ms`);
    }
    await store.close();
  });

  redis('finds and bounds what is in a workspace that was made without places', async () => {
    const store = await open(url);
    const [first, second] = [toAddition(), toAddition()];
    const { workspace, now } = first;
    await store.add(first);
    await store.add({ ...second, workspace, mint: false });
    askRedis(plain.port, '-a', 'open sesame', '-n', '3', 'DEL', `careers:{${workspace}}:places`);
    const found = await store.find(workspace, now, [second.record.fact.id]);
    assert.equal(found, [{ ...second.record, seq: 2 }]);
    const ceiling = { records: 9, bytes: 3 * JSON.stringify(first.record.fact).length };
    const more = () => toAddition({ workspace, mint: false, ceiling });
    assert.equal(await store.add(more()), { result: 'added' });
    assert.equal(await store.add(more()), { result: 'full' });
    await store.close();
  });

  redis('completes, at a replay, a keyless create that was cut short after its key', async () => {
    const store = await open(url);
    const first = toAddition({ key: { name: toHash(), fingerprint: toHash('a'), reply: '{"first":1}' } });
    await store.add(first);
    askRedis(plain.port, '-a', 'open sesame', '-n', '3', 'DEL', `careers:{${first.workspace}}`);
    assert.is(await readWhole(store, first.workspace, Date.now()), undefined);
    const again = toAddition({ key: { ...first.key!, reply: '{"second":1}' } });
    assert.equal(await store.add(again), { result: 'replay', reply: '{"first":1}' });
    assert.is(
      (await readWhole(store, first.workspace, Date.now()))?.records[0]?.fact.id,
      first.record.fact.id,
    );
    assert.is(await readWhole(store, again.workspace, Date.now()), undefined);
    await store.close();
  });

  redis('refuses while the server is gone, and goes on when it is back', async () => {
    const store = await open(url);
    const first = toAddition();
    await store.add(first);
    await plain.stop('SIGKILL');
    const refusals = [() => store.add(toAddition()), () => readWhole(store, first.workspace, Date.now())];
    for (const attempt of refusals) {
      const from = Date.now();
      const error = await Promise.resolve(attempt()).catch((reason) => reason);
      assert.is(error.envelope?.code, 'store_unavailable');
      assert.ok(Date.now() - from < 2500, 'it does not wait for the server');
    }
    await plain.start();
    await until(() => isUp(store), 'the store is back');
    assert.is((await readWhole(store, first.workspace, Date.now()))?.records.length, 1);
    assert.is((await store.add(toAddition())).result, 'added');
    await store.close();
  });

  redis('does not wait for a server that hangs, and sends nothing twice', async () => {
    const store = await open(url);
    const first = toAddition();
    await store.add(first);
    plain.process.kill('SIGSTOP');
    const late = toAddition({ workspace: first.workspace, mint: false });
    const error = await Promise.resolve(store.add(late)).catch((reason) => reason);
    assert.is(error.envelope?.code, 'store_unavailable');
    await new Promise((resolve) => setTimeout(resolve, 4500));
    plain.process.kill('SIGCONT');
    await until(() => isUp(store), 'the store is back');
    const count = (await readWhole(store, first.workspace, Date.now()))!.records.length;
    assert.ok(count <= 2, `${count} records of two creates`);
    await store.close();
  });

  redis('speaks TLS', async () => {
    const { port, certificate } = await startTlsRedis(start);
    const script = `import { openRedisStore } from './src/stores/redis.ts';
      const store = openRedisStore('rediss://localhost:${port}');
      let up = false;
      for (let i = 0; i < Number(process.env.TRIES) && !up; i += 1) {
        await new Promise((r) => setTimeout(r, 50));
        up = await store.check().then(() => true, () => false);
      }
      console.log(up);
      await store.close();`;
    const run = (env: object) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      }).stdout.trim();
    assert.is(run({ NODE_EXTRA_CA_CERTS: certificate, TRIES: '400' }), 'true');
    assert.is(run({ TRIES: '30' }), 'false', 'a certificate that nobody vouches for is refused');
  });

  redis.after(async () => {
    await Promise.all(running.map((one) => one.stop()));
  });
  redis.run();
}
