import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** "CPS1" in ASCII: marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505331;
const schemaVersion = 4;
/** The version before, whose files are brought up to this one when they are opened. */
const versionBefore = 3;
/** KiB of pages held in memory; more are the operating system's to cache. */
const cacheKib = 8192;

/** A record is found by its id, and a placement by what it holds, without reading others. */
const indexes = `
  CREATE INDEX records_by_id ON records (workspace, fact ->> '$.id');
  CREATE INDEX placements_by_candidate ON records (workspace, fact ->> '$.candidateId')
    WHERE kind = 'placement';
  CREATE INDEX placements_by_job_order ON records (workspace, fact ->> '$.jobOrderId')
    WHERE kind = 'placement';
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * A workspace is its records, in one place; the first of them tells how many there are, how many bytes their facts
 * take, and until when.
 */
const schema = `
  PRAGMA application_id = ${applicationId};
  CREATE TABLE records (
    workspace BLOB NOT NULL,
    seq INTEGER NOT NULL,
    size INTEGER,
    expires_at INTEGER,
    kind TEXT NOT NULL,
    fact TEXT NOT NULL,
    bytes INTEGER,
    PRIMARY KEY (workspace, seq)
  ) WITHOUT ROWID;
  CREATE INDEX workspaces_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    reply TEXT NOT NULL
  );
  CREATE INDEX keys_by_expiry ON keys (expires_at);
  ${indexes}
`;

/** Brings a file of the version before up to this one. */
const migration = `
  BEGIN IMMEDIATE;
  ALTER TABLE records ADD COLUMN bytes INTEGER;
  UPDATE records SET bytes =
    (SELECT sum(octet_length(fact)) FROM records AS own WHERE own.workspace = records.workspace)
    WHERE seq = 1;
  ${indexes}
  COMMIT;
`;

/** The value of a PRAGMA that is one number. */
export function readPragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

function toRefusal(path: string, what: string, cause?: unknown): Error {
  return new Error(`${path} ${what}; it was left as it is. Move it, or set DATA_DIR.`, { cause });
}

const isMissing = (path: string) => !existsSync(path) || statSync(path).size === 0;

/**
 * Refuses a file that is not ours by what stands in the header of its first page (SQLite file format,
 * section 1.3). A foreign file is never opened as a database, so that nothing is written into it or put
 * beside it. One that is missing or empty is nobody's.
 */
export function refuseForeign(path: string): void {
  if (isMissing(path)) return;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header);
  } finally {
    closeSync(file);
  }
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  const [version, application] = [header.readUInt32BE(60), header.readUInt32BE(68)];
  const isKnown = version === schemaVersion || version === versionBefore;
  if (!isDatabase || application !== applicationId || !isKnown) {
    throw toRefusal(path, 'is not a database of this service and version');
  }
}

/** Refuses a file that is not ours, then one that cannot be read. */
function checkOurs(path: string): void {
  refuseForeign(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.prepare('SELECT * FROM records LIMIT 1').get();
  } catch (error) {
    throw toRefusal(path, `cannot be read as a database (${(error as Error).message})`, error);
  } finally {
    database?.close();
  }
}

function prepare(database: DatabaseSync): DatabaseSync {
  database.exec(`PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000; PRAGMA cache_size = -${cacheKib};`);
  return database;
}

/** Makes the database beside its place and moves it there whole, so that no crash leaves half of one. */
function make(path: string): void {
  const draft = `${path}.new`;
  for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  const database = new DatabaseSync(draft);
  database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = FULL; BEGIN; ${schema} COMMIT;`);
  database.close();
  renameSync(draft, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * Opens the database of workspaces at `path`, or makes it: a write-ahead log that is flushed at every commit
 * (`synchronous = FULL`), pages freed by expiry given back a few at a time. A file of the version before is brought
 * up to this one in one transaction. Throws a plain message where the file is not ours by application_id and
 * user_version, or cannot be read; such a file is not changed.
 */
export function openDatabase(path: string): DatabaseSync {
  if (path === ':memory:') {
    const database = prepare(new DatabaseSync(path));
    database.exec(schema);
    return database;
  }
  try {
    if (isMissing(path)) make(path);
  } catch (error) {
    throw new Error(`${path} cannot be made (${(error as Error).message}).`, { cause: error });
  }
  checkOurs(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL');
    prepare(database);
    if (readPragma(database, 'user_version') === versionBefore) database.exec(migration);
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`${path} cannot be opened for writing (${(error as Error).message}).`, { cause: error });
  }
}
