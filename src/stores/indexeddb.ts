import { createStore } from 'idb-keyval';
import { Refusal } from '../kernel/refusal.ts';
import type { Change, Changed, Store } from '../records/store.ts';
import { type Decided, decideOn } from './decided.ts';
import { commit, readRange, settle, toRange } from './indexeddb-requests.ts';
import { hashes, pointers, replies, toWorkspaces } from './indexeddb-workspace.ts';

/** A store in IndexedDB, which is swept by whoever opened it. */
interface IndexedDbStore extends Store {
  /** Forgets what expired at or before `now`. */
  sweep(now: number): Promise<void>;
}

const probeKey = 'check';

/** What came of a change, or what its decision threw. */
type Outcome<T> = { changed: Changed<T> } | { thrown: unknown };

async function apply<T>(objects: IDBObjectStore, change: Change<T>): Promise<Outcome<T>> {
  const { key, workspace, mint: isMint, now, needs, expiresAt } = change;
  const workspaces = toWorkspaces(objects);
  if (key) {
    const kept = await workspaces.readReply(key.name, now);
    if (kept && kept.fingerprint !== key.fingerprint) return { changed: { result: 'mismatch' } };
    if (kept) return { changed: { result: 'replay', reply: kept.reply } };
    await workspaces.forgetReply(key.name, now);
  }
  const head = await workspaces.openOrBringOver(workspace, now);
  if (isMint === (head !== undefined)) return { changed: { result: 'unknown' } };
  const found = [];
  for (const name of needs) found.push(head ? await workspaces.find(head.key, name) : { occupants: 0 });
  let decided: Decided<T> | 'full' | 'over';
  try {
    decided = decideOn(change, found, head);
  } catch (thrown) {
    return { thrown };
  }
  if (typeof decided === 'string') return { changed: { result: decided } };
  const { writing, reply, answer } = decided;
  const place = head?.key ?? workspace;
  if (writing.forget) await workspaces.forget(place);
  else await workspaces.write(place, workspace, decided);
  if (key && reply !== undefined && !writing.forget) workspaces.keepReply(key, { place, expiresAt, reply });
  return { changed: { result: 'done', answer } };
}

async function sweep(objects: IDBObjectStore, now: number): Promise<void> {
  const workspaces = toWorkspaces(objects);
  for (const { key, value: place } of await readRange<string>(objects, toRange(hashes)))
    if (!(await workspaces.open((key as string[])[1]!, now))) await workspaces.forget(place);
  for (const { key } of await readRange(objects, toRange(replies)))
    await workspaces.forgetReply((key as string[])[1]!, now);
  for (const { key } of await readRange(objects, toRange(pointers)))
    await workspaces.forgetPointer((key as string[])[1]!, now);
  const texts = IDBKeyRange.bound('', [], false, true);
  for (const { key, value } of await readRange<{ expiresAt?: number }>(objects, texts))
    if (value.expiresAt !== undefined && value.expiresAt <= now) objects.delete(key);
}

/**
 * Workspaces in the IndexedDB database `name` of this browser and origin: an entry for each record, each name and each
 * kept reply. A change is one transaction over what it touches, so it is atomic, between tabs too.
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

  return {
    async open(workspace, now) {
      const seen = await attempt('readonly', async (objects) => {
        const workspaces = toWorkspaces(objects);
        const head = await workspaces.open(workspace, now);
        return { head, isBefore: !head && (await workspaces.isBefore(workspace, now)) };
      });
      return seen.isBefore
        ? attempt('readwrite', (objects) => toWorkspaces(objects).openOrBringOver(workspace, now))
        : seen.head;
    },
    follow: (name, now) => attempt('readonly', (objects) => toWorkspaces(objects).follow(name, now)),
    find: (key, names) =>
      attempt('readonly', async (objects) => {
        const workspaces = toWorkspaces(objects);
        return Promise.all(names.map((one) => workspaces.find(key, one)));
      }),
    read: (key, slice) => attempt('readonly', (objects) => toWorkspaces(objects).read(key, slice)),
    async change(change) {
      const outcome = await attempt('readwrite', (objects) => apply(objects, change));
      if ('thrown' in outcome) throw outcome.thrown;
      return outcome.changed;
    },
    charge: (key, charge) => attempt('readwrite', (objects) => toWorkspaces(objects).charge(key, charge)),
    check: () =>
      attempt('readwrite', async (objects) => {
        await settle(objects.put(0, probeKey));
        await settle(objects.delete(probeKey));
      }),
    sweep: (now) => attempt('readwrite', (objects) => sweep(objects, now)),
    close() {},
  };
}
