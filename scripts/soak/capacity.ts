import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { channel } from '../../src/stores/redis-fields.ts';
import { measureShare } from '../../tests/support/agent-mix.ts';
import { startNginxCacheBefore } from '../../tests/support/balancers.ts';
import { askRedis, type RedisProcess, startRedis } from '../../tests/support/redis.ts';
import { readNodes, startClusterSet } from '../../tests/support/redis-sets.ts';
import { toSpread } from '../bench/load.ts';
import { folder, type Server, toResidentMb } from '../bench/servers.ts';
import type { RedisCosts } from './capacity-model.ts';
import {
  countAgents,
  measureKinds,
  measureVisits,
  type Setup,
  scaleKinds,
  startInstance,
  sum,
  type Times,
  warm,
} from './capacity-setup.ts';
import { toMainSeconds, toProcessSeconds } from './processor-time.ts';

/** What the cluster of this soak has. */
export const clusterSize = { instances: 2, masters: 3 };
/** How many changes are published to measure what each costs. */
const published = 20_000;

/** How many agents visit in a measurement, and how often it is repeated. */
export interface Sample {
  agents: number;
  rounds: number;
}

/** Measures what a visit takes on each setup in turns, so that other work on the machine affects all. Returns medians. */
async function measureInTurns(setups: readonly Setup[], { agents, rounds }: Sample): Promise<Times[]> {
  const figures = setups.map((): Times[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, setup] of setups.entries()) figures[at]!.push(await measureVisits(setup, agents));
  return figures.map((times) => ({
    instances: toSpread(times.map(({ instances }) => instances)).median,
    servers: toSpread(times.map(({ servers }) => servers)).median,
  }));
}

/** Measures an instance on SQLite: what each kind takes, the disk of a workspace, and the memory of the instance. */
export async function measureSqlite(sample: Sample) {
  const dataDir = join(folder, 'capacity');
  const instance = await startInstance({ DATA_DIR: dataDir });
  const first = countAgents();
  const setup = await warm([instance], [], sample.agents);
  const alone = await measureKinds(setup, sample.agents);
  const [whole] = await measureInTurns([setup], sample);
  const instanceBytes = toResidentMb(instance.pid) * 1e6;
  await instance.stop();
  const { size } = statSync(join(dataDir, 'workspaces.sqlite'));
  const workspaceBytes = size / (countAgents() - first);
  return { kinds: scaleKinds(alone, whole!), instanceBytes, workspaceBytes };
}

/** Publishes changes to a server, ten at a time, as if they arrived together. */
async function publish({ port }: RedisProcess): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const lines = `PUBLISH ${channel} ${'0'.repeat(64)}\r\n`.repeat(10);
  const replies = socket.iterator({ destroyOnReturn: false });
  for (let sent = 0; sent < published; sent += 10) {
    socket.write(lines);
    for (let answered = 0; answered < 10; ) {
      const { value } = await replies.next();
      answered += value.toString().split('\n').length - 1;
    }
  }
  socket.destroy();
}

/** Returns the processor seconds of each process for one change that is published to the first server. */
async function measurePublish(servers: readonly RedisProcess[], instances: readonly Server[]) {
  const read = () => ({
    servers: servers.map(({ process }) => toMainSeconds(process.pid!)),
    instances: instances.map(({ pid }) => toProcessSeconds(pid)),
  });
  const before = read();
  await publish(servers[0]!);
  const after = read();
  return {
    servers: after.servers.map((seconds, at) => (seconds - before.servers[at]!) / published),
    instances: after.instances.map((seconds, at) => (seconds - before.instances[at]!) / published),
  };
}

const sumKeys = `local sum = 0
for _, key in ipairs(redis.call('KEYS', '*')) do sum = sum + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) end
return sum`;
const toKeyBytes = ({ port }: RedisProcess) => Number(askRedis(port, 'EVAL', sumKeys, '0'));

const toPublished = ({ port }: RedisProcess) =>
  Number(/cmdstat_publish:calls=(\d+)/.exec(askRedis(port, 'INFO', 'commandstats'))?.[1] ?? 0);

/** Starts a cluster, measures what its masters take to publish a change to no instance, and then starts instances. */
async function startCluster() {
  const set = await startClusterSet(undefined, ['--appendfsync', 'always']);
  const nodes = readNodes(set.started[0]!.port);
  const servers = set.started.filter(({ port }) => nodes.some((node) => node.port === port && node.isMaster));
  const [publisher, ...acceptors] = (await measurePublish(servers, [])).servers;
  const start = () => startInstance({ STORE_URL: set.url });
  const instances = await Promise.all(Array.from({ length: clusterSize.instances }, start));
  const stop = () => Promise.all([...instances, ...set.started].map((one) => one.stop()));
  return { servers, instances, publisher: publisher!, acceptors, others: set.started.length - 1, stop };
}

/** Starts one server of Redis with a replica and two instances. `alone` is what it takes to publish to no instance. */
async function startSingle() {
  const server = await startRedis();
  const [alone] = (await measurePublish([server], [])).servers;
  const replica = await startRedis(['--appendfsync', 'no', '--replicaof', '127.0.0.1', `${server.port}`]);
  const start = () => startInstance({ STORE_URL: `redis://127.0.0.1:${server.port}` });
  const instances = [await start(), await start()];
  const stop = () => Promise.all([...instances, server].map((one) => one.stop()));
  return { server, replica, instances, alone: alone!, stop };
}

/** Measures one instance and then two on one server of Redis, and two on a cluster of three masters. */
export async function measureRedis(sample: Sample) {
  const [single, cluster] = [await startSingle(), await startCluster()];
  const { server, instances } = single;
  const first = countAgents();
  const one = await warm(instances.slice(0, 1), [server], sample.agents);
  const alone = await measureKinds(one, sample.agents);
  const two = await warm(instances, [server], sample.agents);
  const visits = countAgents() - first;
  const [bytes, changes] = [toKeyBytes(server), toPublished(server) - published];
  const firstOfCluster = countAgents();
  const many = await warm(cluster.instances, cluster.servers, sample.agents);
  const clusterBytes = sum(cluster.servers.map(toKeyBytes)) / (countAgents() - firstOfCluster);
  const [ofOne, ofTwo, ofCluster] = await measureInTurns([one, two, many], sample);
  await single.replica.stop();
  const perChange = await measurePublish([server], instances);
  for (const { stop } of [single, cluster]) await stop();
  const costs: RedisCosts = {
    workspaceBytes: bytes / visits,
    published: changes / visits,
    spread: {
      instance: Math.max(0, ofTwo!.instances - ofOne!.instances),
      server: Math.max(0, ofTwo!.servers - ofOne!.servers),
    },
    receive: sum(perChange.instances) / instances.length,
    notify: Math.max(0, perChange.servers[0]! - single.alone) / instances.length,
    forward: Math.max(0, cluster.publisher - single.alone) / cluster.others,
    accept: sum(cluster.acceptors) / cluster.acceptors.length,
  };
  const check = { ...ofCluster!, workspaceBytes: clusterBytes };
  return { kinds: scaleKinds(alone, ofOne!), costs, check };
}

/** Measures which share of the requests that a CDN may answer reaches the instances. The cache begins empty. */
export const measureMisses = () => measureShare(startNginxCacheBefore, 'on', 3000);
