import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSequences } from '../../../scripts/soak/sequences/run.ts';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Store } from '../../../src/workspace/store.ts';
import { openRedisStore } from '../../support/changes.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';

const test = suite('random sequences of calls, answered alike by two stores');

/** What must have occurred, or the test did not try much. */
const wanted = [
  ...['create 201', 'create 409', 'create 422', 'batch 201', 'batch 400', 'update 200', 'update 400'],
  ...['update 409', 'update 412', 'remove 200', 'erase 200', 'carry 201', 'share 201', 'share 409'],
  ...['changes 200', 'changes 201', 'changes 400', 'changes 409', 'changes 412', 'decide 200', 'replayed'],
  'declined proposals',
];

/**
 * A fixed seed, so that the same code always gets the same result. `npm run soak -- sequences` draws others.
 */
const seed = 20_261_122;

/** Checks SQLite and another store: neither may contradict itself. */
async function hold(other: Store, sequences: number): Promise<void> {
  const stores = [new SqliteStore(':memory:'), other];
  try {
    const tally = await runSequences(stores, sequences, seed);
    for (const what of wanted)
      assert.ok(tally[what], `none had the result ${what}: ${JSON.stringify(tally)}`);
  } finally {
    for (const store of stores) await store.close();
  }
}

test('SQLite and IndexedDB', () => hold(new IndexedDbStore(`careers-${randomUUID()}`), 100));

if (!skipsRedis())
  test('SQLite and Redis', async () => {
    const redis = await startRedis(['--appendfsync', 'no']);
    try {
      await hold(await openRedisStore(`redis://127.0.0.1:${redis.port}`), 100);
    } finally {
      await redis.stop();
    }
  });

test.run();
