import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../src/records/store.ts';
import { openIndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';
import { openRedis } from '../changes.ts';
import { startRedis } from '../redis.ts';

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
