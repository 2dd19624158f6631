import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Room, Slice, Used } from '../records/store.ts';
import { fromUsedText, replyKind, toSize, toUsedText, unused } from './codec.ts';
import type { Batch, Kept, Named, Row, Step } from './driver.ts';
import { mostParts, openDatabase, readPragma } from './sqlite-file.ts';

/** Bytes of a part of a text, up to the most parts: five of them fill a page. */
const partBytes = 780;
/** Rows that are removed at once: a few milliseconds, so that no caller waits for them. */
const rowsAtOnce = 2000;
const doorsAtOnce = 500;
const pagesAtOnce = 500;

const toBlob = (hex: string) => Buffer.from(hex, 'hex');

/** Two places behind those of all workspaces: a check writes one and removes the other. */
const probes = ['ff', 'fe'].map((end) => end.padStart(64, 'f')) as [string, string];
/** As large as a large record, and written before the one before it is removed: a full disk has no room for it. */
const probe = { kind: 'check', seq: 1, text: ' '.repeat(16_384), isNew: true };

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

type Charges = Map<string, Used>;
type KeptRow = { number: number; head: string; used: string; state: string };

/**
 * One open database: every verb answers at once, and throws what SQLite throws. `numbers.last` is the number that a
 * workspace was given last, which only goes up; `charges` has what workspaces used and their rows do not say yet.
 */
