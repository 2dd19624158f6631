import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { refuseForeignLog, stampAtStart, stampTable } from './sqlite-log.ts';

/** "CPWS" in ASCII: marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505753;
/** That of the files of earlier formats. */
const earlierApplicationId = 0x43505331;
/** The format of a file (SQLite PRAGMA user_version). */
const format = 2;
/** Milliseconds that a lock of another program is waited for. */
const patienceMs = 2000;
/** What a write-ahead log that grew is cut back to: as much as it usually has. */
const logBytes = 4_194_304;

/** Parts of a text at most, behind its first. */
export const mostParts = 64;

/**
 * A workspace has a number that is never given again while this process lives. `records` and `parts` grow at their ends,
 * so that their pages are full. A long text has its first part in `records` and the others in `parts`, since SQLite would
 * give it a page of its own; those of record N have the numbers from N * 64 on. A name leads to a record by its number,
 * which a later record of another workspace may have once it is removed.
 */
const schema = `
  ${stampTable}
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    place BLOB NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    head TEXT NOT NULL,
    used TEXT NOT NULL,
    state TEXT NOT NULL
  );
  CREATE INDEX workspaces_by_expiry ON workspaces (expires_at);
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    is_long INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX records_by_seq ON records (workspace, kind, seq);
  CREATE TABLE parts (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE TRIGGER without_parts AFTER DELETE ON records WHEN old.is_long BEGIN
    DELETE FROM parts WHERE number BETWEEN old.number * ${mostParts} AND (old.number + 1) * ${mostParts} - 1;
  END;
  CREATE TRIGGER other_parts AFTER UPDATE ON records WHEN old.is_long BEGIN
    DELETE FROM parts WHERE number BETWEEN old.number * ${mostParts} AND (old.number + 1) * ${mostParts} - 1;
  END;
  CREATE TABLE names (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    record INTEGER,
    occupants INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, name)
  ) WITHOUT ROWID;
  CREATE TABLE doors (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX doors_by_expiry ON doors (expires_at);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};
`;

function toRefusal(path: string, what: string, cause?: unknown): Error {
  return new Error(`${path} ${what}; it was left as it is. Move it, or set DATA_DIR.`, { cause });
}

/**
 * Refuses a file that is not ours by the header of its first page (SQLite file format, section 1.3): a foreign file is
 * never opened as a database, which might put something beside it. One that is missing or empty is nobody's.
 */
export function refuseForeign(path: string): void {
  if (!existsSync(path)) return;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  const length = readSync(file, header);
  closeSync(file);
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  const [version, application] = [header.readUInt32BE(60), header.readUInt32BE(68)];
  const isEarlier =
    application === earlierApplicationId || (application === applicationId && version < format);
  if (isDatabase && isEarlier)
    throw toRefusal(path, `has workspaces of an earlier format (${version}), which is not read`);
  if (length > 0 && !(isDatabase && application === applicationId && version === format))
    throw toRefusal(path, 'is not a database of this service and version');
}

/**
 * Opens the database of workspaces at `path`, or makes it in one transaction: a write-ahead log that is flushed at every
 * commit (`synchronous = FULL`), and freed pages that are returned a few at a time. Throws a plain message if the file is
 * not ours, is of another format, cannot be read or has the log of another file beside it. Such a file is not changed.
 */
export function openDatabase(path: string): DatabaseSync {
  refuseForeign(path);
  refuseForeignLog(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: patienceMs });
    // Of pages it holds the usual 2 MB: more are the operating system's to cache.
    database.exec(`PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${logBytes};`);
    if (database.prepare('PRAGMA user_version').get()?.user_version === 0)
      database.exec(`PRAGMA auto_vacuum = INCREMENTAL; BEGIN; ${schema} COMMIT;`);
    database.exec('SELECT * FROM records LIMIT 1; PRAGMA journal_mode = WAL');
    stampAtStart(database);
    return database;
  } catch (error) {
    database?.close();
    throw toRefusal(path, `cannot be used as a database (${(error as Error).message})`, error);
  }
}
