import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { readNodes, startClusterSet } from '../../support/redis-sets.ts';
import { type RunningServer, withServer } from '../../support/server.ts';

const recovery = suite('recovery of Redis');
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const clusterOptions = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
const toUrl = (port: number) => `redis-cluster://127.0.0.1:${port}`;

const withHost = (STORE_URL: string, use: (server: RunningServer) => Promise<unknown>) =>
  withServer({ STORE_URL, LOG: 'off', RATE_LIMIT: 'off' }, use);

/** Creates workspaces, which spread over all nodes of a cluster, and returns the statuses. */
async function create({ origin }: RunningServer, count = 1): Promise<number[]> {
  const client = await connect(origin);
  const answers = Array.from({ length: count }, () => client.post('/candidates', candidate));
  return (await Promise.all(answers)).map(({ status }) => status);
}

const isServing = async (server: RunningServer) =>
  (await create(server, 40)).every((status) => status === 201);

/** Asserts that the store is back within seconds, and stays. */
async function holdToServing(server: RunningServer, when: string): Promise<void> {
  await until(() => isServing(server), `every create succeeds ${when}`, 30_000);
  assert.ok(await isServing(server));
}

if (!skipsRedis()) {
  const start = (...more: string[]) => startRedis(more);
  const isWhole = (port: number) => askRedis(port, 'CLUSTER', 'INFO').includes('cluster_state:ok');

  recovery('a server that starts after its instance', async () => {
    const redis = await start();
    await redis.stop();
    await withHost(`redis://127.0.0.1:${redis.port}`, async (server) => {
      assert.equal(await create(server), [503]);
      await redis.start();
      await holdToServing(server, 'once the server is there');
    });
  });

  recovery('a cluster that starts after its instance, and a node that restarts on its port', async () => {
    const redis = await start(...clusterOptions);
    askRedis(redis.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(() => isWhole(redis.port), 'the cluster is up');
    await redis.stop();
    await withHost(toUrl(redis.port), async (server) => {
      assert.equal(await create(server), [503]);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await redis.start();
      await holdToServing(server, 'once the cluster is there');
      await redis.stop('SIGKILL');
      assert.equal(await create(server), [503]);
      await redis.start();
      await holdToServing(server, 'once the node is back');
    });
  });

  recovery('a cluster whose only node in STORE_URL is replaced by its replica', async () => {
    const { started } = await startClusterSet(undefined, ['--appendfsync', 'always']);
    const { port } = readNodes(started[0]!.port).find(({ isMaster }) => isMaster)!;
    await withHost(toUrl(port), async (server) => {
      await holdToServing(server, 'at first');
      await started.find((one) => one.port === port)!.stop('SIGKILL');
      await holdToServing(server, 'by the replica');
    });
  });

  recovery('a replica is reported as one, and writes work again once it is the master', async () => {
    const master = await start();
    const replica = await start('--replicaof', '127.0.0.1', `${master.port}`);
    await withHost(`redis://127.0.0.1:${replica.port}`, async (server) => {
      await until(async () => {
        assert.equal(await create(server), [503]);
        return server.output().includes('StoreFault: read_only: ');
      }, 'the cause is reported');
      askRedis(replica.port, 'REPLICAOF', 'NO', 'ONE');
      await holdToServing(server, 'once it is the master');
    });
  });
}

recovery.run();
