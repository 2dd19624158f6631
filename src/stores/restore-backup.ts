import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type BackupFacts,
  checkHeader,
  checkIntegrity,
  countWorkspaces,
  flush,
  readFacts,
  readKeyText,
  refuseFullDisk,
  removeFacts,
  toPlainError,
} from './backup-file.ts';
import { commandAdvice, databaseName, holdDataDir, keyName, lockName, makeFolder } from './data-dir.ts';
import { addName } from './rotate.ts';
import { refuseForeignLog } from './sqlite-log.ts';

const dayMs = 86_400_000;

interface RestoreRequest {
  dataDir: string;
  file: string;
  /** The release of this service. */
  release: string;
  now: number;
}

/** Who owns the files of a folder, and who may read them. */
interface Ownership {
  uid: number;
  gid: number;
  mode: number;
}

/** What a restore did. */
export interface RestoreResult {
  workspaces: number;
  /** Milliseconds since the epoch: when the backup was made, and until when its workspaces live at least. */
  madeAt: number;
  livesUntil: number;
  key: 'none' | 'same' | 'restored';
  /** The files that were replaced, under their new names. */
  before: string[];
}

/** Whether one release, such as 1.10.0, is later than another. */
function isLater(release: string, than: string): boolean {
  return release.localeCompare(than, 'en', { numeric: true }) > 0;
}

/** Checks a file as far as it can be checked before it is copied. */
function refuseWrongFile(file: string, dataDir: string): void {
  checkHeader(file);
  refuseForeignLog(file);
  if (statSync(file).ino === statSync(join(dataDir, databaseName), { throwIfNoEntry: false })?.ino)
    throw new Error(`${file} is the database in DATA_DIR itself. Name a backup.`);
}

function refuseLaterRelease(file: string, { release }: BackupFacts, own: string): void {
  if (release === undefined || !isLater(release, own)) return;
  throw new Error(
    `${file} was made by release ${release}, and this is ${own}, which may not know all that is in it. Restore it with release ${release} or later.`,
  );
}

/**
 * Lets everything that had not expired when the backup was made live until a time. Times in records, such as the end of
 * a link, stay.
 */
function extendLives(database: DatabaseSync, madeAt: number, until: number): void {
  database
    .prepare(
      `UPDATE workspaces SET expires_at = ?1, head = json_set(head, '$.expiresAt', ?1)
      WHERE hash IS NOT NULL AND expires_at > ?2 AND expires_at < ?1`,
    )
    .run(until, madeAt);
  for (const table of ['replies', 'tokens'])
    database
      .prepare(`UPDATE ${table} SET expires_at = ?1 WHERE expires_at > ?2 AND expires_at < ?1`)
      .run(until, madeAt);
}

/** Copies a backup to `draft` with its log, if it has one, and checks the copy. Returns what the backup says. */
function copyToDraft(draft: string, request: RestoreRequest) {
  const { file, release, now } = request;
  refuseFullDisk(draft, statSync(file).size);
  for (const suffix of ['', '-wal']) {
    if (!existsSync(file + suffix)) continue;
    copyFileSync(file + suffix, draft + suffix);
    chmodSync(draft + suffix, 0o600);
  }
  const database = new DatabaseSync(draft);
  try {
    checkIntegrity(database, file);
    const facts = readFacts(database);
    refuseLaterRelease(file, facts, release);
    // The draft is written again from the start after a crash, and flushed at the end.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
    const madeAt = facts.madeAt ?? Math.floor(statSync(file).mtimeMs);
    removeFacts(database);
    extendLives(database, madeAt, now + dayMs);
    return { signingKey: facts.signingKey, madeAt, workspaces: countWorkspaces(database, now) };
  } finally {
    database.close();
  }
}

/** Finds who owns the data: the owner of the file that is replaced, or of the folder. */
function findOwnership(dataDir: string): Ownership {
  const file = statSync(join(dataDir, databaseName), { throwIfNoEntry: false });
  const { uid, gid } = file ?? statSync(dataDir);
  return { uid, gid, mode: file ? file.mode & 0o777 : 0o600 };
}

function giveTo({ uid, gid }: Ownership, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || (stat.uid === uid && stat.gid === gid)) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    throw new Error(
      `The data belong to user ${uid} and group ${gid}, and this process may not give them a file. Run this as that user, or as root.`,
    );
  }
}

/** Keeps a file and its log under a new name, and returns that. The file keeps its old name too. */
function keepBefore(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const inode = statSync(path).ino;
  let name = `${path}.before`;
  for (let number = 2; existsSync(name) && statSync(name).ino !== inode; number += 1)
    name = `${path}.before-${number}`;
  addName(path, name);
  if (existsSync(`${path}-wal`)) addName(`${path}-wal`, `${name}-wal`);
  return name;
}

interface KeyResult {
  key: RestoreResult['key'];
  /** The key that was replaced, under its new name. */
  oldKey?: string | undefined;
}

function restoreKey(dataDir: string, key: string | undefined, ownership: Ownership): KeyResult {
  if (key === undefined) return { key: 'none' };
  const path = join(dataDir, keyName);
  if (readKeyText(path) === key) return { key: 'same' };
  const draft = `${path}.restoring`;
  rmSync(draft, { force: true });
  writeFileSync(draft, key, { mode: 0o600, flag: 'wx', flush: true });
  giveTo(ownership, draft);
  const oldKey = keepBefore(path);
  renameSync(draft, path);
  return { key: 'restored', oldKey };
}

/**
 * Puts a draft in the place of the database, and keeps the old one under another name. If this is killed before the
 * rename, nothing has changed. If it is killed after it, the old log is still there, and the service does not start.
 */
function putInPlace(dataDir: string, draft: string): string | undefined {
  const path = join(dataDir, databaseName);
  const before = keepBefore(path);
  renameSync(draft, path);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  flush(dataDir);
  return before;
}

function restoreHeld(request: RestoreRequest): RestoreResult {
  const { dataDir, file, now } = request;
  const ownership = findOwnership(dataDir);
  const draft = join(dataDir, `${databaseName}.restoring`);
  const removeDraft = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  };
  removeDraft();
  try {
    refuseWrongFile(file, dataDir);
    const { signingKey, madeAt, workspaces } = copyToDraft(draft, request);
    giveTo(ownership, draft);
    giveTo(ownership, join(dataDir, lockName));
    chmodSync(draft, ownership.mode);
    flush(draft);
    const { key, oldKey } = restoreKey(dataDir, signingKey, ownership);
    const before = [putInPlace(dataDir, draft), oldKey].filter((name) => name !== undefined);
    return { workspaces, madeAt, livesUntil: now + dayMs, key, before };
  } catch (error) {
    throw toPlainError(error, draft);
  } finally {
    removeDraft();
  }
}

/**
 * Restores a backup, or another copy of `workspaces.sqlite`, into `dataDir`, which is created if it is missing. What
 * lived when the backup was made lives for at least one more day.
 *
 * Throws a plain message, and has changed nothing then, if the service runs, or if the file is damaged or of another
 * release.
 */
export function restoreBackup(request: RestoreRequest): RestoreResult {
  const { dataDir, file } = request;
  checkHeader(file);
  makeFolder(dataDir);
  let release: () => void;
  try {
    release = holdDataDir(dataDir, commandAdvice);
  } catch (error) {
    throw new Error(`DATA_DIR is ${dataDir}, where nothing was changed: ${(error as Error).message}`);
  }
  try {
    return restoreHeld(request);
  } finally {
    release();
  }
}
