import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  countWorkspaces,
  findDamage,
  flush,
  openUnchanging,
  readKeyText,
  refuseFullDisk,
  toPlainError,
  writeFacts,
} from './backup-file.ts';
import { addSeal } from './backup-seal.ts';
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

const toDatabasePath = (dataDir: string) => join(dataDir, databaseName);

const createSourceDamage = (dataDir: string, reason: string | undefined) =>
  new Error(
    `${toDatabasePath(dataDir)} is damaged (${reason}), so it was not backed up. Stop the service, and restore the last backup: npm run restore -- FILE`,
  );

/** Reads the data of the service. Throws a plain message that names the folder if that fails. */
function readData<T>(dataDir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: string; errcode?: number };
    const word = errcode === undefined ? undefined : toSqliteFault(error).word;
    if (word === 'locked') throw new Error('Another program locks the database. End it, and run this again.');
    if (word === 'corrupt') throw createSourceDamage(dataDir, message);
    if (code === undefined && errcode === undefined) throw error;
    throw new Error(
      `${dataDir} cannot be read (${message}). Run this as the user of the service, or as root.`,
    );
  }
}

/**
 * Opens the database of a folder to read it as it is now. It may be in use. The open transaction keeps it like that for
 * this reader. Otherwise each write of the service would begin the copy again.
 */
function openSource(dataDir: string): DatabaseSync {
  const path = toDatabasePath(dataDir);
  if (!existsSync(path))
    throw new Error(
      `${path} is not there. Set DATA_DIR to the folder of the service, as the service has it.`,
    );
  refuseForeignFile(path);
  refuseForeignLogAtRest(dataDir, path);
  const source = new DatabaseSync(path, { readOnly: true, timeout: patienceMs });
  source.exec('BEGIN');
  return source;
}

/** Returns the size of a database, in bytes. */
function measureDatabase(source: DatabaseSync): number {
  const bytes = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
  return Number(source.prepare(bytes).get()!.bytes);
}

/** Adds the facts to a copy, turns its log off, and seals it. Returns whether the facts have a signing key. */
function addFacts(draft: string, { dataDir, release, now }: BackupRequest): boolean {
  const signingKey = readData(dataDir, () => readKeyText(join(dataDir, keyName)));
  const copy = new DatabaseSync(draft);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const key = signingKey !== undefined && { signingKey };
    writeFacts(copy, { release, madeAt: now, isSealed: true, ...key });
  } finally {
    copy.close();
  }
  addSeal(draft);
  flush(draft);
  return signingKey !== undefined;
}

/** Checks a copy on disk: every page, and that it has as many workspaces as its source. */
function checkCopy(draft: string, workspaces: number, { dataDir, now }: BackupRequest): void {
  const copy = openUnchanging(draft);
  try {
    const damage = findDamage(copy);
    if (damage !== undefined) throw createSourceDamage(dataDir, damage);
    const copied = countWorkspaces(copy, now);
    if (copied === workspaces) return;
    throw new Error(
      `${draft} has ${copied} of ${workspaces} workspaces. Check its disk, and run this again.`,
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
  if (/^workspaces\.sqlite(-wal|-shm|-journal)?$/.test(basename(file)))
    throw new Error(`${file} has the name of a database in use. Name the backup otherwise.`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(
      `This user may not write to ${folder}. Give it the right to, or name a file in another folder.`,
    );
  }
}

/** Returns the path of the file that a link names, so that the file is replaced and the link stays. */
function followLink(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink && existsSync(file) ? realpathSync(file) : file;
}

/** Locks a backup. Throws a plain message if another process is making it. */
function lockBackup(file: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = lockFile(`${file}.lock`);
  } catch (error) {
    throw toPlainError(error, file);
  }
  if (!lock) throw new Error(`Another backup to ${file} is being made. Wait until it has ended.`);
  return lock;
}

/**
 * Writes a backup of the workspaces in `dataDir`, with the signing key of the folder, while the service runs or not. It
 * is checked before it gets its name, so that `file` is always a whole backup. Backups that were there are rotated.
 *
 * Rejects with a plain message. What was at `file` before is then still there.
 */
export async function writeBackup(request: BackupRequest) {
  const { dataDir, keep, now, storeFree } = request;
  const file = followLink(request.file);
  refuseFolder(file);
  refuseOtherFiles(file, toDatabasePath(dataDir));
  const lock = lockBackup(file);
  const draft = `${file}.part`;
  try {
    // A backup that was killed leaves this file, and no other.
    rmSync(draft, { force: true });
    const source = readData(dataDir, () => openSource(dataDir));
    try {
      const workspaces = readData(dataDir, () => countWorkspaces(source, now));
      const isSameDisk = statSync(dirname(file)).dev === statSync(dataDir).dev;
      refuseFullDisk(file, measureDatabase(source) + factsBytes, isSameDisk ? storeFree : 0);
      await copyTo(draft, source);
      const hasKey = addFacts(draft, request);
      checkCopy(draft, workspaces, request);
      const older = rotateTo(file, draft, keep);
      flush(dirname(file));
      return { workspaces, hasKey, bytes: statSync(file).size, older };
    } finally {
      source.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    rmSync(`${draft}-journal`, { force: true });
    throw toPlainError(error, file);
  } finally {
    rmSync(`${file}.lock`, { force: true });
    lock.close();
  }
}
