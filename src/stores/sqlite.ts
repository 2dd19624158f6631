import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createQueue } from '../kernel/queue.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Used } from '../records/store.ts';
import { addCharge } from './apply-change.ts';
import { fromUsedText, toRevision, toUsedText, unused } from './codec.ts';
import { createStore } from './create-store.ts';
import type { Step } from './driver.ts';
import { openSqliteTables, type Written } from './sqlite-tables.ts';
import { createFaultCounts, type FaultWord, type StoreFault, toSqliteFault } from './store-fault.ts';

/** A step that waits for the next transaction. */
interface Pending {
  run(step: Step): Promise<unknown>;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/** Milliseconds after which a transaction takes no more steps or charges, so that others have their turn. */
const commitMs = 5;
/** Milliseconds that what a check wrote is kept. */
const probeMs = 10_000;
/** Milliseconds after which charges in memory are written, and between transactions that do. */
const chargesMs = 500;
const restMs = 10;
/** These pass without opening the file anew. */
const passing: FaultWord[] = ['locked', 'disk_full'];
const pagesAtOnce = 500;

/** Two places behind those of all workspaces: a check writes one and removes the other. */
const probes = ['ff', 'fe'].map((end) => end.padStart(64, 'f')) as [string, string];
/** As large as a large record, and written before the one before it is removed: a full disk has no room for it. */
const probe = { kind: 'check', seq: 1, text: ' '.repeat(16_384), isNew: true };

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Changes that arrive in the same turn of the event loop
 * share one transaction, so that one flush to disk serves many callers; each is answered only once its transaction is
 * on disk. It is the store of one process: another one's lock would stop this one's event loop. Charges of reads are in
 * memory and written within a second. Throws where the file is not a database of this service. After a fault, and where
 * the file was moved or replaced, it is opened again before the next use. It is swept by whoever opened it.
 */
export function openSqliteStore(path: string) {
  /** What workspaces used, where their rows do not say it yet. */
  const charges = new Map<string, Used>();
  const faults = createFaultCounts();
  const stats = { commits: 0, creates: 0 };
  const pending: Pending[] = [];
  const inTurn = createQueue(1);
  let tables = openSqliteTables(path);
  let charging: NodeJS.Timeout | undefined;
  let hear: (key: string) => void = () => {};
  let isClosed = false;
  /** After a fault, until the file is opened again; and until a write came through. */
  let isSuspect = false;
  let isWriteSuspect = false;
  /** Of the transaction under way: the workspaces whose rows it wrote, what they used among it, and records that it made. */
  let transaction: Written = { written: new Set(), creates: 0 };

  /**
   * Closes the file with all that was written to it, wherever it was moved. SQLite would leave the log of that at the
   * path, and read the file that is there now with it.
   */
  function closeFile(): void {
    try {
      tables.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {}
    tables.database[Symbol.dispose]();
  }

  function reopen(): void {
    isSuspect = true;
    closeFile();
    tables = openSqliteTables(path, tables.lastNumber());
    isSuspect = false;
  }

  /** Runs on a sound file; whatever SQLite throws becomes `store_unavailable`. */
  async function attempt<T>(use: () => T | Promise<T>, calls = 1): Promise<T> {
    try {
      if (isSuspect) reopen();
      return await use();
    } catch (error) {
      const fault = toSqliteFault(error);
      isSuspect ||= path !== ':memory:' && !passing.includes(fault.word);
      isWriteSuspect ||= isSuspect;
      throw new Refusal('store_unavailable', { cause: faults.count(fault, calls) });
    }
  }

  /** Runs in a transaction of its own, in the file that is at the path by now. */
  const within = <T>(use: () => T | Promise<T>): Promise<T> =>
    inTurn('', () =>
      attempt(async () => {
        const isElsewhere = tables.isElsewhere();
        if (isElsewhere) charges.clear();
        if (isWriteSuspect || isElsewhere) reopen();
        const { database } = tables;
        try {
          database.exec('BEGIN IMMEDIATE');
          const answer = await use();
          tables.commit();
          for (const key of transaction.written) charges.delete(key);
          isWriteSuspect = false;
          return answer;
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        } finally {
          transaction = { written: new Set(), creates: 0 };
        }
      }, 0),
    );

  /** What a workspace used: by what is in memory or, where its row was written just now, by that. */
  const toUsed = (key: string, text: string) =>
    (transaction.written.has(key) ? undefined : charges.get(key)) ?? fromUsedText(text);

  /** Writes as a change does; the sweep removes it once it expired. */
  function writeProbe(): void {
    const [one, other] = probes.map((place) => tables.findPlace(place)?.number);
    const after = { head: 'check', used: unused, state: '' };
    const empty = { before: undefined, links: new Map(), occupies: {}, doors: [] };
    const place = probes[one === undefined ? 0 : 1];
    tables.write({ ...empty, place, after, expiresAt: Date.now() + probeMs, rows: [probe] }, transaction);
    for (const old of [one, other]) if (old !== undefined) tables.remove(old);
  }

  /** Writes some of what was charged in memory, as much as a few milliseconds allow. */
  function writeCharges(): void {
    const end = performance.now() + commitMs;
    for (const [key, used] of charges) {
      tables.run('UPDATE workspaces SET used = ? WHERE number = ?', toUsedText(used), Number(key));
      transaction.written.add(key);
      if (performance.now() > end) break;
    }
  }

  function chargeLater(ms: number): void {
    charging ??= setTimeout(async () => {
      await within(writeCharges).catch(() => {});
      charging = undefined;
      if (charges.size > 0) chargeLater(isWriteSuspect ? chargesMs : restMs);
    }, ms).unref();
  }

  async function commit(): Promise<void> {
    if (pending.length === 0) return;
    const group: Pending[] = [];
    const answers: unknown[] = [];
    try {
      const { written, creates } = await within(async () => {
        const end = performance.now() + commitMs;
        do {
          group.push(pending.shift()!);
          answers.push(await group.at(-1)!.run(step));
        } while (pending.length > 0 && performance.now() < end);
        return transaction;
      });
      stats.commits += written.size > 0 ? 1 : 0;
      stats.creates += creates;
      for (const [at, { resolve }] of group.entries()) resolve(answers[at]);
      for (const key of written) hear(key);
      if (pending.length > 0) setImmediate(commit);
    } catch (error) {
      group.push(...pending.splice(0));
      faults.count((error as Refusal).cause as StoreFault, group.length);
      for (const { reject } of group) reject(error);
    }
  }

  const step: Step = {
    async see(place, asked) {
      const row = tables.findPlace(place);
      if (!row?.head) return undefined;
      const { head, state } = row;
      const key = String(row.number);
      return { key, head, used: toUsed(key, row.used), state, named: tables.names(key, asked) };
    },
    names: async (key, asked) => tables.names(key, asked),
    rows: async (key, slice) => tables.rows(key, slice),
    door: async (name) =>
      tables.get('SELECT text FROM doors WHERE name = ?', name)?.text as string | undefined,
    write: async (batch) => tables.write(batch, transaction),
  };

  return createStore({
    look: (use) => attempt(() => use(step)),
    step<T>(_: string | undefined, take: (step: Step) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        if (pending.push({ run: take, resolve: resolve as Pending['resolve'], reject }) === 1)
          setImmediate(commit);
      });
    },
    charge: (key, charge) =>
      attempt(() => {
        const row = tables.get('SELECT head, used FROM workspaces WHERE number = ?', Number(key)) as
          | { head: string; used: string }
          | undefined;
        if (!row?.head) return true;
        const before = { revision: toRevision(row.head), used: toUsed(key, row.used) };
        const used = addCharge(before, charge);
        if (!used) return false;
        charges.set(key, used);
        if (!isClosed) chargeLater(chargesMs);
        return true;
      }),
    check: () => within(writeProbe),
    onChange(heard) {
      hear = heard;
    },
    stats: () => ({ ...stats }),
    faults: faults.read,
    /** Pages without those on the free list, and the write-ahead log; and what the disk has left. */
    room() {
      const measure = `SELECT (page_count - freelist_count) * page_size AS bytes,
        (SELECT count(*) FROM workspaces) AS workspaces
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
      const { bytes, workspaces } = tables.get(measure) as { bytes: number; workspaces: number };
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      const { bavail, bsize } = statfsSync(dirname(path));
      return { used: bytes + log, free: bavail * bsize, workspaces };
    },
    overdue(now) {
      try {
        const at = tables.get('SELECT MIN(expires_at) AS at FROM workspaces')?.at ?? now;
        return Math.max(0, now - Number(at));
      } catch {
        return 0;
      }
    },
    /** Forgets some of what expired at or before `now`; true where more is left. Never rejects. */
    async sweep(now: number) {
      if (isClosed) return false;
      try {
        const isMore = await within(() => tables.removeExpired(now));
        const hasFree = () => Number(tables.get('PRAGMA freelist_count')?.freelist_count) > 0;
        if (hasFree()) await within(() => tables.vacuum(pagesAtOnce));
        return isMore || hasFree();
      } catch {
        return false;
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(charging);
      while (pending.length > 0) await commit();
      try {
        while (charges.size > 0) await within(writeCharges);
      } catch {}
      await inTurn('', closeFile);
    },
  });
}
