import { statSync } from 'node:fs';
import type { Added, Addition, Workspace } from '../core/store.ts';
import type { StoredRecord } from '../model/record.ts';
import { openDatabase } from './sqlite-file.ts';
import { toSweep } from './sqlite-sweep.ts';

const toBytes = (hex: string) => Buffer.from(hex, 'hex');

type Row = { number: number; expires_at: number; size: number };
type KeyRow = { fingerprint: Uint8Array; reply: string };
type RecordRow = { kind: StoredRecord['kind']; seq: number; fact: string };

/** One open database: every verb throws what SQLite throws. */
export interface SqliteSession {
  /** Applies additions in their order, in one transaction that is on disk when it returns. */
  commit(additions: readonly Addition[]): Added[];
  read(workspace: string, now: number): Workspace | undefined;
  /** Begins to write, and takes it back. */
  tryWrite(): void;
  sweep(now: number): boolean;
  /** Whether the file is no longer where it was opened: moved, removed or replaced. */
  isElsewhere(): boolean;
  close(): void;
}

/** Opens the database at `path`; throws a plain message where it is not ours (see `openDatabase`). */
export function openSession(path: string): SqliteSession {
  const database = openDatabase(path);
  const find = database.prepare(
    'SELECT number, expires_at, size FROM workspaces WHERE hash = ? AND expires_at > ?',
  );
  const readRecords = database.prepare(
    'SELECT kind, seq, fact FROM records WHERE workspace = ? ORDER BY seq',
  );
  const mint = database.prepare('INSERT INTO workspaces (hash, expires_at, size) VALUES (?, ?, 0)');
  const extend = database.prepare(
    'UPDATE workspaces SET expires_at = max(expires_at, ?), size = size + 1 WHERE number = ?',
  );
  const insert = database.prepare('INSERT INTO records (workspace, seq, kind, fact) VALUES (?, ?, ?, ?)');
  const findKey = database.prepare('SELECT fingerprint, reply FROM keys WHERE name = ? AND expires_at > ?');
  const keep = database.prepare(
    'INSERT OR REPLACE INTO keys (name, fingerprint, expires_at, reply) VALUES (?, ?, ?, ?)',
  );
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();

  function apply({ workspace, mint: isMint, record, ceiling, now, expiresAt, key }: Addition): Added {
    if (key) {
      const kept = findKey.get(toBytes(key.name), now) as KeyRow | undefined;
      if (kept && !toBytes(key.fingerprint).equals(kept.fingerprint)) return { result: 'mismatch' };
      if (kept) return { result: 'replay', reply: kept.reply };
    }
    const hash = toBytes(workspace);
    const found = isMint
      ? { number: Number(mint.run(hash, expiresAt).lastInsertRowid), size: 0 }
      : (find.get(hash, now) as Row | undefined);
    if (!found) return { result: 'unknown' };
    if (found.size >= ceiling) return { result: 'full' };
    insert.run(found.number, found.size + 1, record.kind, JSON.stringify(record.fact));
    extend.run(expiresAt, found.number);
    if (key) keep.run(toBytes(key.name), toBytes(key.fingerprint), expiresAt, key.reply);
    return { result: 'added' };
  }

  return {
    commit(additions) {
      try {
        database.exec('BEGIN IMMEDIATE');
        const answers = additions.map(apply);
        database.exec('COMMIT');
        return answers;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    read(workspace, now) {
      const found = find.get(toBytes(workspace), now) as Row | undefined;
      if (!found) return undefined;
      const rows = readRecords.all(found.number) as RecordRow[];
      return {
        expiresAt: found.expires_at,
        records: rows.map(({ kind, seq, fact }) => ({ kind, seq, fact: JSON.parse(fact) })),
      };
    },
    tryWrite() {
      try {
        database.exec('BEGIN IMMEDIATE; DELETE FROM keys WHERE number < 0');
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK');
      }
    },
    sweep: toSweep(database),
    isElsewhere() {
      if (path === ':memory:') return false;
      const place = toPlace();
      return place?.ino !== opened?.ino || place?.dev !== opened?.dev;
    },
    close() {
      database.close();
    },
  };
}
