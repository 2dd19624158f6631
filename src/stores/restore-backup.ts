import {
  chmodSync,
  copyFileSync,
  existsSync,
  realpathSync,
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
  countWorkspaces,
  createDamage,
  findDamage,
  flush,
  readFacts,
  readKeyText,
  refuseFullDisk,
  removeFacts,
  toPlainError,
} from './backup-file.ts';
import { checkSeal, removeSeal } from './backup-seal.ts';
import {
  commandAdvice,
  databaseName,
  draftName,
  holdDataDir,
  keyDraftName,
  keyName,
  lockName,
  makeFolder,
} from './data-dir.ts';
import { type FileOwner, findFileOwner, giveTo, keepAs } from './replace-file.ts';
import { isSameFile } from './rotate.ts';
import { refuseForeignLog } from './sqlite-log.ts';
import { upgradeDatabase } from './upgrade-database.ts';

const dayMs = 86_400_000;

interface RestoreRequest {
  dataDir: string;
  file: string;
  /** The release of this service. */
  release: string;
  now: number;
}

/** What a restore did. */
export interface RestoreResult {
  workspaces: number;
  /** When the backup was made, in milliseconds since the epoch. */
  madeAt: number;
  /** Until when its workspaces are kept at least, in milliseconds since the epoch. */
  keptUntil: number;
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
  if (isSameFile(file, join(dataDir, databaseName)))
    throw new Error(`${file} is the database in DATA_DIR itself. Name a backup.`);
}

function refuseLaterRelease(file: string, { release }: BackupFacts, own: string): void {
  if (release === undefined || !isLater(release, own)) return;
  throw new Error(
    `${file} was made by release ${release}, and this is ${own}, which may not know all that is in it. Restore it with release ${release} or later.`,
  );
}

/**
 * Keeps everything that had not expired when the backup was made until a time. Times in records, such as the end of a
 * link, stay.
 */
function extendExpiry(database: DatabaseSync, madeAt: number, until: number): void {
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

/** Throws a plain message if a page of a copy is damaged, or the head of a workspace. */
function refuseDamage(database: DatabaseSync, file: string): void {
  const damage = findDamage(database);
  if (damage !== undefined) throw createDamage(file, damage);
  const find = 'SELECT number FROM workspaces WHERE hash IS NOT NULL AND NOT json_valid(head) LIMIT 1';
  const wrong = database.prepare(find).get();
  if (wrong) throw createDamage(file, `workspace ${wrong.number} is no JSON`);
}

/**
 * Copies a backup to `draft` with its log, if it has one, checks the copy and upgrades it. Returns what the
 * backup says.
 */
function copyToDraft(draft: string, request: RestoreRequest) {
  const { file, release, now } = request;
  refuseFullDisk(draft, statSync(file).size);
  for (const suffix of ['', '-wal']) {
    if (!existsSync(file + suffix)) continue;
    copyFileSync(file + suffix, draft + suffix);
    chmodSync(draft + suffix, 0o600);
  }
  const seal = checkSeal(draft);
  if (seal === 'wrong') throw createDamage(file, 'its bytes are not those that were written');
  removeSeal(draft);
  const database = new DatabaseSync(draft);
  try {
    refuseDamage(database, file);
    const facts = readFacts(database);
    if (facts.isSealed && seal === 'none') throw createDamage(file, 'its end is missing');
    refuseLaterRelease(file, facts, release);
    // The draft is written again from the start after a crash, and flushed at the end.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
    const madeAt = facts.madeAt ?? Math.floor(statSync(file).mtimeMs);
    removeFacts(database);
    upgradeDatabase(database);
    extendExpiry(database, madeAt, now + dayMs);
    return { signingKey: facts.signingKey, madeAt, workspaces: countWorkspaces(database, now) };
  } finally {
    database.close();
  }
}

/**
 * Writes the key of a backup beside the one in use, if they differ. The service does not start while this draft is
 * there, so that it never runs with the workspaces of one and the key of another.
 */
function draftKey(dataDir: string, key: string | undefined, ownership: FileOwner): RestoreResult['key'] {
  const draft = join(dataDir, keyDraftName);
  rmSync(draft, { force: true });
  if (key === undefined) return 'none';
  if (readKeyText(join(dataDir, keyName)) === key) return 'same';
  writeFileSync(draft, key, { mode: 0o600, flag: 'wx', flush: true });
  giveTo(ownership, draft);
  return 'restored';
}

/** Puts the draft of the key in its place. The key before is kept under another name, which is returned. */
function putKeyInPlace(dataDir: string): string | undefined {
  const path = join(dataDir, keyName);
  const before = keepAs(path, 'before');
  renameSync(join(dataDir, keyDraftName), path);
  flush(dataDir);
  return before;
}

/**
 * Puts a draft in the place of the database, and keeps the old one under another name. If this is killed before the
 * rename, nothing has changed. If it is killed after it, the old log is still there, and the service does not start.
 */
function putInPlace(dataDir: string, draft: string): string | undefined {
  const path = join(dataDir, databaseName);
  const before = keepAs(path, 'before');
  renameSync(draft, path);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  flush(dataDir);
  return before;
}

function restoreHeld(request: RestoreRequest): RestoreResult {
  const { dataDir, file, now } = request;
  const ownership = findFileOwner(join(dataDir, databaseName));
  const draft = join(dataDir, draftName);
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
    const key = draftKey(dataDir, signingKey, ownership);
    const old = [putInPlace(dataDir, draft), key === 'restored' ? putKeyInPlace(dataDir) : undefined];
    const before = old.filter((name) => name !== undefined);
    return { workspaces, madeAt, keptUntil: now + dayMs, key, before };
  } catch (error) {
    const isReplaced = !existsSync(draft);
    if (!isReplaced) rmSync(join(dataDir, keyDraftName), { force: true });
    throw toPlainError(error, draft);
  } finally {
    removeDraft();
  }
}

/**
 * Restores a backup, or another copy of `workspaces.sqlite`, into `dataDir`, which is created if it is missing. Keeps
 * whatever had not expired when the backup was made for at least one more day.
 *
 * Throws a plain message, and has changed nothing then, if the service runs, or if the file is damaged or of another
 * release.
 */
export function restoreBackup(request: RestoreRequest): RestoreResult {
  const { dataDir } = request;
  checkHeader(request.file);
  // The log of a database lies beside the file itself, not beside a link to it.
  const file = realpathSync(request.file);
  let release: () => void;
  try {
    makeFolder(dataDir);
    release = holdDataDir(dataDir, commandAdvice);
  } catch (error) {
    throw new Error(`DATA_DIR is ${dataDir}, where nothing was changed: ${(error as Error).message}`);
  }
  try {
    return restoreHeld({ ...request, file });
  } finally {
    release();
  }
}
