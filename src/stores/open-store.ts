import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../core/store.ts';
import { openSqliteStore, type SqliteStore } from './sqlite.ts';

/** Milliseconds between sweeps while there is nothing to do, and while there is. */
const restMs = 10_000;
const busyMs = 50;

/** Sweeps a store in the background until it is closed. */
function keepSwept(store: SqliteStore): Store {
  let timer: NodeJS.Timeout;
  const schedule = (ms: number) => {
    timer = setTimeout(() => schedule(store.sweep(Date.now()) ? busyMs : restMs), ms).unref();
  };
  schedule(busyMs);
  return {
    ...store,
    close() {
      clearTimeout(timer);
      return store.close();
    },
  };
}

/**
 * The store that an operator chose: Redis or Valkey where there is a URL (see `openRedisStore`), else SQLite
 * in `dataDir`, which is made where it is missing. Rejects with a plain message where the file cannot be
 * used; a server that cannot be reached is waited for, and refused call by call until then.
 */
export async function openStore({ url, dataDir }: { url: string; dataDir: string }): Promise<Store> {
  if (url) return (await import('./redis.ts')).openRedisStore(url);
  try {
    mkdirSync(dataDir, { recursive: true });
    return keepSwept(openSqliteStore(join(dataDir, 'workspaces.sqlite')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined || !/^E[A-Z]+$/.test(code)
      ? error
      : new Error(`DATA_DIR is ${dataDir}, where no store can be kept: ${message}`);
  }
}
