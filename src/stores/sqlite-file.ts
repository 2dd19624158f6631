import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** "CPS1" in ASCII: marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505331;
const schemaVersion = 1;
/** KiB of pages held in memory; more are the operating system's to cache. */
const cacheKib = 32_768;

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
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    reply TEXT NOT NULL
  );
  CREATE INDEX keys_by_expiry ON keys (expires_at);
`;

/** The value of a PRAGMA that is one number. */
export function readPragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

const isUnused = (database: DatabaseSync) =>
  ['schema_version', 'application_id', 'user_version'].every((name) => readPragma(database, name) === 0);

/** Looks at a file through a connection that cannot write, so that a foreign one stays as it is. */
function checkOurs(path: string): void {
  if (path === ':memory:' || !existsSync(path) || statSync(path).size === 0) return;
  const fail = (what: string) =>
    new Error(`${path} ${what}; it was left as it is. Move it, or set DATA_DIR.`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    if (isUnused(database)) return;
    if (
      readPragma(database, 'application_id') === applicationId &&
      readPragma(database, 'user_version') === schemaVersion
    ) {
      database.prepare('SELECT hash FROM workspaces ORDER BY number DESC LIMIT 1').get();
      return;
    }
  } catch (error) {
    throw fail(`cannot be read as a database (${(error as Error).message})`);
  } finally {
    database?.close();
  }
  throw fail('is not a database of this service and version');
}

/**
 * Opens the database of workspaces at `path`, or makes it: a write-ahead log that is flushed at every commit
 * (`synchronous = FULL`), pages freed by expiry given back a few at a time. Throws a plain message where the
 * file is not ours by application_id and user_version, or cannot be read; such a file is not changed.
 */
export function openDatabase(path: string): DatabaseSync {
  checkOurs(path);
  const database = new DatabaseSync(path);
  try {
    if (isUnused(database)) {
      database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;');
      database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`);
    }
    database.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 2000; PRAGMA cache_size = -${cacheKib};`,
    );
  } catch (error) {
    database.close();
    throw new Error(`${path} cannot be opened for writing (${(error as Error).message}).`);
  }
  return database;
}
