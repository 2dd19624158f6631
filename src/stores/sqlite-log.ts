import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * SQLite applies any write-ahead log that lies beside a database file, even the log of another file. This destroys a
 * backup that was put in the place of that file. To prevent it, each transaction writes a stamp: a random id, and the
 * id of the transaction before it.
 *
 * A log belongs to a file if its first transaction names the id in that file. It also does if the file already has a
 * transaction of the log, because a checkpoint got that far.
 *
 * The stamp also has the schema version of the file. VACUUM INTO and the backup API change that version in the copy
 * (https://sqlite.org/pragma.html#pragma_schema_version), so a copy differs from its original. VACUUM changes it in the
 * file itself, and its log then has a first page with the new version.
 */

/**
 * Must be the first table of the file. Its only row is then on its own page, `stampPage`, which is looked for in the
 * log.
 */
export const stampTable = 'CREATE TABLE stamp (number INTEGER PRIMARY KEY, text TEXT NOT NULL);';
const stampPage = 3;
const idBytes = 16;
/** The id before the first transaction. */
const noId = '0'.repeat(2 * idBytes);
/** All stamps have the same length, so that each replaces the previous one in place. */
const stampShape = /stamp (\d{10}) ([0-9a-f]{32}) ([0-9a-f]{32})/;

interface Stamp {
  schemaVersion: number;
  previous: string;
  id: string;
}

function parseStamp(text: string): Stamp | undefined {
  const [, schemaVersion, previous = '', id = ''] = stampShape.exec(text) ?? [];
  return schemaVersion === undefined ? undefined : { schemaVersion: Number(schemaVersion), previous, id };
}

/**
 * Returns a function that writes a new stamp. Call it once in each transaction. It throws what SQLite throws. One
 * statement reads the schema version and the id before, and draws the new id.
 */
export function createStamper(database: DatabaseSync): () => void {
  const stampAfter = (previous: string) => `format('stamp %010d %s %s',
    (SELECT schema_version FROM pragma_schema_version), ${previous}, lower(hex(randomblob(${idBytes}))))`;
  const write = database.prepare(`INSERT INTO stamp (number, text) VALUES (1, ${stampAfter(`'${noId}'`)})
    ON CONFLICT DO UPDATE SET text = ${stampAfter(`substr(text, -${noId.length})`)}`);
  return () => void write.run();
}

/**
 * Stamps a file that was just opened and empties its log. No earlier backup then has the id that the next log follows.
 * A file that cannot be written stays as it is.
 */
export function stampAtStart(database: DatabaseSync): void {
  try {
    database.exec('BEGIN IMMEDIATE');
    createStamper(database)();
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

/**
 * Reads the stamp in a page of its table: a leaf of a b-tree with at most one cell (SQLite file format, section 1.6).
 */
function readStampPage(page: Buffer): Stamp | undefined {
  const isLeaf = page[0] === 0x0d;
  const cells = page.readUInt16BE(3);
  if (!isLeaf || cells !== 1) return undefined;
  const cell = page.readUInt16BE(8);
  return parseStamp(page.toString('latin1', cell));
}

/** Opens a file to read parts of it, or returns undefined if there is none. Call `close` at the end. */
function openFile(path: string) {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    /** Reads `length` bytes at an offset, or returns undefined if the file is shorter. */
    read(offset: number, length: number): Buffer | undefined {
      const bytes = Buffer.alloc(length);
      return readSync(file, bytes, 0, length, offset) === length ? bytes : undefined;
    },
    close: () => closeSync(file),
  };
}

/** The offset of the schema version in the first page (SQLite file format, section 1.3.9). */
const schemaVersionAt = 40;

/** Reads the id of the last transaction in a database file, and its schema version. Undefined without such a page. */
function readFileStamp(path: string, pageSize: number): { schemaVersion: number; id: string } | undefined {
  const file = openFile(path);
  try {
    const header = file?.read(0, 100);
    const page = file?.read((stampPage - 1) * pageSize, pageSize);
    if (!header || !page) return undefined;
    return { schemaVersion: header.readUInt32BE(schemaVersionAt), id: readStampPage(page)?.id ?? noId };
  } finally {
    file?.close();
  }
}

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

interface Log {
  pageSize: number;
  /** Oldest first. */
  stamps: Stamp[];
  /** The schema versions in its stamps and in its first pages. */
  schemaVersions: Set<number>;
}

/**
 * Reads which file a write-ahead log belongs to (SQLite file format, section 4). The frames of the current log have the
 * salts of its header. Frames of an earlier log may follow them.
 */
function readLog(path: string): Log | undefined {
  const log = openFile(path);
  try {
    const header = log?.read(0, logHeaderBytes);
    if (!log || !header) return undefined;
    const schemaVersions = new Set<number>();
    const pageSize = header.readUInt32BE(8);
    const salts = header.subarray(16, 24);
    const stamps: Stamp[] = [];
    for (let at = logHeaderBytes; at < log.size; at += frameHeaderBytes + pageSize) {
      const frame = log.read(at, frameHeaderBytes);
      if (!frame?.subarray(8, 16).equals(salts)) break;
      const number = frame.readUInt32BE(0);
      const page = number <= stampPage ? log.read(at + frameHeaderBytes, pageSize) : undefined;
      if (page && number === 1) schemaVersions.add(page.readUInt32BE(schemaVersionAt));
      const stamp = page && number === stampPage ? readStampPage(page) : undefined;
      if (!stamp) continue;
      stamps.push(stamp);
      schemaVersions.add(stamp.schemaVersion);
    }
    return { pageSize, stamps, schemaVersions };
  } finally {
    log?.close();
  }
}

/**
 * Throws a plain message if the log beside a database file belongs to another file. Reads both and changes neither.
 * Call it before SQLite opens the file, while no other process writes to it.
 */
export function refuseForeignLog(path: string): void {
  const logPath = `${path}-wal`;
  const log = readLog(logPath);
  const first = log?.stamps[0];
  if (!first) return;
  const file = readFileStamp(path, log.pageSize);
  const isKnown = file && [first.previous, ...log.stamps.map(({ id }) => id)].includes(file.id);
  if (isKnown && log.schemaVersions.has(file.schemaVersion)) return;
  const what = file ? 'do not belong together' : 'do not belong together: the first is missing or empty';
  throw new Error(
    `${path} and ${logPath} ${what}. The log was left by the database that was here before; both files were left as they are. To start with ${path}, move ${logPath} to another folder. To start with the database before, put that back in its place. To restore a backup: npm run restore -- FILE.`,
  );
}
