import { Refusal } from '../kernel/refusal.ts';
import type { Added, Addition, Store } from '../records/store.ts';
import { readInSlices, readInTurn } from './slices.ts';
import { openSession } from './sqlite-session.ts';
import { createFaultCounts, toSqliteFault } from './store-fault.ts';

interface Pending {
  addition: Addition;
  resolve(added: Added): void;
  reject(reason: unknown): void;
}

/** A store in SQLite, which is swept by whoever opened it. */
export interface SqliteStore extends Store {
  /** Forgets some of what expired at or before `now`; true where more is left. Never throws. */
  sweep(now: number): boolean;
}

/** Milliseconds that what a check wrote is kept. */
const probeMs = 10_000;

/** SQLITE_BUSY and SQLITE_FULL (result codes of SQLite): these pass without opening the file anew. */
const passing = [5, 13];

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Creates that arrive in the same turn of the
 * event loop share one transaction, so that one flush to disk serves many callers; each is answered only
 * once its transaction is on disk. It is the store of one process: another one's lock would stop this one's
 * event loop. Throws where the file is not a database of this service. After a fault, and where the file was
 * moved or replaced, it is opened anew before the next use.
 */
export function openSqliteStore(path: string): SqliteStore {
  let session = openSession(path);
  /** After a fault, until a reopening; and until a write came through. */
  let isSuspect = false;
  let isWriteSuspect = false;
  let pending: Pending[] = [];
  const stats = { commits: 0, creates: 0 };
  const faults = createFaultCounts();

  function reopen(): void {
    isSuspect = true;
    try {
      session.close();
    } catch {}
    session = openSession(path);
    isSuspect = false;
  }

  /** Runs on a sound session; whatever SQLite throws becomes `store_unavailable`. */
  function attempt<T>(run: () => T, calls: number): T {
    try {
      if (isSuspect) reopen();
      return run();
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      isSuspect ||= path !== ':memory:' && !passing.includes(errcode & 0xff);
      isWriteSuspect ||= isSuspect;
      throw new Refusal('store_unavailable', { cause: faults.count(toSqliteFault(error), calls) });
    }
  }

  function attemptWrite<T>(write: () => T, calls: number): T {
    return attempt(() => {
      if (isWriteSuspect || session.isElsewhere()) reopen();
      const result = write();
      isWriteSuspect = false;
      return result;
    }, calls);
  }

  function commit(): void {
    const group = pending;
    pending = [];
    try {
      const additions = group.map(({ addition }) => addition);
      const answers = attemptWrite(() => session.commit(additions), group.length);
      stats.commits += 1;
      stats.creates += answers.filter(({ result }) => result === 'added').length;
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return {
    open(workspace, now) {
      const head = attempt(() => session.open(workspace, now), 1);
      return head && { expiresAt: head.expiresAt };
    },
    async readAll(workspace, now) {
      const head = attempt(() => session.open(workspace, now), 1);
      return readInTurn(head?.bytes ?? 0, () =>
        readInSlices((after) => attempt(() => session.readSome(workspace, now, after), 1)),
      );
    },
    find: (workspace, now, ids) => attempt(() => session.find(workspace, now, ids), 1),
    add(addition) {
      return new Promise((resolve, reject) => {
        if (pending.push({ addition, resolve, reject }) === 1) setImmediate(commit);
      });
    },
    check: () => attemptWrite(() => session.tryWrite(Date.now() + probeMs), 0),
    stats: () => ({ ...stats }),
    faults: faults.read,
    sweep: (now) => !isSuspect && session.sweep(now),
    close() {
      if (pending.length > 0) commit();
      try {
        session.close();
      } catch {}
    },
  };
}
