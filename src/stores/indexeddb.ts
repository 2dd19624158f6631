import { createStore as openObjects, promisifyRequest } from 'idb-keyval';
import { Refusal } from '../kernel/refusal.ts';
import { addCharge } from './apply-change.ts';
import { toRevision } from './codec.ts';
import { createStore } from './create-store.ts';
import type { Batch, Kept, Named, Row, Step } from './driver.ts';

type KeptUntil = Omit<Kept, 'key'> & { expiresAt: number };
type DoorUntil = { text: string; expiresAt: number };

/** All that belongs to a workspace is behind its place: its head, its entries and its rows. */
const toHeadKey = (place: string) => ['head', place];
const toEntryKey = (place: string, name: string) => ['entry', place, name];
const toRowKey = (place: string, kind: string, seq: number) => ['row', place, kind, seq];
const toDoorKey = (name: string) => ['door', name];

/** All keys that begin with these: an array sorts behind every text and number (Indexed Database API 3.0, section 2.4). */
const toRange = (...begin: string[]) => IDBKeyRange.bound(begin, [...begin, []]);

/** All that a cursor comes to. */
async function* walk(cursors: IDBRequest<IDBCursorWithValue | null>) {
  for (;;) {
    const cursor = await promisifyRequest(cursors);
    if (!cursor) return;
    yield cursor;
    cursor.continue();
  }
}

/** What a step does within one transaction: every verb rejects with what its requests do. */
function toStep(objects: IDBObjectStore): Step & { remove(place: string): void } {
  const get = <T>(key: IDBValidKey) => promisifyRequest<T | undefined>(objects.get(key));

  async function findNamed(place: string, name: string): Promise<Named> {
    const [kind = '', seq] = (await get<string>(toEntryKey(place, `:${name}`)))?.split(' ') ?? [];
    const text = seq && (await get<string>(toRowKey(place, kind, Number(seq))));
    const occupants = Number((await get<string>(toEntryKey(place, `+${name}`))) ?? 0);
    return { occupants, row: text ? { kind, seq: Number(seq), text } : undefined };
  }

  const names = (place: string, asked: readonly string[]) =>
    Promise.all(asked.map((name) => findNamed(place, name)));

  function remove(place: string): void {
    objects.delete(toHeadKey(place));
    for (const what of ['entry', 'row']) objects.delete(toRange(what, place));
  }

  return {
    names,
    remove,
    async see(place, asked) {
      const kept = await get<KeptUntil>(toHeadKey(place));
      return kept && { ...kept, key: place, named: await names(place, asked) };
    },
    async rows(place, { kind, order, after, limit }) {
      const isOldest = order === 'oldest';
      const [low, high] = isOldest ? [after ?? -Infinity, Infinity] : [-Infinity, after ?? Infinity];
      const range = IDBKeyRange.bound(toRowKey(place, kind, low), toRowKey(place, kind, high), true, true);
      const cursors = objects.openCursor(range, isOldest ? 'next' : 'prev');
      const found: Row[] = [];
      for await (const { key, value } of walk(cursors)) {
        found.push({ kind, seq: (key as [string, string, string, number])[3], text: value });
        if (found.length === limit) break;
      }
      return found;
    },
    door: async (name) => (await get<DoorUntil>(toDoorKey(name)))?.text,
    async write({ place, before, after, expiresAt, links, occupies, rows, doors }: Batch) {
      if (!before && (await get(toHeadKey(place)))) return false;
      const set = (key: IDBValidKey, value: unknown) =>
        void (value === undefined ? objects.delete(key) : objects.put(value, key));
      for (const { name, text, expiresAt: until } of doors)
        set(toDoorKey(name), text && { text, expiresAt: until });
      if (!after) {
        remove(place);
        return true;
      }
      set(toHeadKey(place), { ...after, expiresAt } satisfies KeptUntil);
      for (const { kind, seq, text } of rows) set(toRowKey(place, kind, seq), text);
      for (const [name, link] of links) set(toEntryKey(place, `:${name}`), link);
      for (const [name, count] of Object.entries(occupies)) {
        const key = toEntryKey(place, `+${name}`);
        const total = Number((await get<string>(key)) ?? 0) + count;
        set(key, total === 0 ? undefined : String(total));
      }
      return true;
    },
  };
}

/**
 * Workspaces in the IndexedDB database `name` of this browser and origin, with its format behind a dash. A change is one
 * transaction over what it touches, so it is atomic, between tabs too. The database of an earlier format is dropped.
 * It is swept by whoever opened it.
 */
export function openIndexedDbStore(name: string) {
  const within = openObjects(`${name}-1`, 'workspaces');
  indexedDB.deleteDatabase(name);

  async function attempt<T>(
    mode: IDBTransactionMode,
    run: (step: ReturnType<typeof toStep>, objects: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    try {
      return await within(mode, async (objects) => {
        const committed = promisifyRequest(objects.transaction);
        const [answer] = await Promise.all([run(toStep(objects), objects), committed]);
        return answer;
      });
    } catch {
      throw new Refusal('store_unavailable');
    }
  }

  return createStore({
    look: (use) => attempt('readonly', use),
    step: (_, run) => attempt('readwrite', run),
    charge: (place, charge) =>
      attempt('readwrite', async (_, objects) => {
        const kept = await promisifyRequest<KeptUntil | undefined>(objects.get(toHeadKey(place)));
        if (!kept) return true;
        const used = addCharge({ revision: toRevision(kept.head), used: kept.used }, charge);
        if (used) objects.put({ ...kept, used }, toHeadKey(place));
        return used !== undefined;
      }),
    check: () =>
      attempt('readwrite', async (_, objects) => {
        await promisifyRequest(objects.put(0, 'check'));
        await promisifyRequest(objects.delete('check'));
      }),
    /** Forgets what expired at or before `now`. */
    sweep: (now: number) =>
      attempt('readwrite', async (step, objects) => {
        for (const what of ['head', 'door'])
          for await (const { key, value } of walk(objects.openCursor(toRange(what)))) {
            if (value.expiresAt > now) continue;
            if (what === 'head') step.remove((key as [string, string])[1]);
            else objects.delete(key);
          }
      }),
    async close() {},
  });
}
