import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../kernel/refusal.ts';
import type { Durability } from '../kernel/service.ts';
import type { Store } from '../records/store.ts';
import { holdDataDir, makeFolder } from './data-dir.ts';
import { openSqliteStore } from './sqlite.ts';
import { refuseForeign } from './sqlite-file.ts';
import type { FaultWord, StoreFault } from './store-fault.ts';

/** Milliseconds between sweeps while there is nothing to do, and while there is. */
const restMs = 10_000;
const busyMs = 50;
/** Milliseconds that a server has to say at the start what it is, and between two questions. */
const firstAnswerMs = 2000;
const againMs = 20;
const unfit: readonly FaultWord[] = ['earlier_format', 'evicts', 'not_durable'];

/** Sweeps a store in the background until it is closed, then does what is to be done `atEnd`. */
function keepSwept(store: ReturnType<typeof openSqliteStore>, atEnd: () => void): Store {
  let timer: NodeJS.Timeout;
  const schedule = (ms: number) => {
    timer = setTimeout(async () => schedule((await store.sweep(Date.now())) ? busyMs : restMs), ms).unref();
  };
  schedule(busyMs);
  return {
    ...store,
    async close() {
      clearTimeout(timer);
      await store.close();
      atEnd();
    },
  };
}

/** Opens the store of a folder that nobody else holds. A file that is not ours is refused before all else. */
function openInFolder(dataDir: string): Store {
  makeFolder(dataDir);
  const path = join(dataDir, 'workspaces.sqlite');
  refuseForeign(path);
  accessSync(dataDir, constants.W_OK | constants.X_OK);
  const release = holdDataDir(dataDir);
  try {
    return keepSwept(openSqliteStore(path), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Asks a server until it says what it is: why it does not work, undefined where it does. */
async function toFirstFault(store: Store): Promise<StoreFault | undefined> {
  for (;;) {
    const fault = await store.check().then(
      () => undefined,
      ({ cause }: Refusal) => cause as StoreFault,
    );
    if (fault?.word !== 'not_connected') return fault;
    await pause(againMs, undefined, { ref: false });
  }
}

/**
 * Refuses a server that says at the start that it has what this version does not read, evicts, or keeps less than is
 * promised. Any other fault is reported, before the first caller meets it.
 */
async function openOnServer({ url, replicas, durability, report }: StoreChoice): Promise<Store> {
  const store = (await import('./redis.ts')).openRedisStore(url, replicas, durability);
  const asked = toFirstFault(store);
  const fault = await Promise.race([asked, pause(firstAnswerMs, undefined, { ref: false })]);
  if (fault && unfit.includes(fault.word)) {
    await store.close();
    throw new Error(`STORE_URL cannot be used: ${fault.message}`);
  }
  void asked.then((found) => found && report?.(found));
  return store;
}

interface StoreChoice {
  url: string;
  dataDir: string;
  /** Replicas that have a write before it is answered, where there is a URL. */
  replicas?: number;
  /** What the servers must keep through a crash; where it is absent, nothing. */
  durability?: Durability;
  /** Hears once why a server does not work, as soon as that is known. */
  report?(fault: StoreFault): void;
}

/**
 * The store that an operator chose: Redis or Valkey where there is a URL (see `openRedisStore`), else SQLite in
 * `dataDir`, which is made where it is missing and held for this process alone. Rejects with a plain message that names
 * the setting where it cannot be used; a server that cannot be reached is waited for, and refused call by call until
 * then.
 */
export async function openStore(choice: StoreChoice): Promise<Store> {
  const { url, dataDir } = choice;
  if (url) return openOnServer(choice);
  try {
    return openInFolder(dataDir);
  } catch (error) {
    throw new Error(`DATA_DIR is ${dataDir}, where no store can be kept: ${(error as Error).message}`);
  }
}
