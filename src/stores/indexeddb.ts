import { createStore } from 'idb-keyval';
import { Refusal } from '../kernel/refusal.ts';
import type { Added, Addition, Store, StoredRecord } from '../records/store.ts';

/** A store in IndexedDB, which is swept by whoever opened it. */
interface IndexedDbStore extends Store {
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

const toRecords = (kept: KeptWorkspace | undefined): StoredRecord[] =>
  (kept?.records ?? []).map((record, index) => ({ ...record, seq: index + 1 }));

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
  const records = [...found.records, record];
  const isLarge = () => new Blob(records.map(({ fact }) => JSON.stringify(fact))).size > ceiling.bytes;
  if (records.length > ceiling.records || (!mint && isLarge())) return { result: 'full' };
  const workspace: KeptWorkspace = {
    expiresAt: Math.max(found.expiresAt, expiresAt),
    records,
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
      throw new Refusal('store_unavailable');
    }
  }

  const read = (workspace: string, now: number) =>
    attempt('readonly', (objects) => find<KeptWorkspace>(objects, toWorkspaceKey(workspace), now));

  return {
    async open(workspace, now) {
      const found = await read(workspace, now);
      return found && { expiresAt: found.expiresAt };
    },
    readAll: async (workspace, now) => toRecords(await read(workspace, now)),
    async find(workspace, now, ids) {
      const records = toRecords(await read(workspace, now));
      return ids.flatMap((id) => [
        ...records.filter(({ fact }) => fact.id === id),
        ...records.filter(({ fact }) => 'candidateId' in fact && fact.candidateId === id).slice(0, 1),
        ...records.filter(({ fact }) => 'candidateId' in fact && fact.jobOrderId === id).slice(0, 1),
      ]);
    },
    add: (addition) => attempt('readwrite', (objects) => apply(objects, addition)),
    check: () =>
      attempt('readwrite', async (objects) => {
        await settle(objects.put(0, probeKey));
        await settle(objects.delete(probeKey));
      }),
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
