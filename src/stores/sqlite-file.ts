import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { moveIntoPlace } from './data-dir.ts';
import { migrate, versionsBefore } from './sqlite-migration.ts';
import { schema, schemaVersion } from './sqlite-schema.ts';

/** "CPS1" in ASCII: marks a database file as ours (SQLite PRAGMA application_id). */
const applicationId = 0x43505331;
/** KiB of pages held in memory; more are the operating system's to cache. */
const cacheKib = 24576;

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
  const isKnown = version === schemaVersion || versionsBefore.includes(version);
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
  database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = FULL; PRAGMA application_id = ${applicationId};
    BEGIN; ${schema} COMMIT;`);
  database.close();
  moveIntoPlace(draft, path);
}

/**
 * Opens the database of workspaces at `path`, or makes it: a write-ahead log that is flushed at every commit
 * (`synchronous = FULL`), pages freed by expiry given back a few at a time. A file of a version before is brought
 * up to this one, each version in one transaction. Throws a plain message where the file is not ours by
 * application_id and user_version, or cannot be read; such a file is not changed.
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
    const version = readPragma(database, 'user_version');
    if (version !== schemaVersion) migrate(database, version);
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`${path} cannot be opened for writing (${(error as Error).message}).`, { cause: error });
  }
}
