import { Refusal } from '../kernel/refusal.ts';
import type { Change, Changed, Store } from '../records/store.ts';
import { createChargesInMemory } from './sqlite-charges.ts';
import { openSession } from './sqlite-session.ts';
import { createFaultCounts, toSqliteFault } from './store-fault.ts';

interface Pending {
  change: Change<unknown>;
  resolve(changed: Changed<unknown>): void;
  reject(reason: unknown): void;
}

/** A store in SQLite, which is swept by whoever opened it. */
export interface SqliteStore extends Store {
  /** Forgets some of what expired at or before `now`; true where more is left. Never throws. */
  sweep(now: number): boolean;
}

/** Milliseconds that what a check wrote is kept. */
const probeMs = 10_000;
/** Milliseconds after which what was charged in memory is logged, and between rows that are written of it. */
const chargedMs = 1000;
const foldMs = 50;

/** SQLITE_BUSY and SQLITE_FULL (result codes of SQLite): these pass without opening the file anew. */
const passing = [5, 13];

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Changes that arrive in the same turn of the
 * event loop share one transaction, so that one flush to disk serves many callers; each is answered only
 * once its transaction is on disk. It is the store of one process: another one's lock would stop this one's
 * event loop. What reads are charged is logged within a second. Throws where the file is not a database of this
 * service. After a fault, and where the file was moved or replaced, it is opened anew before the next use.
 */
export function openSqliteStore(path: string): SqliteStore {
  const numbers = { last: 0 };
  const charges = createChargesInMemory();
  let session = openSession(path, numbers, charges);
  let charging: NodeJS.Timeout | undefined;
  let isClosed = false;
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
    session = openSession(path, numbers, charges);
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
      const isElsewhere = session.isElsewhere();
      if (isElsewhere) charges.clear();
      if (isWriteSuspect || isElsewhere) reopen();
      const result = write();
      isWriteSuspect = false;
      return result;
    }, calls);
  }

  function commit(): void {
    let group = pending;
    pending = [];
    try {
      const changes = group.map(({ change }) => change);
      const outcomes = attemptWrite(() => session.commit(changes), group.length);
      const later = group.slice(outcomes.length);
      group = group.slice(0, outcomes.length);
      if (later.length > 0) {
        pending = later;
        setImmediate(commit);
      }
      const done = outcomes.filter((one) => 'changed' in one && one.changed.result === 'done');
      stats.commits += done.length > 0 ? 1 : 0;
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]!;
        if ('thrown' in outcome) reject(outcome.thrown);
        else {
          stats.creates += outcome.creates;
          resolve(outcome.changed);
        }
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function writeCharges(): void {
    try {
      attemptWrite(() => session.logCharges(), 0);
      if (charges.sizes().unlogged > 0) charging = setTimeout(writeCharges).unref();
      else {
        attemptWrite(() => session.foldCharges(), 0);
        charging = charges.sizes().turned > 0 ? setTimeout(writeCharges, foldMs).unref() : undefined;
      }
    } catch {
      charging = setTimeout(writeCharges, chargedMs).unref();
    }
  }

  return {
    open: (workspace, now) => attempt(() => session.open(workspace, now), 1),
    follow: (name, now) => attempt(() => session.follow(name, now), 1),
    find: (key, names) => attempt(() => session.find(key, names), 1),
    read: (key, slice) => attempt(() => session.read(key, slice), 1),
    change<T>(change: Change<T>) {
      return new Promise<Changed<T>>((resolve, reject) => {
        const one = { change, resolve, reject } as Pending;
        if (pending.push(one) === 1) setImmediate(commit);
      });
    },
    charge(key, charge) {
      const isTaken = attempt(() => session.charge(key, charge), 1);
      if (!isClosed) charging ??= setTimeout(writeCharges, chargedMs).unref();
      return isTaken;
    },
    check: () => attemptWrite(() => session.tryWrite(Date.now(), Date.now() + probeMs), 0),
    stats: () => ({ ...stats }),
    faults: faults.read,
    overdue(now) {
      try {
        return session.overdue(now);
      } catch {
        return 0;
      }
    },
    sweep: (now) => !isSuspect && session.sweep(now),
    close() {
      isClosed = true;
      clearTimeout(charging);
      while (pending.length > 0) commit();
      try {
        while (charges.sizes().unlogged > 0) attemptWrite(() => session.logCharges(), 0);
      } catch {}
      try {
        session.close();
      } catch {}
    },
  };
}
