import { createStore as openObjects, promisifyRequest } from 'idb-keyval';
import { Refusal } from '../kernel/refusal.ts';
import { type ActivityEntry, listBlanked, mostActivity } from '../workspace/activity.ts';
import { addCharge, type Charge, type MonthlyCalls } from '../workspace/charge.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { Commit, Slice, Store, StoredText, TokenTarget, WriteResult } from '../workspace/store.ts';
import { upgradeStored } from './upgrade-record.ts';

type TokenRow = TokenTarget & { expiresAt: number };
type ReplyRow = KeptReply & { text: string };

/** All rows of a workspace are found by its key. A hash leads to a key, and so does a token. */
const headAt = (key: string) => ['head', key];
const hashAt = (hash: string) => ['hash', hash];
const recordAt = (key: string, seq: number) => ['record', key, seq];
const replyAt = (key: string, name: string) => ['reply', key, name];
const activityAt = (key: string, revision: number) => ['activity', key, revision];
const tokenAt = (name: string) => ['token', name];

/** How many rows are read at once. */
const rowsOfSlice = 100;

/**
 * The range of all keys that begin so: an array sorts after every text and number (Indexed Database API 3.0, section
 * 2.4).
 */
const rangeOf = (...begin: IDBValidKey[]) => IDBKeyRange.bound(begin, [...begin, []]);
const rangeAfter = (last: IDBValidKey[]) => IDBKeyRange.bound(last, [...last.slice(0, -1), []], true);

async function* walk(cursors: IDBRequest<IDBCursorWithValue | null>) {
  for (;;) {
    const cursor = await promisifyRequest(cursors);
    if (!cursor) return;
    yield cursor;
    cursor.continue();
  }
}

const getOne = <T>(objects: IDBObjectStore, key: IDBValidKey) =>
  promisifyRequest<T | undefined>(objects.get(key));

const getMany = <T>(objects: IDBObjectStore, range: IDBKeyRange) =>
  promisifyRequest<T[]>(objects.getAll(range, rowsOfSlice));

/**
 * Workspaces in an IndexedDB database of this browser and origin. Its name is `name`, a dash and the number of the
 * format. Databases of earlier formats are deleted.
 *
 * A change is one transaction, so that it is atomic between tabs too. `sweep` deletes what has expired.
 */
export class IndexedDbStore implements Store {
  readonly isShared = true;
  readonly #within;
  #listener: (key?: string) => void = () => {};

  constructor(name: string) {
    this.#within = openObjects(`${name}-2`, 'workspaces');
    for (const earlier of [name, `${name}-1`]) indexedDB.deleteDatabase(earlier);
  }

  /** Runs in one transaction, and resolves when that is complete. */
  async #transact<T>(mode: IDBTransactionMode, run: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
    try {
      return await this.#within(mode, async (objects) => {
        const completed = promisifyRequest(objects.transaction);
        const [result] = await Promise.all([run(objects), completed]);
        return result;
      });
    } catch {
      throw new Refusal('store_unavailable');
    }
  }

  open(hash: string): Promise<Head | undefined> {
    return this.#transact('readonly', async (objects) => {
      const key = await getOne<string>(objects, hashAt(hash));
      return key === undefined ? undefined : getOne<Head>(objects, headAt(key));
    });
  }

  openByKey(key: string): Promise<Head | undefined> {
    return this.#transact('readonly', (objects) => getOne<Head>(objects, headAt(key)));
  }

  async follow(token: string, now: number): Promise<TokenTarget | undefined> {
    const row = await this.#transact('readonly', (objects) => getOne<TokenRow>(objects, tokenAt(token)));
    return row && row.expiresAt > now ? { key: row.key, to: row.to } : undefined;
  }

  async *load({ key }: Head): AsyncGenerator<Slice> {
    for (let range = rangeOf('record', key); ; ) {
      const records = await this.#readRows<StoredText>(range);
      if (records.length > 0) yield { records: records.map(upgradeStored), replies: [] };
      if (records.length < rowsOfSlice) break;
      range = rangeAfter(recordAt(key, records.at(-1)!.seq));
    }
    for (let range = rangeOf('reply', key); ; ) {
      const rows = await this.#readRows<ReplyRow>(range);
      if (rows.length > 0) yield { records: [], replies: rows.map(({ text: _, ...reply }) => reply) };
      if (rows.length < rowsOfSlice) return;
      range = rangeAfter(replyAt(key, rows.at(-1)!.name));
    }
  }

  #readRows<T>(range: IDBKeyRange): Promise<T[]> {
    return this.#transact('readonly', (objects) => getMany<T>(objects, range));
  }

  readReply({ key }: Head, { name }: KeptReply): Promise<string | undefined> {
    return this.#transact('readonly', async (objects) => {
      const row = await getOne<ReplyRow>(objects, replyAt(key, name));
      return row?.text;
    });
  }

  readActivity(
    { key }: Head,
    { before = Number.POSITIVE_INFINITY, after, limit }: { before?: number; after?: number; limit: number },
  ): Promise<ActivityEntry[]> {
    const isOldestFirst = after !== undefined;
    const [low, high] = isOldestFirst ? [after, Number.POSITIVE_INFINITY] : [0, before];
    const range = IDBKeyRange.bound(activityAt(key, low), activityAt(key, high), true, true);
    return this.#transact('readonly', async (objects) => {
      const entries: ActivityEntry[] = [];
      for await (const { value } of walk(objects.openCursor(range, isOldestFirst ? 'next' : 'prev'))) {
        entries.push(value as ActivityEntry);
        if (entries.length === limit) break;
      }
      return entries;
    });
  }

  async write(commit: Commit): Promise<WriteResult> {
    const key = commit.before?.key ?? commit.after!.hash;
    const isWritten = await this.#transact('readwrite', (objects) => write(objects, key, commit));
    if (!isWritten) return commit.before ? 'moved' : 'taken';
    setTimeout(() => this.#listener(key));
    return { key };
  }

  charge({ key }: Head, charge: Charge): Promise<MonthlyCalls | undefined> {
    return this.#transact('readwrite', async (objects) => {
      const head = await getOne<Head>(objects, headAt(key));
      if (!head) return charge;
      const used = addCharge(head, charge);
      if (used) objects.put({ ...head, used }, headAt(key));
      return used;
    });
  }

  check(): Promise<void> {
    return this.#transact('readwrite', async (objects) => {
      await promisifyRequest(objects.put(0, 'check'));
      await promisifyRequest(objects.delete('check'));
    });
  }

  onChange(listener: (key?: string) => void): void {
    this.#listener = listener;
  }

  stats(): Record<string, number> {
    return {};
  }

  faults(): Record<string, number> {
    return {};
  }

  /** Deletes what expired at or before `now`. */
  sweep(now: number): Promise<void> {
    return this.#transact('readwrite', async (objects) => {
      for await (const { value } of walk(objects.openCursor(rangeOf('head'))))
        if ((value as Head).expiresAt <= now) deleteWorkspace(objects, value as Head);
      for await (const { key, value } of walk(objects.openCursor(rangeOf('token'))))
        if ((value as TokenRow).expiresAt <= now) objects.delete(key);
    });
  }

  async close(): Promise<void> {}
}

