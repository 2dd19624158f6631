import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toSqliteFault } from './store-fault.ts';

/** Milliseconds that a process waits for the lock if two start at once. */
const patienceMs = 500;
/** The file in a folder whose lock holds the folder. */
export const lockName = 'lock.sqlite';
/** The file in a folder with all workspaces. */
export const databaseName = 'workspaces.sqlite';
/** The file in a folder with the signing key that the service made. */
export const keyName = 'signing-key.pem';
/** What a restore writes before it replaces anything: the workspaces, and the key if it is another one. */
export const draftName = `${databaseName}.restoring`;
export const keyDraftName = `${keyName}.restoring`;

/** Throws a plain message if a restore ended while it replaced the files of a folder. */
export function refuseHalfRestore(dataDir: string): void {
  const path = join(dataDir, keyDraftName);
  if (!existsSync(path)) return;
  throw new Error(
    `a restore ended before it was done, and left ${path}. Run it again: npm run restore -- FILE. To start with the workspaces and the key that are there, delete that file.`,
  );
}

/** Returns what to do about the draft of a restore that ended before it replaced anything, if there is one. */
export function describeLeftDraft(dataDir: string): string | undefined {
  const path = join(dataDir, draftName);
  if (!existsSync(path)) return undefined;
  return `A restore ended before it replaced anything, and left ${path}. Stop the service and run it again (npm run restore -- FILE), or delete that file.`;
}

/**
 * Creates a folder and the missing folders above it, one by one. The recursive `mkdir` of Node never returns in a
 * folder such as /proc.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return;
  if (stat) throw new Error(`${folder} is no folder. Set DATA_DIR to one, or to where one can be made.`);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  if (lstatSync(folder, { throwIfNoEntry: false }))
    throw new Error(`${folder} is a link to a folder that is not there. Make that folder, or set DATA_DIR.`);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Describes the process that holds a folder, by the file that it wrote there. */
function describeHolder(file: string): string {
  try {
    const { pid, host, since }: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    return `process ${Number(pid)} on host ${JSON.stringify(host)} since ${JSON.stringify(since)}`;
  } catch {
    return 'another process';
  }
}

/**
 * Locks a file, which is created if it is missing, until the returned connection is closed or the process ends. Returns
 * undefined if another process, or another connection of this one, has the lock for `ms` milliseconds.
 */
export function lockFile(path: string, ms = 0): DatabaseSync | undefined {
  const lock = new DatabaseSync(path, { timeout: ms });
  try {
    // A journal on disk needs room, and a service must start on a full disk.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (toSqliteFault(error).word === 'locked') return undefined;
    throw error;
  }
}

/** What to do if another process holds the folder: for the service, and for a command that needs it stopped. */
const serviceAdvice =
  'Stop that one, give this one a DATA_DIR of its own, or set STORE_URL for several instances.';
export const commandAdvice = 'Stop it, and run this again. The service does not start while this runs.';

/**
 * Holds `dataDir` for this process, and returns a function that releases it. The hold is a lock on `lock.sqlite`. The
 * kernel drops it when the process ends, and it works between containers that share a volume. `holder.json` only names
 * the holder. Throws a plain message, with `advice`, if another process or another store of this process holds it.
 */
export function holdDataDir(dataDir: string, advice = serviceAdvice): () => void {
  const holder = join(dataDir, 'holder.json');
  const lock = openLock(dataDir);
  if (!lock) throw new Error(`it is in use by ${describeHolder(holder)}. ${advice}`);
  const facts = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(holder, `${JSON.stringify(facts)}\n`);
  } catch {
    // The disk may be full. The lock holds without this file.
  }
  return () => {
    try {
      rmSync(holder, { force: true });
    } catch {}
    lock.close();
  };
}

function openLock(dataDir: string): DatabaseSync | undefined {
  try {
    return lockFile(join(dataDir, lockName), patienceMs);
  } catch (error) {
    throw new Error(`${lockName} in it cannot be locked: ${(error as Error).message}.`);
  }
}
