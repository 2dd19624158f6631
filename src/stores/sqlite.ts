import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../core/refusal.ts';
import type { Added, Addition, Store, Workspace } from '../core/store.ts';
import type { StoredRecord } from '../model/record.ts';

/** "CPS1" in ASCII: marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505331;
const schemaVersion = 1;

const schema = `
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    size INTEGER NOT NULL
  );
  CREATE INDEX workspaces_by_expiry ON workspaces (expires_at);
  CREATE TABLE records (
    workspace INTEGER NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (workspace, seq)
  ) WITHOUT ROWID;
`;

const toKey = (hash: string) => Buffer.from(hash, 'hex');

interface Pending {
  addition: Addition;
  resolve(added: Added): void;
  reject(reason: unknown): void;
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (read('schema_version') === 0) {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;');
    database.exec(`BEGIN; ${schema} COMMIT;`);
  } else if (read('application_id') !== applicationId || read('user_version') !== schemaVersion) {
    database.close();
    throw new Error(`${path} is not a database of this service and version; it was left as it is.`);
  }
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 2000;');
  return database;
}

/**
 * Workspaces in one SQLite file, or in memory with `:memory:`. Creates that arrive in the same turn of the
 * event loop share one transaction, so that one flush to disk serves many callers; each is answered only
 * once its transaction is on disk. Throws where the file is not a database of this service.
 */
export function openSqliteStore(path: string): Store & { sweep(now: number): void } {
  const database = open(path);
  const find = database.prepare(
    'SELECT number, expires_at, size FROM workspaces WHERE hash = ? AND expires_at > ?',
  );
  const readRecords = database.prepare(
    'SELECT kind, seq, fact FROM records WHERE workspace = ? ORDER BY seq',
  );
  const mint = database.prepare('INSERT INTO workspaces (hash, expires_at, size) VALUES (?, ?, 0)');
  const extend = database.prepare('UPDATE workspaces SET expires_at = ?, size = size + 1 WHERE number = ?');
  const insert = database.prepare('INSERT INTO records (workspace, seq, kind, fact) VALUES (?, ?, ?, ?)');
  const forget = database.prepare(
    'DELETE FROM workspaces WHERE number IN (SELECT number FROM workspaces WHERE expires_at <= ? LIMIT 1000)',
  );
  let pending: Pending[] = [];

  type Row = { number: number; expires_at: number; size: number };

  function apply({ workspace, mint: isMint, record, ceiling, now, expiresAt }: Addition): Added {
    const key = toKey(workspace);
    const found = isMint
      ? { number: Number(mint.run(key, expiresAt).lastInsertRowid), size: 0 }
      : (find.get(key, now) as Row | undefined);
    if (!found) return 'unknown';
    if (found.size >= ceiling) return 'full';
    insert.run(found.number, found.size + 1, record.kind, JSON.stringify(record.fact));
    extend.run(expiresAt, found.number);
    return 'added';
  }

  function commit(): void {
    const group = pending;
    pending = [];
    try {
      database.exec('BEGIN IMMEDIATE');
      const answers = group.map(({ addition }) => apply(addition));
      database.exec('COMMIT');
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
    } catch {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      for (const { reject } of group) reject(new Refusal('store_unavailable'));
    }
  }

  return {
    get(workspace, now): Workspace | undefined {
      const found = find.get(toKey(workspace), now) as Row | undefined;
      if (!found) return undefined;
      const rows = readRecords.all(found.number) as {
        kind: StoredRecord['kind'];
        seq: number;
        fact: string;
      }[];
      return {
        expiresAt: found.expires_at,
        records: rows.map(({ kind, seq, fact }) => ({ kind, seq, fact: JSON.parse(fact) })),
      };
    },
    add(addition) {
      return new Promise((resolve, reject) => {
        if (pending.push({ addition, resolve, reject }) === 1) setImmediate(commit);
      });
    },
    sweep(now) {
      forget.run(now);
      database.exec('PRAGMA incremental_vacuum(1000)');
    },
    close() {
      if (pending.length > 0) commit();
      database.close();
    },
  };
}
