import { RedisStore } from '../../src/stores/redis.ts';
import {
  isUp,
  openRedis,
  TestedStore,
  toCreate,
  toHash,
  toName,
  toRecord,
} from '../../tests/support/changes.ts';
import { askRedis, type RedisProcess, redisCli, until } from '../../tests/support/redis.ts';
import {
  findMaster,
  type RedisSet,
  readNodes,
  type SentinelSet,
  startClusterSet,
  startSentinelSet,
} from '../../tests/support/redis-sets.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What happened to creates that were sent without a pause. */
export interface Told {
  acknowledged: number;
  /** Answers that said that the store is away. */
  refused: number;
  /** Acknowledged, but missing in the end. */
  lost: number;
  /** Stored more than once, though each was sent under one key. */
  doubled: number;
  /** Milliseconds from the return of the store to the first acknowledged create. */
  backMs: number;
  /** The longest time without an acknowledgement, in milliseconds. */
  gapMs: number;
}

/**
 * Sends a create under one key until it is acknowledged, as a caller would. All attempts to make a workspace have one
 * hash, because a retry makes the workspace that its key was promised before. Returns its workspace, or undefined if it
 * gave up.
 */
async function create(
  store: TestedStore,
  workspace: string | undefined,
  load: Load,
): Promise<string | undefined> {
  const key = { name: toName(), fingerprint: toName() };
  const hash = workspace ?? toHash();
  while (!load.isGivenUp) {
    const record = toRecord();
    const reply = `${hash} ${record.id}`;
    const change = toCreate({ hash, mint: !workspace, key, record, reply });
    try {
      const changed = await store.change(change);
      if (changed.result === 'taken') continue;
      if (changed.result !== 'done' && changed.result !== 'replay') throw new Error(changed.result);
      const [made, id] = (changed.result === 'replay' ? changed.reply : reply).split(' ');
      load.made.set(made!, [...(load.made.get(made!) ?? []), id!]);
      load.answers.push(performance.now());
      return made;
    } catch (error) {
      if ((error as { envelope?: { code?: string } }).envelope?.code !== 'store_unavailable') throw error;
      load.refused += 1;
      await pause(20);
    }
  }
  return undefined;
}

interface Load {
  /** The acknowledged ids, by workspace. */
  made: Map<string, string[]>;
  answers: number[];
  refused: number;
  isOver: boolean;
  isGivenUp: boolean;
}

/**
 * Has two instances make workspaces and add to them while `during` disturbs their store. `during` returns
 * when the store was back, in the time of `performance.now()`. Then compares what was acknowledged with what
 * is stored.
 */
async function runUnder(url: string, replicas: number, during: () => Promise<number>): Promise<Told> {
  const stores = [await openRedis(url, replicas), await openRedis(url, replicas)];
  const load: Load = { made: new Map(), answers: [], refused: 0, isOver: false, isGivenUp: false };
  const workers = Array.from({ length: 16 }, async (_, index) => {
    while (!load.isOver) {
      let workspace: string | undefined;
      for (let count = 0; count < 8; count += 1)
        workspace = await create(stores[(index + count) % 2]!, workspace, load);
      await pause(5);
    }
  });
  const failed = Promise.all(workers).then(() => {});
  await pause(500);
  const watch = async () => {
    const at = await during();
    await until(() => load.answers.at(-1)! > at, 'creates are acknowledged again', 20_000);
    await pause(1000);
    return at;
  };
  const ended = failed.then(() => Promise.reject(new Error('the load ended')));
  const backAt = await Promise.race([watch(), ended]).catch((error) => {
    load.isGivenUp = true;
    throw error;
  });
  ended.catch(() => {});
  load.isOver = true;
  await failed;
  await until(() => isUp(stores[0]!), 'the store answers in the end', 20_000);
  let [lost, doubled] = [0, 0];
  for (const [workspace, ids] of load.made) {
    const there = (await stores[0]!.listIds(workspace)) ?? [];
    lost += ids.filter((id) => !there.includes(id)).length;
    doubled += there.length - new Set(ids).size;
  }
  await Promise.all(stores.map((store) => store.close()));
  const { answers, refused } = load;
  const gaps = answers.slice(1).map((at, index) => at - answers[index]!);
  return {
    acknowledged: answers.length,
    refused,
    lost,
    doubled,
    backMs: Math.round(answers.find((at) => at > backAt)! - backAt),
    gapMs: Math.round(gaps.reduce((most, gap) => Math.max(most, gap), 0)),
  };
}

/** Returns whether a server accepts writes and has replicas that follow it. */
function takesWrites({ port }: RedisProcess, replicas = 1): boolean {
  const told = askRedis(port, 'INFO', 'replication');
  return /role:master/.test(told) && (told.match(/slave\d+:.*state=online/g)?.length ?? 0) >= replicas;
}

/** Waits until another server than `old` is the master of the sentinels and accepts writes. */
async function untilTakenOver(set: SentinelSet, old: RedisProcess, replicas = 1): Promise<number> {
  const isBack = () => {
    const now = findMaster(set);
    return now !== undefined && now !== old && takesWrites(now, replicas);
  };
  await until(isBack, 'a replica took over', 30_000);
  return performance.now();
}

