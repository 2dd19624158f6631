import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addCharge, type Charge, type MonthlyCalls } from '../workspace/charge.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { Commit, Room, Slice, Store, TokenTarget, WriteResult } from '../workspace/store.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { WorkspaceCount } from './sqlite-count.ts';
import { writeProbe } from './sqlite-probe.ts';

/** Milliseconds after which a transaction takes no more changes or charges, so that others have their turn. */
const flushMs = 5;
/** Milliseconds until charges in memory are written, and between two transactions that do so. */
const chargesMs = 500;
const restMs = 10;
const pagesAtOnce = 500;

interface WaitingWrite {
  commit: Commit;
  /** The key of the workspace, if the change was written. */
  key?: string | undefined;
  resolve(result: WriteResult): void;
  reject(reason: unknown): void;
}

/**
 * Workspaces in one SQLite file, or in memory for the path `:memory:`, for one process.
 *
 * All changes that wait when a transaction begins are written in it, so that one flush to disk serves many callers.
 * node:sqlite is synchronous, so nothing is read between begin and commit.
 *
 * Charges of reads are in memory, and written within a second. After a fault, or if the file was moved or replaced, it
 * is opened again before the next use. `sweep` deletes what has expired; `openStore` calls it.
 */
export class SqliteStore implements Store {
  readonly isShared = false;
  readonly #path: string;
  readonly #stats = { commits: 0, creates: 0 };
  readonly #waiting: WaitingWrite[] = [];
  readonly #workspaces = new WorkspaceCount();
  /** Charges by key that are not in the rows of the workspaces yet. */
  readonly #charges = new Map<string, MonthlyCalls>();
  readonly #connection: SqliteConnection;
  #charging: NodeJS.Timeout | undefined;
  #listener: (key?: string) => void = () => {};
  #isClosed = false;

