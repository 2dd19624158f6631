import { statSync } from 'node:fs';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Slice } from '../records/store.ts';
import { replyKind, toSize, toUsedText } from './codec.ts';
import type { Batch, Named, Row } from './driver.ts';
import { mostParts, openDatabase } from './sqlite-file.ts';
import { createStamper } from './sqlite-log.ts';

/** Bytes of a part of a text, up to the most parts: five of them fill a page. */
const partBytes = 780;
/** What is removed at once: a few milliseconds, so that no caller waits for it. */
const rowsAtOnce = 2000;
const workspacesAtOnce = 500;
const doorsAtOnce = 500;

const whole = `CASE WHEN is_long THEN text || (SELECT group_concat(text, '') FROM
  (SELECT text FROM parts WHERE parts.number BETWEEN records.number * ${mostParts}
    AND (records.number + 1) * ${mostParts} - 1 ORDER BY parts.number)) ELSE text END AS text`;
const findName = `SELECT occupants, kind, seq, ${whole} FROM names
  LEFT JOIN records ON records.number = record AND records.workspace = names.workspace
  WHERE names.workspace = ? AND name = ?`;
const select = `SELECT seq, ${whole} FROM records WHERE workspace = ? AND kind = ?`;
// SQLite prepares a statement again for each value of a bare `LIMIT ?`, which takes as long as to run it.
const slices = {
  newest: `${select} AND seq < ? ORDER BY seq DESC LIMIT ? + 0`,
  oldest: `${select} AND seq > ? ORDER BY seq LIMIT ? + 0`,
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

/** What a transaction did: the numbers of the workspaces whose rows it wrote, and how many records it made. */
export interface Written {
  written: Set<string>;
  creates: number;
}

/**
 * The rows of workspaces in the SQLite file that is at a path now: finds, writes and removes them. New workspaces get
 * numbers above `given`. What SQLite throws goes through.
 */
export function openSqliteTables(path: string, given = 0) {
  const database = openDatabase(path);
  const statements = new Map<string, StatementSync>();
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();
  /** The number that a workspace was given last, once one was. */
  let lastNumber: number | undefined;

  const sql = (text: string) => statements.getOrInsertComputed(text, () => database.prepare(text));
  const get = (text: string, ...values: SQLInputValue[]) => sql(text).get(...values);
  const stamp = createStamper(database);
  /** Whether something was written that no stamp is written for yet. */
  let isUnstamped = false;

  function run(text: string, ...values: SQLInputValue[]) {
    const result = sql(text).run(...values);
    isUnstamped ||= Number(result.changes) > 0;
    return result;
  }

  function names(key: string, asked: readonly string[]): Named[] {
    return asked.map((name) => {
      const found = get(findName, Number(key), name) as (Row & { occupants: number }) | undefined;
      if (!found) return { occupants: 0 };
      return { occupants: found.occupants, ...(found.text !== null && { row: found }) };
    });
  }

  const findPlace = (place: string) =>
    get('SELECT number, head, used, state FROM workspaces WHERE place = ?', toBlob(place)) as
      | { number: number; head: string; used: string; state: string }
      | undefined;

  function toNextNumber(): number {
    lastNumber ??= Math.max(given, Number(get('SELECT max(number) AS last FROM workspaces')?.last));
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

  function writeRows(
    workspace: number,
    { rows, links }: Pick<Batch, 'rows' | 'links'>,
    noted: Written,
  ): void {
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
        if (kind !== replyKind) noted.creates += 1;
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

  function write(
    { place, before, after, expiresAt, occupies, doors, ...more }: Batch,
    noted: Written,
  ): boolean {
    const workspace = before ? Number(before.key) : toNextNumber();
    noted.written.add(String(workspace));
    const values =
      after && ([expiresAt, after.head, toUsedText(after.used), after.state, workspace] as const);
    if (!values) remove(workspace, rowsAtOnce);
    else if (before)
      run('UPDATE workspaces SET expires_at = ?, head = ?, used = ?, state = ? WHERE number = ?', ...values);
    else {
      const insert = `INSERT INTO workspaces (expires_at, head, used, state, number, place)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (place) DO NOTHING`;
      if (run(insert, ...values, toBlob(place)).changes === 0) return false;
    }
    for (const { name, text, expiresAt: until } of doors) {
      if (text === undefined) run('DELETE FROM doors WHERE name = ?', name);
      else run('INSERT OR REPLACE INTO doors (name, text, expires_at) VALUES (?, ?, ?)', name, text, until);
    }
    if (!after) return true;
    writeRows(workspace, more, noted);
    for (const [name, count] of Object.entries(occupies)) {
      const add = `INSERT INTO names (workspace, name, occupants) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET occupants = occupants + excluded.occupants`;
      run(add, workspace, name, count);
      run(removeName, workspace, name);
    }
    return true;
  }

  /** Removes what expired, a bounded part of it; answers whether more may be left. */
  function removeExpired(now: number): boolean {
    const find = `SELECT number FROM workspaces INDEXED BY workspaces_by_expiry WHERE expires_at <= ? LIMIT ${workspacesAtOnce}`;
    const expired = sql(find).all(now) as { number: number }[];
    let rows = 0;
    for (const { number } of expired) if (rows < rowsAtOnce) rows += remove(number, rowsAtOnce - rows);
    if (rows >= rowsAtOnce || expired.length === workspacesAtOnce) return true;
    const doors = `DELETE FROM doors WHERE name IN
      (SELECT name FROM doors INDEXED BY doors_by_expiry WHERE expires_at <= ? LIMIT ${doorsAtOnce})`;
    return Number(run(doors, now).changes) === doorsAtOnce;
  }

  return {
    database,
    get,
    run,
    names,
    findPlace,
    remove: (workspace: number) => remove(workspace, rowsAtOnce),
    removeExpired,
    write,
    /** Gives so many freed pages at most back to the file system. */
    vacuum(pages: number): void {
      isUnstamped = true;
      database.exec(`PRAGMA incremental_vacuum(${pages})`);
    },
    /** Ends the transaction, with a stamp if it wrote anything (`sqlite-log.ts`). */
    commit(): void {
      if (isUnstamped) stamp();
      database.exec('COMMIT');
      isUnstamped = false;
    },
    rows(key: string, { kind, order, after = ends[order], limit }: Slice): Row[] {
      const statement = sql(slices[order]);
      // An object for each row would take as long as all else.
      statement.setReturnArrays(true);
      const rows = statement.all(Number(key), kind, after, limit) as unknown as [number, string][];
      return rows.map(([seq, text]) => ({ kind, seq, text }));
    },
    /** Whether the file is no longer at the path: moved, removed or replaced. */
    isElsewhere(): boolean {
      const place = toPlace();
      return path !== ':memory:' && (place?.ino !== opened?.ino || place?.dev !== opened?.dev);
    },
    lastNumber: () => lastNumber ?? given,
  };
}
