import { Refusal } from '../kernel/refusal.ts';
import { SqliteTables } from './sqlite-tables.ts';
import { createFaultCounts, type FaultWord, type StoreFault, toSqliteFault } from './store-fault.ts';

/** Faults that can pass without reopening the file. */
const passing: FaultWord[] = ['locked', 'disk_full'];

/**
 * Keeps a SQLite file open. After a fault, or if the file was moved or replaced, it is opened again before the next
 * use. Errors of SQLite become the Refusal `store_unavailable`.
 */
export class SqliteConnection {
  readonly #path: string;
  readonly #faults = createFaultCounts();
  readonly #onReopen: (isElsewhere: boolean) => void;
  #tables: SqliteTables;
  /** Set by a fault, until the file is opened again. */
  #isSuspect = false;
  /** Set by a fault, until a write succeeds. */
  #isWriteSuspect = false;

  /**
   * `onReopen` is called after a reopen, with whether another file was opened. Throws a plain message if it is not
   * ours.
   */
  constructor(path: string, onReopen: (isElsewhere: boolean) => void) {
    this.#path = path;
    this.#onReopen = onReopen;
    this.#tables = new SqliteTables(path);
  }

  get tables(): SqliteTables {
    return this.#tables;
  }

  get isFailing(): boolean {
    return this.#isWriteSuspect;
  }

  readFaults(): Record<string, number> {
    return this.#faults.read();
  }

  /** Counts a fault for additional calls. */
  countFault(error: unknown, calls: number): void {
    this.#faults.count((error as Refusal).cause as StoreFault, calls);
  }

  /** Runs on a working file. A fault counts for `calls` calls. */
  attempt<T>(run: (tables: SqliteTables) => T, calls = 1): T {
    try {
      if (this.#isSuspect) this.#reopen();
      return run(this.#tables);
    } catch (error) {
      const fault = toSqliteFault(error);
      this.#isSuspect ||= this.#path !== ':memory:' && !passing.includes(fault.word);
      this.#isWriteSuspect ||= this.#isSuspect;
      throw new Refusal('store_unavailable', { cause: this.#faults.count(fault, calls) });
    }
  }

  /** Runs in a transaction of the file that is at the path now. Does not count a fault. */
  transact<T>(run: (tables: SqliteTables) => T): T {
    return this.attempt(() => {
      if (this.#isWriteSuspect || this.#tables.isElsewhere()) this.#reopen();
      const { database } = this.#tables;
      try {
        database.exec('BEGIN IMMEDIATE');
        const result = run(this.#tables);
        this.#tables.commit();
        this.#isWriteSuspect = false;
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    }, 0);
  }

  #reopen(): void {
    this.#isSuspect = true;
    const isElsewhere = this.#tables.isElsewhere();
    this.close();
    this.#tables = new SqliteTables(this.#path);
    this.#isSuspect = false;
    this.#onReopen(isElsewhere);
  }

  /**
   * Closes the file, after its log was moved into it. SQLite would leave the log at the path even if the file was
   * moved, and would then apply it to the file that is there now.
   */
  close(): void {
    try {
      this.#tables.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The file cannot be written, so its log stays.
    }
    this.#tables.database[Symbol.dispose]();
  }
}
