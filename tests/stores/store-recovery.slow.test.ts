import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../support/http.ts';
import { askRedis, type RedisProcess, skipsRedis, startRedis, until } from '../support/redis.ts';
import { type RunningServer, withServer } from '../support/server.ts';

const recovery = suite('recovery of Redis');
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const clusterOptions = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
const third = Math.ceil(16_384 / 3);

const withHost = (STORE_URL: string, use: (server: RunningServer) => Promise<unknown>) =>
  withServer({ STORE_URL, LOG: 'off', RATE_LIMIT: 'off' }, use);

/** Statuses of creates in as many workspaces, which fall on all nodes of a cluster. */
async function create({ origin }: RunningServer, count = 1): Promise<number[]> {
  const client = await connect(origin);
  const answers = Array.from({ length: count }, () => client.post('/candidates', candidate));
  return (await Promise.all(answers)).map(({ status }) => status);
}

const isServing = async (server: RunningServer) =>
  (await create(server, 40)).every((status) => status === 201);

/** It comes back within seconds, and then stays. */
async function holdToServing(server: RunningServer, when: string): Promise<void> {
  await until(() => isServing(server), `every create is taken ${when}`);
  assert.ok(await isServing(server));
}

if (!skipsRedis()) {
  const start = (...more: string[]) => startRedis(more);
  const isWhole = (port: number) => askRedis(port, 'CLUSTER', 'INFO').includes('cluster_state:ok');

  /** Three masters that know each other. */
  async function startCluster(): Promise<RedisProcess[]> {
    const nodes: RedisProcess[] = [];
    for (let index = 0; index < 3; index += 1) {
      const node = await start(...clusterOptions);
      const last = Math.min((index + 1) * third, 16_384) - 1;
      askRedis(node.port, 'CLUSTER', 'ADDSLOTSRANGE', `${index * third}`, `${last}`);
      askRedis(node.port, 'CONFIG', 'SET', 'cluster-require-full-coverage', 'no');
      if (nodes[0]) askRedis(node.port, 'CLUSTER', 'MEET', '127.0.0.1', `${nodes[0].port}`);
      nodes.push(node);
    }
    const isKnown = ({ port }: RedisProcess) =>
      isWhole(port) && askRedis(port, 'CLUSTER', 'NODES').match(/ connected \d/g)?.length === 3;
    await until(() => nodes.every(isKnown), 'the cluster is whole');
    return nodes;
  }

  const toUrl = (...nodes: { port: number }[]) =>
    `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;

  recovery('a server that comes after its instance', async () => {
    const redis = await start();
    await redis.stop();
    await withHost(`redis://127.0.0.1:${redis.port}`, async (server) => {
      assert.equal(await create(server), [503]);
      await redis.start();
      await holdToServing(server, 'once the server is there');
    });
  });

  recovery('a cluster that comes after its instance, and a node that restarts on its port', async () => {
    const redis = await start(...clusterOptions);
    askRedis(redis.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(() => isWhole(redis.port), 'the cluster is up');
    await redis.stop();
    await withHost(toUrl(redis), async (server) => {
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
    const [first] = (await startCluster()) as [RedisProcess];
    const replica = await start(...clusterOptions);
    const id = askRedis(first.port, 'CLUSTER', 'MYID').trim();
    askRedis(replica.port, 'CLUSTER', 'MEET', '127.0.0.1', `${first.port}`);
    await until(
      () => askRedis(replica.port, 'CLUSTER', 'REPLICATE', id).startsWith('OK'),
      'the replica knows its master',
    );
    await until(
      () => askRedis(replica.port, 'INFO', 'replication').includes('master_link_status:up'),
      'the replica has its data',
    );
    await withHost(toUrl(first), async (server) => {
      await holdToServing(server, 'at first');
      await first.stop('SIGKILL');
      askRedis(replica.port, 'CLUSTER', 'FAILOVER', 'TAKEOVER');
      await holdToServing(server, 'by the replica');
    });
  });

  recovery('a replica is told as one, and writes go on once it is the master', async () => {
    const master = await start();
    const replica = await start('--replicaof', '127.0.0.1', `${master.port}`);
    await withHost(`redis://127.0.0.1:${replica.port}`, async (server) => {
      await until(async () => {
        assert.equal(await create(server), [503]);
        return server.output().includes('StoreFault: read_only: ');
      }, 'the cause is told');
      askRedis(replica.port, 'REPLICAOF', 'NO', 'ONE');
      await holdToServing(server, 'once it is the master');
    });
  });
}

recovery.run();
