import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { refuseForeignLog, stampAtStart, stampTable } from './sqlite-log.ts';

/** "CPWS" in ASCII. It marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505753;
/** The application_id of files in an earlier format. */
const earlierApplicationId = 0x43505331;
/** The format of a file (SQLite PRAGMA user_version). */
export const format = 3;
/** The first format whose files this release migrates. The tables are the same since then; records differ. */
export const oldestFormat = 2;
/** Milliseconds to wait for the lock of another program. */
const patienceMs = 2000;
/** A write-ahead log that grew is cut back to this size in bytes, which is its usual one. */
const logBytes = 4_194_304;

/**
 * The number of a workspace is its key, and is never used again. A workspace without a hash is being deleted. Records
 * have a table in the order in which they were written, so that their pages are full.
 */
const schema = `
  ${stampTable}
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB UNIQUE,
    expires_at INTEGER NOT NULL,
    version TEXT NOT NULL,
    head TEXT NOT NULL,
    used TEXT NOT NULL
  );
  CREATE INDEX workspaces_by_expiry ON workspaces (expires_at);
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX records_by_seq ON records (workspace, seq);
  CREATE TABLE replies (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
  ) WITHOUT ROWID;
  CREATE TABLE activity (
    workspace INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (workspace, revision)
  ) WITHOUT ROWID;
  CREATE TABLE tokens (
    name BLOB PRIMARY KEY,
    workspace INTEGER NOT NULL,
    goal TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};
`;

function createFileError(path: string, what: string, cause?: unknown): Error {
  return new Error(`${path} ${what}; it was left as it is. Move it, or set DATA_DIR.`, { cause });
}

interface FileFormat {
  version: number;
  /** Compared with the format of this release. `older`: it migrates the file. `earlier`: it does not read the file. */
  age: 'earlier' | 'older' | 'same' | 'later';
}

/**
 * Reads the format of a database file of this service from the header of its first page (SQLite file format, section
 * 1.3). Returns undefined for any other file. Never opens it as a database, because that could create files beside it.
 */
export function readFormat(path: string): FileFormat | undefined {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header);
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return undefined;
  const [version, application] = [header.readUInt32BE(60), header.readUInt32BE(68)];
  if (application === earlierApplicationId) return { version, age: 'earlier' };
  if (application !== applicationId) return undefined;
  if (version === format) return { version, age: 'same' };
  if (version > format) return { version, age: 'later' };
  return { version, age: version < oldestFormat ? 'earlier' : 'older' };
}

/** Reads the format of a database file, as `readFormat` does. Returns undefined for a missing or empty file too. */
export function findFileFormat(path: string): FileFormat | undefined {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return size === 0 ? undefined : readFormat(path);
}

/** Refuses a file that is not ours, or that this release neither reads nor migrates. Accepts a missing or empty file. */
export function refuseForeignFile(path: string): void {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size === 0) return;
  const { version, age } = readFormat(path) ?? {};
  if (age === 'earlier')
    throw createFileError(path, `has workspaces of an earlier format (${version}), which is not read`);
  if (age === 'later')
    throw createFileError(
      path,
      `has workspaces of a later format (${version}); this release reads formats ${oldestFormat} to ${format}`,
    );
  if (!age) throw createFileError(path, 'is not a database of this service and version');
}

/**
 * Opens the database of workspaces at `path`, or makes it in one transaction. Its write-ahead log is flushed at every
 * commit (`synchronous = FULL`). Free pages are returned a few at a time.
 *
 * Throws a plain message if the file is not ours, has another format (`migrateFile`), cannot be read, or has the log of another file
 * beside it. Such a file is not changed.
 */
export function openDatabase(path: string): DatabaseSync {
  refuseForeignFile(path);
  if (findFileFormat(path)?.age === 'older')
    throw createFileError(path, 'has an older format; a start of the service with its folder migrates it');
  refuseForeignLog(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: patienceMs });
    database.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${logBytes};`);
    if (database.prepare('PRAGMA user_version').get()?.user_version === 0)
      database.exec(`PRAGMA auto_vacuum = INCREMENTAL; BEGIN; ${schema} COMMIT;`);
    database.exec('SELECT * FROM records LIMIT 1; PRAGMA journal_mode = WAL');
    stampAtStart(database);
    return database;
  } catch (error) {
    database?.close();
    throw createFileError(path, `cannot be used as a database (${(error as Error).message})`, error);
  }
}
