import type { Store } from '../../src/records/store.ts';
import { openRedisStore } from '../../src/stores/redis.ts';
import { idsOf, toCreate, toFact, toHash } from './changes.ts';
import { until } from './redis.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What became of creates that were sent all the time. */
export interface Told {
  acknowledged: number;
  /** Answers that said the store is away. */
  refused: number;
  /** Acknowledged, and not there in the end. */
  lost: number;
  /** There more than once, though each was sent under one key. */
  doubled: number;
  /** Milliseconds from when the store was back until the first create was acknowledged. */
  backMs: number;
  /** Milliseconds without any acknowledgement at most. */
  gapMs: number;
}

export const isUp = (store: Store) =>
  Promise.resolve(store.check()).then(
    () => true,
    () => false,
  );

/**
 * Sends a create until it is acknowledged, always under one key, as a caller would, each mint for a fresh workspace.
 * Answers the workspace that it is in; undefined where all was given up.
 */
async function create(store: Store, workspace: string | undefined, load: Load): Promise<string | undefined> {
  const key = { name: toHash(), fingerprint: toHash() };
  while (!load.isGivenUp) {
    const hash = workspace ?? toHash();
    const fact = toFact();
    const change = toCreate({ workspace: hash, mint: !workspace, key, fact, reply: `${hash} ${fact.id}` });
    try {
      const changed = await store.change(change);
      if (changed.result !== 'done' && changed.result !== 'replay') throw new Error(changed.result);
      const [made, id] = (changed.result === 'replay' ? changed.reply : `${hash} ${fact.id}`).split(' ');
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
  /** The ids that were acknowledged, by workspace. */
  made: Map<string, string[]>;
  answers: number[];
  refused: number;
  isOver: boolean;
  isGivenUp: boolean;
}

/**
 * Has two instances make workspaces and add to them, `during` which something happens to their store. That answers when
 * the store was back, in the time of `performance.now()`. Then compares what was acknowledged with what is there.
 */
export async function runUnder(url: string, replicas: number, during: () => Promise<number>): Promise<Told> {
  const stores = [openRedisStore(url, replicas), openRedisStore(url, replicas)];
  for (const store of stores) await until(() => isUp(store), `${url} answers`, 20_000);
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
    const there = (await idsOf(stores[0]!, workspace)) ?? [];
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
