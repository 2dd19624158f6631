import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUp, make, openRedis, openRedisStore, toCreate, toFault } from '../../support/changes.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { testStore } from '../../support/store-contract.ts';

if (!skipsRedis()) {
  // The system keeps the writes of a killed server, so flushing makes no difference here.
  const quick = ['--appendfsync', 'no'];
  const password = 'a:b/c@d?e#f%20,g é';
  const plain = await startRedis([...quick, '--requirepass', password]);
  const url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${plain.port}/3`;
  const cluster = await startRedis([...quick, '--cluster-enabled', 'yes']);
  askRedis(cluster.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(
    () => askRedis(cluster.port, 'CLUSTER', 'INFO').includes('cluster_state:ok'),
    'the cluster is up',
  );
  testStore('Redis, with a password', () => openRedisStore(url), { shared: true });
  testStore('Redis, a cluster', () => openRedisStore(`redis-cluster://127.0.0.1:${cluster.port}`), {
    shared: true,
  });

  const redis = suite('Redis');

  redis('refuses while the server is gone, and works again when it is back', async () => {
    const store = await openRedis(url);
    const first = await make(store);
    await plain.stop('SIGKILL');
    const refusals = [() => store.change(toCreate()), () => store.readWhole(first.hash)];
    for (const attempt of refusals) {
      const from = Date.now();
      assert.ok(await toFault(attempt()));
      assert.ok(Date.now() - from < 2500, 'it does not wait for the server');
    }
    await plain.start();
    await until(() => isUp(store), 'the store is back');
    assert.is((await store.readWhole(first.hash))?.records.length, 1);
    assert.is((await store.change(toCreate())).result, 'done');
    await store.close();
  });

  redis('does not wait for a server that hangs, and sends nothing twice', async () => {
    const store = await openRedis(url);
    const first = await make(store);
    plain.process.kill('SIGSTOP');
    const late = toCreate({ hash: first.hash, mint: false });
    assert.ok(await toFault(store.change(late)));
    await new Promise((resolve) => setTimeout(resolve, 4500));
    plain.process.kill('SIGCONT');
    await until(() => isUp(store), 'the store is back');
    const count = (await store.readWhole(first.hash))!.records.length;
    assert.ok(count <= 2, `${count} records of two creates`);
    await store.close();
  });

  redis('answers pending calls before it is closed', async () => {
    const store = await openRedis(url);
    const { hash } = await make(store);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const asked = Array.from({ length: 5 }, () => store.store.open(hash));
    await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    for (const head of await Promise.all(asked)) assert.is(head?.revision, 1);
  });

  redis.after(async () => {
    await Promise.all([plain, cluster].map((one) => one.stop()));
  });
  redis.run();
}
