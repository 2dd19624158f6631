import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../kernel/refusal.ts';
import type { Durability } from '../kernel/service.ts';
import type { Store } from '../workspace/store.ts';
import { databaseName, holdDataDir, makeFolder, refuseHalfRestore } from './data-dir.ts';
import { deleteOldCopies, migrateFile } from './migrate-file.ts';
import { SqliteStore } from './sqlite.ts';
import { format, refuseForeignFile } from './sqlite-file.ts';
import type { FaultWord, StoreFault } from './store-fault.ts';

/** Milliseconds between two sweeps, if there was nothing left to delete and if there was. */
const restMs = 10_000;
const busyMs = 50;
const dayMs = 86_400_000;
/** Milliseconds for the first check of a server, and between two attempts. */
const firstCheckMs = 2000;
const retryMs = 20;
const unfit: readonly FaultWord[] = ['earlier_format', 'evicts', 'not_durable'];

type Log = (text: string) => void;

/** Sweeps a store in the background until it is closed, then calls `atEnd`. */
function sweepInBackground(store: SqliteStore, atEnd: () => void): Store {
  let timer: NodeJS.Timeout;
  const schedule = (ms: number) => {
    timer = setTimeout(async () => schedule((await store.sweep(Date.now())) ? busyMs : restMs), ms).unref();
  };
  schedule(busyMs);
  const close = store.close.bind(store);
  store.close = async () => {
    clearTimeout(timer);
    await close();
    atEnd();
  };
  return store;
}

/** Deletes the copies of older files that are past their time, now and each day. Returns a function that stops. */
function cleanDaily(path: string, log: Log): () => void {
  const clean = () => {
    try {
      for (const copy of deleteOldCopies(path, Date.now())) log(`Deleted ${copy}: its seven days are over.`);
    } catch {
      // It is left, and tried again the next day.
    }
  };
  clean();
  const timer = setInterval(clean, dayMs).unref();
  return () => clearInterval(timer);
}

/** Migrates a file of an older format, and logs the name of its copy. */
function migrate(path: string, log: Log): void {
  const migration = migrateFile(path);
  if (!migration) return;
  const { from, copy } = migration;
  log(
    `Migrated ${path} from format ${from} to ${format}. The file of format ${from} is kept as ${copy} for seven days.`,
  );
}

/** Opens the store of a folder that no other process holds. Refuses a file that is not ours first. */
function openInFolder(dataDir: string, log: Log): Store {
  makeFolder(dataDir);
  const path = join(dataDir, databaseName);
  refuseForeignFile(path);
  accessSync(dataDir, constants.W_OK | constants.X_OK);
  const release = holdDataDir(dataDir);
  try {
    refuseHalfRestore(dataDir);
    migrate(path, log);
    const store = new SqliteStore(path);
    const stopCleaning = cleanDaily(path, log);
    return sweepInBackground(store, () => {
      stopCleaning();
      release();
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** Checks a server until it answers. Returns the fault that the check found, or undefined if the server works. */
async function findFirstFault(store: Store): Promise<StoreFault | undefined> {
  for (;;) {
    const fault = await store.check().then(
      () => undefined,
      ({ cause }: Refusal) => cause as StoreFault,
    );
    if (fault?.word !== 'not_connected') return fault;
    await pause(retryMs, undefined, { ref: false });
  }
}

/**
 * Opens a store on a server. Rejects if the server has workspaces of an earlier format, may evict, or is less durable
 * than promised. Reports any other fault.
 */
async function openOnServer({ url, replicas, durability, report }: StoreChoice): Promise<Store> {
  const store = new (await import('./redis.ts')).RedisStore(url, replicas, durability);
  const check = findFirstFault(store);
  const fault = await Promise.race([check, pause(firstCheckMs, undefined, { ref: false })]);
  if (fault && unfit.includes(fault.word)) {
    await store.close();
    throw new Error(`STORE_URL cannot be used: ${fault.message}`);
  }
  void check.then((fault) => fault && report?.(fault));
  return store;
}

interface StoreChoice {
  url: string;
  dataDir: string;
  /** How many replicas must have a write before it is acknowledged. Only for a server. */
  replicas?: number;
  /** How durable the servers must be. No demand if absent. */
  durability?: Durability;
  /** Called once with the reason if a server does not work. */
  report?(fault: StoreFault): void;
  /** Called with what a migration did, for the operator. */
  log?: Log;
}

/**
 * Opens the store that an operator chose: Redis or Valkey if there is a URL (see `RedisStore`), or SQLite in `dataDir`.
 * Creates that folder if it is missing, holds it for this process, and migrates a file of an older format. While a server cannot be reached, each call is
 * refused.
 *
 * Rejects with a plain message that names the setting if the store cannot be used.
 */
export async function openStore(choice: StoreChoice): Promise<Store> {
  const { url, dataDir, log = () => {} } = choice;
  if (url) return openOnServer(choice);
  try {
    return openInFolder(dataDir, log);
  } catch (error) {
    throw new Error(`DATA_DIR is ${dataDir}, where no store can be kept: ${(error as Error).message}`);
  }
}