const stopSet = (set: RedisSet) => Promise.all(set.started.map((one) => one.stop('SIGKILL')));

async function within<S extends RedisSet>(
  set: S,
  during: (set: S) => Promise<number>,
  replicas = 1,
): Promise<Told> {
  try {
    return await runUnder(set.url, replicas, () => during(set));
  } finally {
    await stopSet(set);
  }
}

type End = (master: RedisProcess, set: SentinelSet) => void | Promise<void>;

/** The master under sentinels ends: killed, paused, or demoted. */
const endMaster = (how: End, replicas: number, waits: number) => async () => {
  const set = await startSentinelSet(replicas);
  const during = async () => {
    const old = findMaster(set)!;
    await how(old, set);
    const isElsewhere = () => ![undefined, old].includes(findMaster(set));
    await until(isElsewhere, 'a replica took over', 30_000);
    if (waits < replicas) await untilTakenOver(set, old);
    const backAt = performance.now();
    old.process.kill('SIGCONT');
    if (old.process.exitCode !== null || old.process.signalCode !== null) await old.start();
    if (waits < replicas) await pause(3000);
    return waits < replicas ? backAt : untilTakenOver(set, old, replicas);
  };
  return within(set, during, waits);
};

const byPort = (set: RedisSet, port: number) => set.started.find((one) => one.port === port)!;
const toMasters = (port: number) => readNodes(port).filter(({ isMaster, isDown }) => isMaster && !isDown);

/**
 * A master of a cluster is killed. Its replica takes over, and the old master follows it after its restart.
 */
const killClusterMaster = async () =>
  within(await startClusterSet(), async (set) => {
    const [first, second] = toMasters(set.started[0]!.port);
    const [old, other] = [byPort(set, first!.port), byPort(set, second!.port)];
    await old.stop('SIGKILL');
    await until(() => toMasters(other.port).length === 3, 'a replica took over', 20_000);
    await old.start();
    const isWhole = () => toMasters(other.port).every(({ port }) => takesWrites(byPort(set, port)));
    await until(isWhole, 'each master has a replica', 20_000);
    return performance.now();
  });

const promoteInCluster = async () =>
  within(await startClusterSet(), async (set) => {
    const replica = readNodes(set.started[0]!.port).find(({ isMaster }) => !isMaster)!;
    askRedis(replica.port, 'CLUSTER', 'FAILOVER');
    await until(() => takesWrites(byPort(set, replica.port)), 'the replica is the master', 20_000);
    return performance.now();
  });

/** Slots move from one master to another, with their keys. */
const reshard = (slots: number) => async () =>
  within(await startClusterSet(), async (set) => {
    const [from, to] = toMasters(set.started[0]!.port);
    const { spawn } = await import('node:child_process');
    const command = ['--cluster', 'reshard', `127.0.0.1:${from!.port}`, '--cluster-from', from!.id];
    const more = ['--cluster-to', to!.id, '--cluster-slots', `${slots}`, '--cluster-yes'];
    const child = spawn(redisCli, [...command, ...more], { stdio: 'ignore' });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`${redisCli} ended with ${code}`);
    return performance.now();
  });

/** A store is opened before any server of its sentinels runs. */
async function startLate(): Promise<Told> {
  const set = await startSentinelSet();
  await stopSet(set);
  const store = new TestedStore(new RedisStore(set.url, 1));
  await pause(2500);
  await Promise.all(set.started.map((one) => one.start()));
  await until(
    () => findMaster(set) !== undefined && takesWrites(findMaster(set)!),
    'the servers are back',
    20_000,
  );
  const backAt = performance.now();
  await until(() => isUp(store), 'the store answers', 20_000);
  const backMs = Math.round(performance.now() - backAt);
  await store.close();
  await stopSet(set);
  return { acknowledged: 0, refused: 0, lost: 0, doubled: 0, backMs, gapMs: 0 };
}

const kill: End = (master) => master.stop('SIGKILL');
const hang: End = (master) => void master.process.kill('SIGSTOP');
const promote: End = (_, set) => void askRedis(set.sentinels[0]!.port, 'SENTINEL', 'FAILOVER', 'careers');

/** Faults of the servers of a store, by name. */
export const cases: Record<string, () => Promise<Told>> = {
  'sentinels: the master is killed': endMaster(kill, 2, 1),
  'sentinels: the master hangs, and comes back': endMaster(hang, 2, 2),
  'sentinels: a replica is promoted': endMaster(promote, 1, 1),
  'sentinels: one of two replicas is promoted': endMaster(promote, 2, 2),
  'sentinels: started after us': startLate,
  'cluster: a master is killed': killClusterMaster,
  'cluster: a replica is promoted': promoteInCluster,
  'cluster: 2,000 slots move': reshard(2000),
};

/** The quick ones, which run on every change of code. */
export const quickCases = [
  'sentinels: the master is killed',
  'cluster: 2,000 slots move',
  'sentinels: started after us',
];