  /** Throws a plain message if the file is not a database of this service. */
  constructor(path: string) {
    this.#path = path;
    this.#connection = new SqliteConnection(path, (isElsewhere) => {
      if (isElsewhere) this.#charges.clear();
      this.#listener();
    });
  }

  async open(hash: string): Promise<Head | undefined> {
    return this.#withCharges(this.#connection.attempt((tables) => tables.findByHash(hash)));
  }

  async openByKey(key: string): Promise<Head | undefined> {
    return this.#withCharges(this.#connection.attempt((tables) => tables.findByKey(key)));
  }

  #withCharges(head: Head | undefined): Head | undefined {
    const used = head && this.#charges.get(head.key);
    return used ? { ...head, used } : head;
  }

  async follow(token: string, now: number): Promise<TokenTarget | undefined> {
    return this.#connection.attempt((tables) => tables.follow(token, now));
  }

  async *load({ key }: Head): AsyncGenerator<Slice> {
    const slices = this.#connection.tables.readSlices(key);
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst) await nextTurn();
      const { value, done } = this.#connection.attempt(() => slices.next());
      if (done) return;
      yield value;
    }
  }

  async readReply({ key }: Head, { name }: KeptReply): Promise<string | undefined> {
    const select = 'SELECT text FROM replies WHERE workspace = ? AND name = ?';
    return this.#connection.attempt(
      (tables) => tables.get(select, Number(key), name)?.text as string | undefined,
    );
  }

  async readActivity({ key }: Head, range: { before?: number; after?: number; limit: number }) {
    return this.#connection.attempt((tables) => tables.readActivity(key, range));
  }

  write(commit: Commit): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.push({ commit, resolve, reject });
      if (waiting === 1) setImmediate(() => this.#flush());
    });
  }

  /** Writes waiting changes in one transaction, as many as fit in a few milliseconds. */
  #flush(): void {
    if (this.#waiting.length === 0) return;
    const group: WaitingWrite[] = [];
    try {
      this.#connection.transact((tables) => {
        const end = performance.now() + flushMs;
        do {
          const write = this.#waiting.shift()!;
          group.push(write);
          write.key = tables.write(write.commit);
        } while (this.#waiting.length > 0 && performance.now() < end);
      });
    } catch (error) {
      // Those that still wait may be decided on one of the group.
      group.push(...this.#waiting.splice(0));
      this.#connection.countFault(error, group.length);
      for (const { reject } of group) reject(error);
      return;
    }
    this.#finish(group);
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
  }

  #finish(group: readonly WaitingWrite[]): void {
    const changed = new Set<string>();
    for (const { commit, key, resolve } of group) {
      if (key === undefined) {
        resolve(commit.before ? 'moved' : 'taken');
        continue;
      }
      changed.add(key);
      this.#charges.delete(key);
      this.#stats.creates += commit.written.filter(({ isNew }) => isNew).length;
      resolve({ key });
    }
    if (changed.size === 0) return;
    this.#stats.commits += 1;
    // In a later turn, when the changes are in memory.
    setImmediate(() => {
      for (const key of changed) this.#listener(key);
    });
  }

  async charge(head: Head, charge: Charge): Promise<MonthlyCalls | undefined> {
    const used = addCharge({ ...head, used: this.#charges.get(head.key) ?? head.used }, charge);
    if (!used) return undefined;
    this.#charges.set(head.key, used);
    if (!this.#isClosed) this.#writeChargesLater(chargesMs);
    return used;
  }

  #writeChargesLater(ms: number): void {
    this.#charging ??= setTimeout(() => {
      this.#charging = undefined;
      try {
        this.#writeCharges();
      } catch {
        // The next attempt, or the next change, reports what is wrong.
      }
      if (this.#charges.size > 0) this.#writeChargesLater(this.#connection.isFailing ? chargesMs : restMs);
    }, ms).unref();
  }

  /** Writes charges in one transaction, as many as fit in a few milliseconds. */
  #writeCharges(): void {
    const written: string[] = [];
    this.#connection.transact((tables) => {
      const end = performance.now() + flushMs;
      for (const [key, used] of this.#charges) {
        tables.writeUsed(key, used);
        written.push(key);
        if (performance.now() > end) break;
      }
    });
    for (const key of written) this.#charges.delete(key);
  }

  async check(): Promise<void> {
    this.#connection.transact(writeProbe);
  }

  onChange(listener: (key?: string) => void): void {
    this.#listener = listener;
  }

  stats(): Record<string, number> {
    return { ...this.#stats };
  }

  faults(): Record<string, number> {
    return this.#connection.readFaults();
  }

  /**
   * Used: the pages that are not free, and the write-ahead log. Free: what is left on the disk. Each call counts
   * a part of the workspaces.
   */
  room(): Room {
    const measure = `SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
    const { tables } = this.#connection;
    const { bytes } = tables.get(measure) as { bytes: number };
    const workspaces = this.#workspaces.countNext(tables);
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return { used: bytes + log, free: bavail * bsize, ...(workspaces !== undefined && { workspaces }) };
  }

  overdue(now: number): number {
    try {
      const at = this.#connection.tables.get('SELECT MIN(expires_at) AS at FROM workspaces')?.at ?? now;
      return Math.max(0, now - Number(at));
    } catch {
      return 0;
    }
  }

  /** Deletes a part of what expired at or before `now`. Returns whether more is left. Never rejects. */
  async sweep(now: number): Promise<boolean> {
    if (this.#isClosed) return false;
    try {
      const isMore = this.#connection.transact((tables) => tables.deleteExpired(now));
      const { tables } = this.#connection;
      const hasFreePages = () => Number(tables.get('PRAGMA freelist_count')?.freelist_count) > 0;
      if (hasFreePages()) this.#connection.transact((open) => open.vacuum(pagesAtOnce));
      return isMore || hasFreePages();
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    // Changes that were requested in this turn of the event loop are still made.
    await nextTurn();
    this.#isClosed = true;
    clearTimeout(this.#charging);
    while (this.#waiting.length > 0) this.#flush();
    try {
      while (this.#charges.size > 0) this.#writeCharges();
    } catch {
      // At most the last second of charges is lost, as in a crash.
    }
    this.#connection.close();
  }
}
