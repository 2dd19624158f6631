import { statSync } from 'node:fs';
import type { Added, Addition, Workspace } from '../core/store.ts';
import type { StoredRecord } from '../model/record.ts';
import { openDatabase } from './sqlite-file.ts';
import { toSweep } from './sqlite-sweep.ts';

/** Behind every workspace: where the next create goes. */
const lastWorkspace = Buffer.alloc(32, 0xff);
const toBytes = (hex: string) => Buffer.from(hex, 'hex');

type KeyRow = { fingerprint: Uint8Array; reply: string };
type RecordRow = { kind: StoredRecord['kind']; seq: number; fact: string; expires_at: number | null };

/** One open database: every verb throws what SQLite throws. */
export interface SqliteSession {
  /** Applies additions in their order, in one transaction that is on disk when it returns. */
  commit(additions: readonly Addition[]): Added[];
  read(workspace: string, now: number): Workspace | undefined;
  /** Writes as a create does, and is on disk when it returns; the sweep forgets it once it expired. */
  tryWrite(expiresAt: number): void;
  sweep(now: number): boolean;
  /** Whether the file is no longer where it was opened: moved, removed or replaced. */
  isElsewhere(): boolean;
  close(): void;
}

/** Opens the database at `path`; throws a plain message where it is not ours (see `openDatabase`). */
export function openSession(path: string): SqliteSession {
  const database = openDatabase(path);
  const find = database.prepare(
    'SELECT size FROM records WHERE workspace = ? AND seq = 1 AND expires_at > ?',
  );
  const readAll = database.prepare(
    'SELECT kind, seq, fact, expires_at FROM records WHERE workspace = ? ORDER BY seq',
  );
  const insert = database.prepare(
    'INSERT INTO records (workspace, seq, size, expires_at, kind, fact) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const probe = database.prepare(
    `INSERT INTO records (workspace, seq, size, expires_at, kind, fact) VALUES (?, 1, 0, ?, 'candidate', ?)
     ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, fact = excluded.fact`,
  );
  const extend = database.prepare(
    'UPDATE records SET size = ?, expires_at = max(expires_at, ?) WHERE workspace = ? AND seq = 1',
  );
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
    const found = isMint ? { size: 0 } : (find.get(hash, now) as { size: number } | undefined);
    if (!found) return { result: 'unknown' };
    if (found.size >= ceiling) return { result: 'full' };
    const size = found.size + 1;
    const head = isMint ? [size, expiresAt] : [null, null];
    insert.run(hash, size, ...head, record.kind, JSON.stringify(record.fact));
    if (!isMint) extend.run(size, expiresAt, hash);
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
      const rows = readAll.all(toBytes(workspace)) as RecordRow[];
      const expiresAt = rows[0]?.expires_at ?? 0;
      if (expiresAt <= now) return undefined;
      return {
        expiresAt,
        records: rows.map(({ kind, seq, fact }) => ({ kind, seq, fact: JSON.parse(fact) })),
      };
    },
    tryWrite(expiresAt) {
      probe.run(lastWorkspace, expiresAt, '{}');
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
