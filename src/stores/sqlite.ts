import { Refusal } from '../core/refusal.ts';
import type { Added, Addition, Store, Workspace } from '../core/store.ts';
import type { StoredRecord } from '../model/record.ts';
import { openDatabase } from './sqlite-file.ts';
import { toSweep } from './sqlite-sweep.ts';

const toBytes = (hex: string) => Buffer.from(hex, 'hex');

interface Pending {
  addition: Addition;
  resolve(added: Added): void;
  reject(reason: unknown): void;
}

type Row = { number: number; expires_at: number; size: number };
type KeyRow = { fingerprint: Uint8Array; reply: string };
type RecordRow = { kind: StoredRecord['kind']; seq: number; fact: string };

/** A store in SQLite, which is swept by whoever opened it. */
export interface SqliteStore extends Store {
  /** Forgets some of what expired at or before `now`; true where more is left. Never throws. */
  sweep(now: number): boolean;
}

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Creates that arrive in the same turn of the
 * event loop share one transaction, so that one flush to disk serves many callers; each is answered only
 * once its transaction is on disk. It is the store of one process: another one's lock would stop this one's
 * event loop. Throws where the file is not a database of this service.
 */
export function openSqliteStore(path: string): SqliteStore {
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
  const sweep = toSweep(database);
  const stats = { commits: 0, creates: 0, failures: 0 };
  let pending: Pending[] = [];

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

  function commit(): void {
    const group = pending;
    pending = [];
    try {
      database.exec('BEGIN IMMEDIATE');
      const answers = group.map(({ addition }) => apply(addition));
      database.exec('COMMIT');
      stats.commits += 1;
      stats.creates += answers.filter(({ result }) => result === 'added').length;
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
    } catch {
      stats.failures += group.length;
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      for (const { reject } of group) reject(new Refusal('store_unavailable'));
    }
  }

  function read(workspace: string, now: number): Workspace | undefined {
    const found = find.get(toBytes(workspace), now) as Row | undefined;
    if (!found) return undefined;
    const rows = readRecords.all(found.number) as RecordRow[];
    return {
      expiresAt: found.expires_at,
      records: rows.map(({ kind, seq, fact }) => ({ kind, seq, fact: JSON.parse(fact) })),
    };
  }

  return {
    get(workspace, now) {
      try {
        return read(workspace, now);
      } catch {
        stats.failures += 1;
        throw new Refusal('store_unavailable');
      }
    },
    add(addition) {
      return new Promise((resolve, reject) => {
        if (pending.push({ addition, resolve, reject }) === 1) setImmediate(commit);
      });
    },
    check() {
      try {
        database.exec('BEGIN IMMEDIATE; ROLLBACK');
      } catch {
        throw new Refusal('store_unavailable');
      }
    },
    stats: () => ({ ...stats }),
    sweep,
    close() {
      if (pending.length > 0) commit();
      if (database.isOpen) database.close();
    },
  };
}
