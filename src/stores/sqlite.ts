import { Refusal } from '../kernel/refusal.ts';
import type { Store, Used } from '../records/store.ts';
import { addCharge } from './apply-change.ts';
import { toRevision } from './codec.ts';
import { createStore } from './create-store.ts';
import type { Step } from './driver.ts';
import { openSession } from './sqlite-session.ts';
import { createFaultCounts, toSqliteFault } from './store-fault.ts';

/** A step that waits for the next transaction. */
interface Pending {
  run(step: Step): unknown;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/** A store in SQLite, which is swept by whoever opened it. */
export interface SqliteStore extends Store {
  /** Forgets some of what expired at or before `now`; true where more is left. Never throws. */
  sweep(now: number): boolean;
}

/** Milliseconds after which a transaction takes no more steps or charges, so that others have their turn. */
const commitMs = 5;
/** Milliseconds that what a check wrote is kept. */
const probeMs = 10_000;
/** Milliseconds after which charges in memory are written, and between transactions that do. */
const chargesMs = 500;
const restMs = 10;

/** SQLITE_BUSY and SQLITE_FULL (result codes of SQLite): these pass without opening the file anew. */
const passing = [5, 13];

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Changes that arrive in the same turn of the event loop
 * share one transaction, so that one flush to disk serves many callers; each is answered only once its transaction is
 * on disk. It is the store of one process: another one's lock would stop this one's event loop. Charges of reads are in
 * memory and written within a second. Throws where the file is not a database of this service. After a fault, and where
 * the file was moved or replaced, it is opened again before the next use.
 */
export function openSqliteStore(path: string): SqliteStore {
  const numbers = { last: 0 };
  /** What workspaces used, where their rows do not say it yet. */
  const charges = new Map<string, Used>();
  const faults = createFaultCounts();
  const stats = { commits: 0, creates: 0 };
  let session = openSession(path, numbers, charges);
  let charging: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** After a fault, until the file is opened again; and until a write came through. */
  let isSuspect = false;
  let isWriteSuspect = false;
  let pending: Pending[] = [];

  function reopen(): void {
    isSuspect = true;
    try {
      session.close();
    } catch {}
    session = openSession(path, numbers, charges);
    isSuspect = false;
  }

  /** Runs on a sound session; whatever SQLite throws becomes `store_unavailable`. */
  function attempt<T>(run: () => T, calls = 1): T {
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

  function attemptWrite<T>(run: (step: Step) => T, calls = 0) {
    return attempt(() => {
      const isElsewhere = session.isElsewhere();
      if (isElsewhere) charges.clear();
      if (isWriteSuspect || isElsewhere) reopen();
      const done = session.within(run);
      isWriteSuspect = false;
      return done;
    }, calls);
  }

  function commit(): void {
    const group = pending;
    pending = [];
    let count = 0;
    try {
      const { answer, writes, creates } = attemptWrite((step) => {
        const end = performance.now() + commitMs;
        const answers: unknown[] = [];
        do answers.push(group[count++]!.run(step));
        while (count < group.length && performance.now() < end);
        return answers;
      }, group.length);
      if (count < group.length) {
        pending = group.slice(count);
        setImmediate(commit);
      }
      stats.commits += writes > 0 ? 1 : 0;
      stats.creates += creates;
      for (const [at, one] of answer.entries()) group[at]!.resolve(one);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Writes some of what is in memory, as much as a few milliseconds allow. */
  function writeCharges(): void {
    attemptWrite(() => {
      const end = performance.now() + commitMs;
      for (const [key, used] of charges) {
        session.writeUsed(key, used);
        if (performance.now() > end) break;
      }
    });
  }

  function chargeLater(ms: number): void {
    charging ??= setTimeout(() => {
      charging = undefined;
      try {
        writeCharges();
      } catch {}
      if (charges.size > 0) chargeLater(isWriteSuspect ? chargesMs : restMs);
    }, ms).unref();
  }

  return createStore({
    see: (place, names) => attempt(() => session.see(place, names)),
    names: (key, names) => attempt(() => session.names(key, names)),
    rows: (key, slice) => attempt(() => session.rows(key, slice)),
    door: (name) => attempt(() => session.door(name)),
    step<T>(_: string | undefined, run: (step: Step) => T | Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        if (pending.push({ run, resolve: resolve as Pending['resolve'], reject }) === 1) setImmediate(commit);
      });
    },
    charge(key, charge) {
      const kept = attempt(() => session.findUsed(key));
      const { revision } = charge.limit ?? {};
      if (!kept) return true;
      if (revision !== undefined && toRevision(kept.head) !== revision) return false;
      const used = addCharge(kept.used, charge);
      if (!used) return false;
      charges.set(key, used);
      if (!isClosed) chargeLater(chargesMs);
      return true;
    },
    check: () => void attemptWrite(() => session.writeProbe(Date.now() + probeMs)),
    stats: () => ({ ...stats }),
    faults: faults.read,
    room: () => session.room(),
    overdue(now: number) {
      try {
        return session.overdue(now);
      } catch {
        return 0;
      }
    },
    sweep: (now: number) => !isSuspect && session.sweep(now),
    close() {
      isClosed = true;
      clearTimeout(charging);
      while (pending.length > 0) commit();
      try {
        while (charges.size > 0) writeCharges();
      } catch {}
      try {
        session.close();
      } catch {}
    },
  });
}
