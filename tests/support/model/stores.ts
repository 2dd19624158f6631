import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../src/records/store.ts';
import { openIndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';
import { startRedis, until } from '../redis.ts';

/** What opens an empty store of each kind, and ends what it needed. */
interface OpenedStore {
  store: Store;
  end(): Promise<void>;
}

export type StoreName = 'sqlite' | 'redis' | 'indexeddb';

async function openRedis(): Promise<OpenedStore> {
  const redis = await startRedis(['--appendfsync', 'no']);
  const store = await openStore({ url: `redis://127.0.0.1:${redis.port}`, dataDir: '' });
  const isThere = async () => {
    try {
      await store.check();
      return true;
    } catch {
      return false;
    }
  };
  await until(isThere, 'a connection to Redis');
  return {
    store,
    async end() {
      await store.close();
      await redis.stop();
    },
  };
}

const toOpened = (store: Store): OpenedStore => ({ store, end: async () => store.close() });

/** Opens an empty store; `redis` needs a server on the PATH. */
export const openEmpty: Record<StoreName, () => OpenedStore | Promise<OpenedStore>> = {
  sqlite: () => toOpened(openSqliteStore(':memory:')),
  redis: openRedis,
  indexeddb: () => toOpened(openIndexedDbStore(`careers-${randomUUID()}`)),
};
