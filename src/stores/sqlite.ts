import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { Refusal } from '../kernel/refusal.ts';
import type { Store, Used } from '../records/store.ts';
import { addCharge } from './apply-change.ts';
import { fromUsedText, replyKind, toRevision, toSize, toUsedText, unused } from './codec.ts';
import { createStore } from './create-store.ts';
import type { Batch, Named, Row, Step } from './driver.ts';
import { mostParts, openDatabase, readPragma } from './sqlite-file.ts';
import { createFaultCounts, type StoreFault, toSqliteFault } from './store-fault.ts';

/** A step that waits for the next transaction. */
interface Pending {
  run(step: Step): Promise<unknown>;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/** A store in SQLite, which is swept by whoever opened it. */
export interface SqliteStore extends Store {
  /** Forgets some of what expired at or before `now`; true where more is left. Never rejects. */
  sweep(now: number): Promise<boolean>;
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
/** Bytes of a part of a text, up to the most parts: five of them fill a page. */
const partBytes = 780;
/** What is removed at once: a few milliseconds, so that no caller waits for it. */
const rowsAtOnce = 2000;
const workspacesAtOnce = 500;
const doorsAtOnce = 500;
const pagesAtOnce = 500;

/** Two places behind those of all workspaces: a check writes one and removes the other. */
const probes = ['ff', 'fe'].map((end) => end.padStart(64, 'f')) as [string, string];
/** As large as a large record, and written before the one before it is removed: a full disk has no room for it. */
const probe = { kind: 'check', seq: 1, text: ' '.repeat(16_384), isNew: true };

const whole = `CASE WHEN is_long THEN text || (SELECT group_concat(text, '') FROM
  (SELECT text FROM parts WHERE parts.number BETWEEN records.number * ${mostParts}
    AND (records.number + 1) * ${mostParts} - 1 ORDER BY parts.number)) ELSE text END AS text`;
const findName = `SELECT occupants, kind, seq, ${whole} FROM names
  LEFT JOIN records ON records.number = record AND records.workspace = names.workspace
  WHERE names.workspace = ? AND name = ?`;
const select = `SELECT kind, seq, ${whole} FROM records WHERE workspace = ? AND kind = ?`;
const slices = {
  newest: `${select} AND seq < ? ORDER BY seq DESC LIMIT ?`,
  oldest: `${select} AND seq > ? ORDER BY seq LIMIT ?`,
};
const removeName = 'DELETE FROM names WHERE workspace = ? AND name = ? AND record IS NULL AND occupants = 0';
const ends = { newest: Number.MAX_SAFE_INTEGER, oldest: 0 };

const toBlob = (hex: string) => Buffer.from(hex, 'hex');

/** A text in parts of about the same length, none of which ends within a character. */
function toParts(text: string): string[] {
  if (text.length * 3 <= partBytes) return [text];
  const count = Math.min(Math.ceil(toSize(text) / partBytes), mostParts);
  const length = Math.max(2, Math.ceil(text.length / count));
  const parts: string[] = [];
  for (let from = 0; from < text.length; from += parts.at(-1)!.length) {
    const to = from + length;
    parts.push(text.slice(from, /[\ud800-\udbff]/.test(text[to - 1] ?? '') ? to - 1 : to));
  }
  return parts;
}

/** An open database, and whether its file is no longer where it was opened: moved, removed or replaced. */
function openFile(path: string) {
  const database = openDatabase(path);
  const statements = new Map<string, StatementSync>();
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();
  return {
    database,
    sql(text: string): StatementSync {
      const statement = statements.get(text) ?? database.prepare(text);
      statements.set(text, statement);
      return statement;
    },
    isElsewhere(): boolean {
      const place = toPlace();
      return path !== ':memory:' && (place?.ino !== opened?.ino || place?.dev !== opened?.dev);
    },
  };
}

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Changes that arrive in the same turn of the event loop
 * share one transaction, so that one flush to disk serves many callers; each is answered only once its transaction is
 * on disk. It is the store of one process: another one's lock would stop this one's event loop. Charges of reads are in
 * memory and written within a second. Throws where the file is not a database of this service. After a fault, and where
 * the file was moved or replaced, it is opened again before the next use.
 */
export function openSqliteStore(path: string): SqliteStore {
  /** What workspaces used, where their rows do not say it yet. */
  const charges = new Map<string, Used>();
  const faults = createFaultCounts();
  const stats = { commits: 0, creates: 0 };
  const pending: Pending[] = [];
  let file = openFile(path);
  let charging: NodeJS.Timeout | undefined;
  let hear: (key: string) => void = () => {};
  let isClosed = false;
  /** After a fault, until the file is opened again; and until a write came through. */
  let isSuspect = false;
  let isWriteSuspect = false;
  /** The number that a workspace was given last, which only goes up; and whether it is no less than all in this file. */
  let lastNumber = 0;
  let isCounted = false;
  /** Of the transaction under way: the workspaces whose rows it wrote, what they used among it, and records that it made. */
  let transaction = { written: new Set<string>(), creates: 0 };
  /** Settles once no transaction is under way. */
  let turn: Promise<unknown> = Promise.resolve();

  const all = (text: string, ...values: SQLInputValue[]) => file.sql(text).all(...values);
  const get = (text: string, ...values: SQLInputValue[]) => file.sql(text).get(...values);
  const run = (text: string, ...values: SQLInputValue[]) => file.sql(text).run(...values);

  function reopen(): void {
    isSuspect = true;
    try {
      file.database.close();
    } catch {}
    file = openFile(path);
    [isSuspect, isCounted] = [false, false];
  }

  /** Runs on a sound file; whatever SQLite throws becomes `store_unavailable`. */
  async function attempt<T>(use: () => T | Promise<T>, calls = 1): Promise<T> {
    try {
      if (isSuspect) reopen();
      return await use();
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      isSuspect ||= path !== ':memory:' && !passing.includes(errcode & 0xff);
      isWriteSuspect ||= isSuspect;
      throw new Refusal('store_unavailable', { cause: faults.count(toSqliteFault(error), calls) });
    }
  }

  async function transact<T>(use: () => T | Promise<T>): Promise<T> {
    const { database } = file;
    try {
      database.exec('BEGIN IMMEDIATE');
      const answer = await use();
      database.exec('COMMIT');
      for (const key of transaction.written) charges.delete(key);
      return answer;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    } finally {
      transaction = { written: new Set(), creates: 0 };
    }
  }

  /** Runs in a transaction of its own, in the file that is at the path by now. */
  function within<T>(use: () => T | Promise<T>): Promise<T> {
    const attempted = () =>
      attempt(async () => {
        const isElsewhere = file.isElsewhere();
        if (isElsewhere) charges.clear();
        if (isWriteSuspect || isElsewhere) reopen();
        const answer = await transact(use);
        isWriteSuspect = false;
        return answer;
      }, 0);
    const done = turn.then(attempted);
    turn = done.catch(() => {});
    return done;
  }

  function names(key: string, asked: readonly string[]): Named[] {
    return asked.map((name) => {
      const found = get(findName, Number(key), name) as (Row & { occupants: number }) | undefined;
      if (!found) return { occupants: 0 };
      return { occupants: found.occupants, ...(found.text !== null && { row: found }) };
    });
  }

  /** What a workspace used: by what is in memory or, where its row was written just now, by that. */
  const toUsed = (key: string, text: string) =>
    (transaction.written.has(key) ? undefined : charges.get(key)) ?? fromUsedText(text);

  const findPlace = (place: string) =>
    get('SELECT number, head, used, state FROM workspaces WHERE place = ?', toBlob(place)) as
      | { number: number; head: string; used: string; state: string }
      | undefined;

  function toNextNumber(): number {
    if (!isCounted)
      lastNumber = Math.max(lastNumber, Number(get('SELECT max(number) AS last FROM workspaces')?.last));
    isCounted = true;
    lastNumber += 1;
    return lastNumber;
  }

  /** Removes so many rows of a workspace at most, and the workspace once it has none; answers how many that were. */
  function remove(workspace: number, limit: number): number {
    let rows = 0;
    for (const text of [
      'DELETE FROM records WHERE number IN (SELECT number FROM records WHERE workspace = ?1 LIMIT ?2)',
      'DELETE FROM names WHERE workspace = ?1 AND name IN (SELECT name FROM names WHERE workspace = ?1 LIMIT ?2)',
    ])
      rows += Number(run(text, workspace, limit - rows).changes);
    if (rows < limit) run('DELETE FROM workspaces WHERE number = ?', workspace);
    else
      run(
        "UPDATE workspaces SET expires_at = 0, head = '', used = '', state = '' WHERE number = ?",
        workspace,
      );
    return rows;
  }

  function writeRows(workspace: number, { rows, links }: Pick<Batch, 'rows' | 'links'>): void {
    const added = new Map<string, number>();
    /** The number of the record that a name links to. */
    const toNumber = (link: string): number => {
      const [kind = '', seq] = link.split(' ');
      const found = 'SELECT number FROM records WHERE workspace = ? AND kind = ? AND seq = ?';
      return added.get(link) ?? (get(found, workspace, kind, Number(seq))?.number as number);
    };
    for (const { kind, seq, text, isNew } of rows) {
      if (text === undefined) {
        run('DELETE FROM records WHERE workspace = ? AND kind = ? AND seq = ?', workspace, kind, seq);
        continue;
      }
      const [first = '', ...more] = toParts(text);
      const isLong = Number(more.length > 0);
      const link = `${kind} ${seq}`;
      if (isNew) {
        const insert = 'INSERT INTO records (workspace, kind, seq, is_long, text) VALUES (?, ?, ?, ?, ?)';
        added.set(link, Number(run(insert, workspace, kind, seq, isLong, first).lastInsertRowid));
        if (kind !== replyKind) transaction.creates += 1;
      } else {
        const update =
          'UPDATE records SET is_long = ?, text = ? WHERE workspace = ? AND kind = ? AND seq = ?';
        run(update, isLong, first, workspace, kind, seq);
      }
      const number = isLong && toNumber(link) * mostParts;
      for (const [at, part] of more.entries())
        run('INSERT INTO parts (number, text) VALUES (?, ?)', number + at, part);
    }
    for (const [name, link] of links) {
      const set = `INSERT INTO names (workspace, name, record) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET record = excluded.record`;
      run(set, workspace, name, link === undefined ? null : toNumber(link));
      if (link === undefined) run(removeName, workspace, name);
    }
  }

  function write({ place, before, after, expiresAt, occupies, doors, ...more }: Batch): 'done' | 'moved' {
    const workspace = before ? Number(before.key) : toNextNumber();
    transaction.written.add(String(workspace));
    const values =
      after && ([expiresAt, after.head, toUsedText(after.used), after.state, workspace] as const);
    if (!values) remove(workspace, rowsAtOnce);
    else if (before)
      run('UPDATE workspaces SET expires_at = ?, head = ?, used = ?, state = ? WHERE number = ?', ...values);
    else {
      const insert = `INSERT INTO workspaces (expires_at, head, used, state, number, place)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (place) DO NOTHING`;
      if (run(insert, ...values, toBlob(place)).changes === 0) return 'moved';
    }
    for (const { name, text, expiresAt: until } of doors) {
      if (text === undefined) run('DELETE FROM doors WHERE name = ?', name);
      else run('INSERT OR REPLACE INTO doors (name, text, expires_at) VALUES (?, ?, ?)', name, text, until);
    }
    if (!after) return 'done';
    writeRows(workspace, more);
    for (const [name, count] of Object.entries(occupies)) {
      const add = `INSERT INTO names (workspace, name, occupants) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET occupants = occupants + excluded.occupants`;
      run(add, workspace, name, count);
      run(removeName, workspace, name);
    }
    return 'done';
  }

  /** Writes as a change does; the sweep removes it once it expired. */
  function writeProbe(): void {
    const [one, other] = probes.map((place) => findPlace(place)?.number);
    const after = { head: 'check', used: unused, state: '' };
    const empty = { before: undefined, links: new Map(), occupies: {}, doors: [] };
    const place = probes[one === undefined ? 0 : 1];
    write({ ...empty, place, after, expiresAt: Date.now() + probeMs, rows: [probe] });
    for (const old of [one, other]) if (old !== undefined) remove(old, rowsAtOnce);
  }

  /** Writes some of what was charged in memory, as much as a few milliseconds allow. */
  function writeCharges(): void {
    const end = performance.now() + commitMs;
    for (const [key, used] of charges) {
      run('UPDATE workspaces SET used = ? WHERE number = ?', toUsedText(used), Number(key));
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

  /** Removes what expired, a bounded part of it; answers whether more may be left. */
  function removeExpired(now: number): boolean {
    const find = `SELECT number FROM workspaces INDEXED BY workspaces_by_expiry WHERE expires_at <= ? LIMIT ${workspacesAtOnce}`;
    const expired = all(find, now) as { number: number }[];
    let rows = 0;
    for (const { number } of expired) if (rows < rowsAtOnce) rows += remove(number, rowsAtOnce - rows);
    if (rows >= rowsAtOnce || expired.length === workspacesAtOnce) return true;
    const doors = `DELETE FROM doors WHERE name IN
      (SELECT name FROM doors INDEXED BY doors_by_expiry WHERE expires_at <= ? LIMIT ${doorsAtOnce})`;
    return Number(run(doors, now).changes) === doorsAtOnce;
  }

  const step: Step = {
    async see(place, asked) {
      const row = findPlace(place);
      if (!row?.head) return undefined;
      const { head, state } = row;
      const key = String(row.number);
      return { key, head, used: toUsed(key, row.used), state, named: names(key, asked) };
    },
    names: async (key, asked) => names(key, asked),
    rows: async (key, { kind, order, after = ends[order], limit }) =>
      all(slices[order], Number(key), kind, after, limit) as unknown as Row[],
    door: async (name) => get('SELECT text FROM doors WHERE name = ?', name)?.text as string | undefined,
    write: async (batch) => write(batch),
  };

  return createStore({
    see: (place, asked) => attempt(() => step.see(place, asked)),
    names: (key, asked) => attempt(() => step.names(key, asked)),
    rows: (key, slice) => attempt(() => step.rows(key, slice)),
    door: (name) => attempt(() => step.door(name)),
    step<T>(_: string | undefined, take: (step: Step) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        if (pending.push({ run: take, resolve: resolve as Pending['resolve'], reject }) === 1)
          setImmediate(commit);
      });
    },
    charge: (key, charge) =>
      attempt(() => {
        const row = get('SELECT head, used FROM workspaces WHERE number = ?', Number(key)) as
          | { head: string; used: string }
          | undefined;
        if (!row?.head) return true;
        const { revision = toRevision(row.head) } = charge.limit ?? {};
        const used = toRevision(row.head) === revision && addCharge(toUsed(key, row.used), charge);
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
      const pages = readPragma(file.database, 'page_count') - readPragma(file.database, 'freelist_count');
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      const { bavail, bsize } = statfsSync(dirname(path));
      const workspaces = Number(get('SELECT count(*) AS count FROM workspaces')?.count);
      return { used: pages * readPragma(file.database, 'page_size') + log, free: bavail * bsize, workspaces };
    },
    overdue(now) {
      try {
        const at = get('SELECT MIN(expires_at) AS at FROM workspaces')?.at ?? now;
        return Math.max(0, now - Number(at));
      } catch {
        return 0;
      }
    },
    async sweep(now: number) {
      if (isClosed) return false;
      try {
        const isMore = await within(() => removeExpired(now));
        const hasFree = () => readPragma(file.database, 'freelist_count') > 0;
        // Freed pages go back to the file system.
        if (hasFree()) file.database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
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
      await turn;
      try {
        file.database.close();
      } catch {}
    },
  });
}
