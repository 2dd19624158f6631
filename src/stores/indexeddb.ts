import { createStore } from 'idb-keyval';
import { Refusal } from '../core/refusal.ts';
import type { Added, Addition, Store, Workspace } from '../core/store.ts';

/** A store in IndexedDB, which is swept by whoever opened it. */
export interface IndexedDbStore extends Store {
  /** Forgets what expired at or before `now`. */
  sweep(now: number): Promise<void>;
}

interface KeptWorkspace {
  expiresAt: number;
  records: Addition['record'][];
}

interface KeptKey {
  expiresAt: number;
  fingerprint: string;
  reply: string;
}

/** Workspaces and keys stand side by side, each under a hash. */
const toWorkspaceKey = (hash: string) => `workspace:${hash}`;
const toReplyKey = (name: string) => `key:${name}`;
const probeKey = 'check';

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves once a transaction (Indexed Database API 3.0, section 2.7) is committed. */
function commit({ transaction }: IDBObjectStore): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** What is kept under a key, unless it expired at or before `now`. */
async function find<T extends { expiresAt: number }>(
  objects: IDBObjectStore,
  key: string,
  now: number,
): Promise<T | undefined> {
  const kept = (await settle(objects.get(key))) as T | undefined;
  return kept && kept.expiresAt > now ? kept : undefined;
}

async function apply(objects: IDBObjectStore, addition: Addition): Promise<Added> {
  const { mint, record, ceiling, now, expiresAt, key } = addition;
  if (key) {
    const kept = await find<KeptKey>(objects, toReplyKey(key.name), now);
    if (kept && kept.fingerprint !== key.fingerprint) return { result: 'mismatch' };
    if (kept) return { result: 'replay', reply: kept.reply };
  }
  const name = toWorkspaceKey(addition.workspace);
  const found = mint ? { expiresAt: 0, records: [] } : await find<KeptWorkspace>(objects, name, now);
  if (!found) return { result: 'unknown' };
  if (found.records.length >= ceiling) return { result: 'full' };
  const workspace: KeptWorkspace = {
    expiresAt: Math.max(found.expiresAt, expiresAt),
    records: [...found.records, record],
  };
  objects.put(workspace, name);
  if (key) {
    const kept: KeptKey = { expiresAt, fingerprint: key.fingerprint, reply: key.reply };
    objects.put(kept, toReplyKey(key.name));
  }
  return { result: 'added' };
}

/**
 * Workspaces in the IndexedDB database `name` of this browser and origin. A workspace is one value, a key
 * another; each create is one transaction over both, so it is atomic, between tabs too.
 */
export function openIndexedDbStore(name: string): IndexedDbStore {
  const within = createStore(name, 'workspaces');
  const stats = { commits: 0, creates: 0, failures: 0 };

  async function attempt<T>(
    mode: IDBTransactionMode,
    run: (objects: IDBObjectStore) => T | Promise<T>,
  ): Promise<T> {
    try {
      return await within(mode, async (objects) => {
        const committed = commit(objects);
        const [answer] = await Promise.all([run(objects), committed]);
        return answer;
      });
    } catch {
      stats.failures += 1;
      throw new Refusal('store_unavailable');
    }
  }

  return {
    get: (workspace, now) =>
      attempt('readonly', async (objects): Promise<Workspace | undefined> => {
        const found = await find<KeptWorkspace>(objects, toWorkspaceKey(workspace), now);
        return (
          found && {
            expiresAt: found.expiresAt,
            records: found.records.map((record, index) => ({ ...record, seq: index + 1 })),
          }
        );
      }),
    async add(addition) {
      const added = await attempt('readwrite', (objects) => apply(objects, addition));
      if (added.result === 'added') {
        stats.commits += 1;
        stats.creates += 1;
      }
      return added;
    },
    check: () =>
      attempt('readwrite', async (objects) => {
        await settle(objects.put(0, probeKey));
        await settle(objects.delete(probeKey));
      }),
    stats: () => ({ ...stats }),
    sweep: (now) =>
      attempt('readwrite', (objects) => {
        const cursors = objects.openCursor();
        cursors.onsuccess = () => {
          const cursor = cursors.result;
          if (!cursor) return;
          if ((cursor.value as { expiresAt: number }).expiresAt <= now) cursor.delete();
          cursor.continue();
        };
      }),
    close() {},
  };
}
