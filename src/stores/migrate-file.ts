import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findDamage, flush, refuseFullDisk, toPlainError } from './backup-file.ts';
import { findFileOwner, giveTo, keepAs } from './replace-file.ts';
import { isSameFile } from './rotate.ts';
import { findFileFormat, format } from './sqlite-file.ts';
import { refuseForeignLog } from './sqlite-log.ts';
import { upgradeDatabase } from './upgrade-database.ts';

/** Milliseconds that the file of the older format is kept. */
const keptMs = 7 * 86_400_000;

/** What a migration did. */
interface Migration {
  /** The format before. */
  from: number;
  /** Where the file of that format is now. */
  copy: string;
}

const toDraftPath = (path: string) => `${path}.migrating`;

function removeDraft(draft: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
}

/** Throws a plain message if the disk has no room for a second file. */
export function refuseNoRoom(path: string): void {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  refuseFullDisk(
    toDraftPath(path),
    sizes.reduce((sum, size) => sum + size),
  );
}

/** Copies a database and its log to `draft`, checks the copy, and upgrades it. */
function writeDraft(path: string, draft: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, draft + suffix, constants.COPYFILE_FICLONE);
  for (const suffix of ['', '-wal']) if (existsSync(draft + suffix)) chmodSync(draft + suffix, 0o600);
  const database = new DatabaseSync(draft);
  try {
    const damage = findDamage(database);
    if (damage !== undefined)
      throw new Error(`it is damaged (${damage}). Restore a backup: npm run restore -- FILE.`);
    // The draft is written again from the start after a crash, and flushed at the end.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
    upgradeDatabase(database);
  } finally {
    database.close();
  }
}

/** Moves the log of a database into it. Otherwise SQLite would apply the log to the file that takes its place. */
function foldLog(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  if (existsSync(`${path}-wal`)) throw new Error('another program uses it. End that program.');
}

/** Puts the draft in the place of the database, which keeps another name. Returns that name. */
function replaceWithDraft(path: string, draft: string, from: number): string {
  const ownership = findFileOwner(path);
  giveTo(ownership, draft);
  chmodSync(draft, ownership.mode);
  flush(draft);
  foldLog(path);
  const copy = keepAs(path, `format-${from}`)!;
  renameSync(draft, path);
  flush(dirname(path));
  return copy;
}

/**
 * Migrates a database file of an older format to that of this release. Returns undefined if there is none at `path`. The
 * caller must hold its folder.
 *
 * A copy of the file is upgraded and then takes its place, in one rename. The file itself keeps its content, under another
 * name. Until the rename the file is as it was: another start after a kill begins again. If anything fails, throws a plain
 * message.
 */
export function migrateFile(path: string): Migration | undefined {
  const found = findFileFormat(path);
  if (found?.age !== 'older') return undefined;
  // The log of a database lies beside the file itself, not beside a link to it.
  const file = realpathSync(path);
  const draft = toDraftPath(file);
  removeDraft(draft);
  try {
    refuseForeignLog(file);
    refuseNoRoom(file);
    writeDraft(file, draft);
    return { from: found.version, copy: replaceWithDraft(file, draft, found.version) };
  } catch (error) {
    const { message } = toPlainError(error, draft);
    throw new Error(
      `${path} has format ${found.version}, could not be migrated to ${format}, and was left as it is: ${message}`,
      { cause: error },
    );
  } finally {
    removeDraft(draft);
  }
}

/** Deletes the files that a migration kept, seven days after it. Returns their names. */
export function deleteOldCopies(path: string, now: number): string[] {
  if (!existsSync(path)) return [];
  const file = realpathSync(path);
  const prefix = `${basename(file)}.format-`;
  const isOld = (name: string) => name.startsWith(prefix) && /^\d+(-\d+)?$/.test(name.slice(prefix.length));
  const copies = readdirSync(dirname(file))
    .filter(isOld)
    .map((name) => join(dirname(file), name))
    // The migration set the change time of the file: it gave the file another name.
    .filter((copy) => !isSameFile(copy, file) && statSync(copy).ctimeMs <= now - keptMs);
  for (const copy of copies) rmSync(copy, { force: true });
  return copies;
}
