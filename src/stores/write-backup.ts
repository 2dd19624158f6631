import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  checkIntegrity,
  countWorkspaces,
  flush,
  openUnchanging,
  readKeyText,
  refuseFullDisk,
  toPlainError,
  writeFacts,
} from './backup-file.ts';
import { databaseName, keyName, lockFile, lockName } from './data-dir.ts';
import { refuseOtherFiles, rotateTo } from './rotate.ts';
import { refuseForeignFile } from './sqlite-file.ts';
import { refuseForeignLog } from './sqlite-log.ts';
import { toSqliteFault } from './store-fault.ts';

/** Pages that are copied in one turn. */
const pagesAtOnce = 2000;
/** Milliseconds to wait for a lock of another program. */
const patienceMs = 5000;
/** The facts and the signing key take at most this many bytes. */
const factsBytes = 131_072;

interface BackupRequest {
  dataDir: string;
  file: string;
  /** How many older backups stay beside it. */
  keep: number;
  release: string;
  now: number;
  /** Bytes that stay free on the disk of `dataDir`. */
  storeFree: number;
}

/** Throws a plain message if the log in a folder is that of another database. A running service has checked its own. */
function refuseForeignLogAtRest(dataDir: string, path: string): void {
  const lockPath = join(dataDir, lockName);
  const hasLock = existsSync(lockPath);
  const lock = hasLock ? lockFile(lockPath) : undefined;
  if (hasLock && !lock) return;
  try {
    refuseForeignLog(path);
  } finally {
    lock?.close();
  }
}

/** Opens the database of a folder to read it. It may be in use. */
function openSource(dataDir: string): DatabaseSync {
  const path = join(dataDir, databaseName);
  if (!existsSync(path))
    throw new Error(
      `${path} is not there. Set DATA_DIR to the folder of the service, as the service has it.`,
    );
  refuseForeignFile(path);
  refuseForeignLogAtRest(dataDir, path);
  return new DatabaseSync(path, { readOnly: true, timeout: patienceMs });
}

/** Returns the size of a database, in bytes. */
function measureDatabase(source: DatabaseSync): number {
  const bytes = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
  return Number(source.prepare(bytes).get()!.bytes);
}

/** Adds the facts to a copy, and turns its log off. Returns whether the facts have a signing key. */
function addFacts(draft: string, { dataDir, release, now }: BackupRequest): boolean {
  const signingKey = readKeyText(join(dataDir, keyName));
  const copy = new DatabaseSync(draft);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    writeFacts(copy, { release, madeAt: now, ...(signingKey !== undefined && { signingKey }) });
  } finally {
    copy.close();
  }
  flush(draft);
  return signingKey !== undefined;
}

/** Checks a copy on disk: every page, and that it has as many workspaces as its source. */
function checkCopy(draft: string, workspaces: number, now: number): void {
  const copy = openUnchanging(draft);
  try {
    checkIntegrity(copy, draft);
    const found = countWorkspaces(copy, now);
    if (found === workspaces) return;
    throw new Error(
      `${draft} has ${found} of ${workspaces} workspaces. Look at its disk, and run this again.`,
    );
  } finally {
    copy.close();
  }
}

/** Copies the database as it is at one moment. The service goes on writing to it. */
async function copyTo(draft: string, source: DatabaseSync): Promise<void> {
  closeSync(openSync(draft, 'wx', 0o600));
  await backup(source, draft, { rate: pagesAtOnce });
  chmodSync(draft, 0o600);
}

function refuseFolder(file: string): void {
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is no folder. Make it, or name a file in another one.`);
  if (basename(file) === databaseName)
    throw new Error(`${file} has the name of a database in use. Give the backup another name.`);
}

/**
 * Writes a backup of the workspaces in `dataDir`, with the signing key of the folder, while the service runs or not. It
 * is checked before it gets its name, so that `file` is always a whole backup. Backups that were there are rotated.
 *
 * Rejects with a plain message. What was at `file` before is then still there.
 */
export async function writeBackup(request: BackupRequest) {
  const { dataDir, file, keep, now, storeFree } = request;
  refuseFolder(file);
  refuseOtherFiles(file);
  const lock = lockFile(`${file}.lock`);
  if (!lock) throw new Error(`Another backup to ${file} is being made. Wait until it has ended.`);
  const draft = `${file}.part`;
  try {
    // A backup that was killed leaves this file, and no other.
    rmSync(draft, { force: true });
    const source = openSource(dataDir);
    try {
      // Keeps the source as it is for this reader. Otherwise each write of the service would begin the copy again.
      source.exec('BEGIN');
      const workspaces = countWorkspaces(source, now);
      const isSameDisk = statSync(dirname(file)).dev === statSync(dataDir).dev;
      refuseFullDisk(file, measureDatabase(source) + factsBytes, isSameDisk ? storeFree : 0);
      await copyTo(draft, source);
      const hasKey = addFacts(draft, request);
      checkCopy(draft, workspaces, now);
      const older = rotateTo(file, draft, keep);
      flush(dirname(file));
      return { workspaces, hasKey, bytes: statSync(file).size, older };
    } finally {
      source.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    rmSync(`${draft}-journal`, { force: true });
    throw toBackupError(error, file);
  } finally {
    rmSync(`${file}.lock`, { force: true });
    lock.close();
  }
}

/** Converts an error of a backup into one plain sentence. */
function toBackupError(error: unknown, file: string): Error {
  const { errcode } = error as { errcode?: number };
  const word = errcode === undefined ? undefined : toSqliteFault(error).word;
  if (word === 'locked') return new Error('Another program locks the database. End it, and run this again.');
  return toPlainError(error, file);
}