export function openSession(path: string, numbers: { last: number }, charges: Charges) {
  const database = openDatabase(path);
  const prepare = (text: string) => database.prepare(text);
  const findPlace = prepare('SELECT number, head, used, state FROM workspaces WHERE place = ?');
  const findKept = prepare('SELECT head, used FROM workspaces WHERE number = ?');
  const whole = `CASE WHEN is_long THEN text || (SELECT group_concat(text, '') FROM
    (SELECT text FROM parts WHERE parts.number BETWEEN records.number * ${mostParts}
      AND (records.number + 1) * ${mostParts} - 1 ORDER BY parts.number)) ELSE text END AS text`;
  const findName = prepare(
    `SELECT occupants, kind, seq, ${whole} FROM names
     LEFT JOIN records ON records.number = record AND records.workspace = names.workspace
     WHERE names.workspace = ? AND name = ?`,
  );
  const select = `SELECT kind, seq, ${whole} FROM records WHERE workspace = ? AND kind = ?`;
  const slices = {
    newest: prepare(`${select} AND seq < ? ORDER BY seq DESC LIMIT ?`),
    oldest: prepare(`${select} AND seq > ? ORDER BY seq LIMIT ?`),
  };
  const ends = { newest: Number.MAX_SAFE_INTEGER, oldest: 0 };
  const findDoor = prepare('SELECT text FROM doors WHERE name = ?');
  const insert = prepare(
    `INSERT INTO workspaces (number, place, expires_at, head, used, state) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (place) DO NOTHING`,
  );
  const update = prepare(
    'UPDATE workspaces SET expires_at = ?, head = ?, used = ?, state = ? WHERE number = ?',
  );
  const use = prepare('UPDATE workspaces SET used = ? WHERE number = ?');
  const addRow = prepare('INSERT INTO records (workspace, kind, seq, is_long, text) VALUES (?, ?, ?, ?, ?)');
  const setRow = prepare(
    'UPDATE records SET is_long = ?, text = ? WHERE workspace = ? AND kind = ? AND seq = ?',
  );
  const removeRow = prepare('DELETE FROM records WHERE workspace = ? AND kind = ? AND seq = ?');
  const addPart = prepare('INSERT INTO parts (number, text) VALUES (?, ?)');
  const findRow = prepare('SELECT number FROM records WHERE workspace = ? AND kind = ? AND seq = ?');
  const setLink = prepare(
    `INSERT INTO names (workspace, name, record) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET record = excluded.record`,
  );
  const setOccupants = prepare(
    `INSERT INTO names (workspace, name, occupants) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET occupants = excluded.occupants`,
  );
  const removeName = prepare(
    'DELETE FROM names WHERE workspace = ? AND name = ? AND record IS NULL AND occupants = 0',
  );
  const setDoor = prepare('INSERT OR REPLACE INTO doors (name, text, expires_at) VALUES (?, ?, ?)');
  const removeDoor = prepare('DELETE FROM doors WHERE name = ?');
  const removeSome = [
    prepare('DELETE FROM records WHERE number IN (SELECT number FROM records WHERE workspace = ? LIMIT ?)'),
    prepare(
      `DELETE FROM names WHERE workspace = ?1 AND name IN (SELECT name FROM names WHERE workspace = ?1 LIMIT ?2)`,
    ),
  ];
  const removeWorkspace = prepare('DELETE FROM workspaces WHERE number = ?');
  const findExpired = prepare(
    'SELECT number FROM workspaces INDEXED BY workspaces_by_expiry WHERE expires_at <= ? LIMIT 500',
  );
  const removeDoors = prepare(
    `DELETE FROM doors WHERE name IN
     (SELECT name FROM doors INDEXED BY doors_by_expiry WHERE expires_at <= ? LIMIT ${doorsAtOnce})`,
  );
  const findFirst = prepare('SELECT MIN(expires_at) AS at FROM workspaces');
  const countWorkspaces = prepare('SELECT count(*) AS workspaces FROM workspaces');
  const findLast = prepare('SELECT max(number) AS last FROM workspaces');
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();
  let isCounted = false;
  let creates = 0;
  /** Workspaces that the transaction under way wrote: their rows say what they used, and once it is on disk no charge is left. */
  let written = new Set<string>();

  /** The workspace that was seen last, until anything is written: most charges are for it. */
  let seen: Kept | undefined;

  /** What a workspace used, by what is in memory or, where its row was written just now, by that. */
  const toUsed = (key: string, used: string) =>
    (written.has(key) ? undefined : charges.get(key)) ?? fromUsedText(used);

  function toNext(): number {
    if (!isCounted) numbers.last = Math.max(numbers.last, Number(findLast.get()?.last));
    isCounted = true;
    numbers.last += 1;
    return numbers.last;
  }

  function names(key: string, asked: readonly string[]): Named[] {
    const workspace = Number(key);
    return asked.map((name) => {
      const found = findName.get(workspace, name) as (Row & { occupants: number }) | undefined;
      if (!found) return { occupants: 0 };
      return found.text === null
        ? { occupants: found.occupants }
        : { occupants: found.occupants, row: found };
    });
  }

  /** Removes so many rows of a workspace at most, and the workspace once it has none; answers how many that were. */
  function remove(workspace: number, limit: number): number {
    let rows = 0;
    for (const one of removeSome) rows += Number(one.run(workspace, limit - rows).changes);
    if (rows < limit) removeWorkspace.run(workspace);
    else update.run(0, '', '', '', workspace);
    return rows;
  }

  /** The number of the record that an entry leads to. */
  function toNumber(workspace: number, link: string): number {
    const [kind = '', seq] = link.split(' ');
    return findRow.get(workspace, kind, Number(seq))?.number as number;
  }

  function write({ place, before, after, expiresAt, entries, rows, doors }: Batch): 'done' | 'moved' {
    const workspace = before ? Number(before.key) : toNext();
    written.add(String(workspace));
    if (before && after) update.run(expiresAt, after.head, toUsedText(after.used), after.state, workspace);
    else if (before) remove(workspace, rowsAtOnce);
    else if (after) {
      const values = [toBlob(place), expiresAt, after.head, toUsedText(after.used), after.state] as const;
      if (insert.run(workspace, ...values).changes === 0) return 'moved';
    }
    for (const { name, text, expiresAt: until } of doors) {
      if (text === undefined) removeDoor.run(name);
      else setDoor.run(name, text, until);
    }
    if (!after) return 'done';
    const added = new Map<string, number>();
    for (const { kind, seq, text, isNew } of rows) {
      if (text === undefined) {
        removeRow.run(workspace, kind, seq);
        continue;
      }
      const parts = toParts(text);
      const isLong = Number(parts.length > 1);
      const link = `${kind} ${seq}`;
      if (isNew) added.set(link, Number(addRow.run(workspace, kind, seq, isLong, parts[0]!).lastInsertRowid));
      else setRow.run(isLong, parts[0]!, workspace, kind, seq);
      const number = isLong && (added.get(link) ?? toNumber(workspace, link)) * mostParts;
      for (let at = 1; at < parts.length; at += 1) addPart.run(number + at - 1, parts[at]!);
      if (isNew && kind !== replyKind) creates += 1;
    }
    for (const [entry, text] of entries) {
      const name = entry.slice(1);
      if (entry.startsWith('+')) setOccupants.run(workspace, name, Number(text ?? 0));
      else
        setLink.run(
          workspace,
          name,
          text === undefined ? null : (added.get(text) ?? toNumber(workspace, text)),
        );
      if (text === undefined) removeName.run(workspace, name);
    }
    return 'done';
  }

  const step: Step = {
    see(place, asked) {
      const row = findPlace.get(toBlob(place)) as KeptRow | undefined;
      if (!row?.head) return undefined;
      const key = String(row.number);
      seen = { key, head: row.head, used: toUsed(key, row.used), state: row.state };
      return { ...seen, named: asked.length > 0 ? names(key, asked) : [] };
    },
    names,
    rows: (key, { kind, order, after = ends[order], limit }: Slice) =>
      slices[order].all(Number(key), kind, after, limit) as unknown as Row[],
    door: (name) => findDoor.get(name)?.text as string | undefined,
    write,
  };

  return {
    ...step,
    /** The texts of a workspace that a charge needs; undefined where it is gone. */
    findUsed(key: string): Pick<Kept, 'head' | 'used'> | undefined {
      if (seen?.key === key) return { head: seen.head, used: charges.get(key) ?? seen.used };
      const row = findKept.get(Number(key)) as KeptRow | undefined;
      return row?.head ? { head: row.head, used: toUsed(key, row.used) } : undefined;
    },
    /** Runs in one transaction, which is on disk when it returns; counts what it wrote and the records that it made. */
    within<T>(run: (step: Step) => T): { answer: T; writes: number; creates: number } {
      creates = 0;
      seen = undefined;
      try {
        database.exec('BEGIN IMMEDIATE');
        const answer = run(step);
        database.exec('COMMIT');
        for (const key of written) charges.delete(key);
        return { answer, writes: written.size, creates };
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      } finally {
        written = new Set();
        seen = undefined;
      }
    },
    /** Writes what a workspace used into its row, within a transaction. */
    writeUsed(key: string, used: Used): void {
      use.run(toUsedText(used), Number(key));
      written.add(key);
    },
    /** Writes as a change does, within a transaction; the sweep removes it once it expired. */
    writeProbe(expiresAt: number): void {
      const [one, other] = probes.map((place) => findPlace.get(toBlob(place))?.number as number | undefined);
      const after = { head: 'check', used: unused, state: '' };
      const parts = { after, expiresAt, rows: [probe], entries: new Map(), doors: [] };
      write({ place: probes[one === undefined ? 0 : 1], ...parts });
      for (const old of [one, other]) if (old !== undefined) remove(old, rowsAtOnce);
    },
    /**
     * Removes what expired, a bounded part of it, then returns freed pages to the file system; answers whether more is
     * left. What fails (on a full disk, say) changes nothing and is left for the next time.
     */
    sweep(now: number): boolean {
      try {
        const { answer: isMore } = this.within(() => {
          const expired = findExpired.all(now) as { number: number }[];
          let [rows, done] = [0, 0];
          for (; done < expired.length && rows < rowsAtOnce; done += 1)
            rows += remove(expired[done]!.number, rowsAtOnce - rows);
          const isFull = rows >= rowsAtOnce || expired.length === 500;
          return isFull || Number(removeDoors.run(now).changes) === doorsAtOnce;
        });
        const hasFree = () => readPragma(database, 'freelist_count') > 0;
        if (hasFree()) database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
        return isMore || hasFree();
      } catch {
        return false;
      }
    },
    /** Pages without those on the free list, and the write-ahead log; and what the disk has left. */
    room(): Room {
      const pages = readPragma(database, 'page_count') - readPragma(database, 'freelist_count');
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      const { bavail, bsize } = statfsSync(dirname(path));
      const { workspaces } = countWorkspaces.get() as { workspaces: number };
      return { used: pages * readPragma(database, 'page_size') + log, free: bavail * bsize, workspaces };
    },
    /** How long the workspace that expired first has waited, in milliseconds. */
    overdue(now: number): number {
      const { at } = findFirst.get() as { at: number | null };
      return at === null ? 0 : Math.max(0, now - at);
    },
    /** Whether the file is no longer where it was opened: moved, removed or replaced. */
    isElsewhere(): boolean {
      if (path === ':memory:') return false;
      const place = toPlace();
      return place?.ino !== opened?.ino || place?.dev !== opened?.dev;
    },
    close: () => database.close(),
  };
}