function deleteWorkspace(objects: IDBObjectStore, { key, hash }: Head): void {
  objects.delete(headAt(key));
  objects.delete(hashAt(hash));
  for (const table of ['record', 'reply', 'activity']) objects.delete(rangeOf(table, key));
}

/** Writes a change. Returns false, and writes nothing, if the workspace has changed since the change was decided. */
async function write(objects: IDBObjectStore, key: string, commit: Commit): Promise<boolean> {
  const { before, after, keyToken, removedTokens } = commit;
  const current = await getOne<Head>(objects, headAt(key));
  if (current?.version !== before?.version) return false;
  if (keyToken) {
    const token = await getOne<TokenRow>(objects, tokenAt(keyToken.name));
    const isTaken = token && token.expiresAt > keyToken.now;
    if (isTaken && token.key !== keyToken.before?.key && token.key !== key) return false;
  }
  for (const name of removedTokens) objects.delete(tokenAt(name));
  if (!after) {
    deleteWorkspace(objects, before!);
    writeTokens(objects, key, commit);
    return true;
  }
  if (before && before.hash !== after.hash) objects.delete(hashAt(before.hash));
  objects.put(key, hashAt(after.hash));
  objects.put({ ...after, key }, headAt(key));
  await blankActivity(objects, key, commit);
  writeRows(objects, key, commit);
  return true;
}

/** Removes the names and the values of removed records from the activity. */
async function blankActivity(objects: IDBObjectStore, key: string, { removed }: Commit): Promise<void> {
  if (removed.length === 0) return;
  const entries = await promisifyRequest<ActivityEntry[]>(objects.getAll(rangeOf('activity', key)));
  for (const entry of listBlanked(entries, removed)) objects.put(entry, activityAt(key, entry.revision));
}

function writeTokens(objects: IDBObjectStore, key: string, { keyToken, addedTokens }: Commit): void {
  const tokens = { ...addedTokens, ...(keyToken && { [keyToken.name]: keyToken }) };
  for (const [name, { to, expiresAt }] of Object.entries(tokens))
    objects.put({ key, to, expiresAt } satisfies TokenRow, tokenAt(name));
}

function writeRows(objects: IDBObjectStore, key: string, commit: Commit): void {
  const { written, removed, keptReply, expiredReplies, activity } = commit;
  for (const { seq } of removed) objects.delete(recordAt(key, seq));
  for (const { entry, text } of written)
    objects.put({ kind: entry.kind, seq: entry.seq, text } satisfies StoredText, recordAt(key, entry.seq));
  for (const { name } of expiredReplies) objects.delete(replyAt(key, name));
  if (keptReply) objects.put(keptReply, replyAt(key, keptReply.name));
  writeTokens(objects, key, commit);
  for (const entry of activity) {
    objects.put(entry, activityAt(key, entry.revision));
    objects.delete(activityAt(key, entry.revision - mostActivity));
  }
}
