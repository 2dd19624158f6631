import * as fc from 'fast-check';
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../src/records/store.ts';
import { openIndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';
import { openRedis } from '../changes.ts';
import { startRedis } from '../redis.ts';
import { check } from './check.ts';
import { allCommands } from './commands.ts';
import { toSubject } from './subject.ts';
import { isAlive, readSeed, type World } from './world.ts';

/** Changes in one sequence at most. */
const mostCommands = 30;

/**
 * Runs random sequences of calls against the service over a store, and holds every reply, and after each change the
 * whole workspace, to a plain model of it. Throws at the first that differs, with the seed and path that show it
 * again. Answers how often each change came to each status.
 */
export async function runModel(store: Store, sequences: number, seed: number): Promise<World['tally']> {
  const subject = await toSubject(store);
  const shared = { subject, seed: await readSeed(subject), tally: {} };
  let number = 0;
  const property = fc.asyncProperty(
    fc.commands(allCommands, { maxCommands: mostCommands, size: 'max' }),
    async (commands) => {
      number += 1;
      subject.clock.now = Date.now();
      const world: World = {
        ...shared,
        name: `a-sequence-${seed}-${number}`,
        spaces: [],
        keyless: new Map(),
        gone: [],
        links: [],
        sent: [],
        lists: new Map(),
      };
      await fc.asyncModelRun(() => ({ model: world, real: undefined }), commands);
      for (const space of world.spaces) if (isAlive(world, space)) await check(world, space, false);
    },
  );
  await fc.assert(property, { numRuns: sequences, seed, includeErrorInReport: true });
  return shared.tally;
}

/** What opens an empty store of each kind, and ends what it needed. */
interface OpenedStore {
  store: Store;
  end(): Promise<void>;
}

export type StoreName = 'sqlite' | 'redis' | 'indexeddb';

async function openOnRedis(): Promise<OpenedStore> {
  const redis = await startRedis(['--appendfsync', 'no']);
  const store = await openRedis(`redis://127.0.0.1:${redis.port}`);
  const end = async () => {
    await store.close();
    await redis.stop();
  };
  return { store, end };
}

const toOpened = (store: Store): OpenedStore => ({ store, end: async () => store.close() });

/** Opens an empty store; `redis` needs a server on the PATH. */
export const openEmpty: Record<StoreName, () => OpenedStore | Promise<OpenedStore>> = {
  sqlite: () => toOpened(openSqliteStore(':memory:')),
  redis: openOnRedis,
  indexeddb: () => toOpened(openIndexedDbStore(`careers-${randomUUID()}`)),
};
