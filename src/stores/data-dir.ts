import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toSqliteFault } from './store-fault.ts';

/** Milliseconds that a process waits for the lock if two start at once. */
const patienceMs = 500;

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
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Describes the process that holds a folder, as far as it wrote that down. */
function describeHolder(file: string): string {
  try {
    const { pid, host, since }: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    return `process ${Number(pid)} on host ${JSON.stringify(host)} since ${JSON.stringify(since)}`;
  } catch {
    return 'another process';
  }
}

/**
 * Holds `dataDir` for this process, and returns a function that releases it. The hold is a lock on `lock.sqlite`. The
 * kernel drops it when the process ends, and it works between containers that share a volume. `holder.json` only names
 * the holder. Throws a plain message if another process, or another store of this process, holds the folder.
 */
export function holdDataDir(dataDir: string): () => void {
  const holder = join(dataDir, 'holder.json');
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: patienceMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (toSqliteFault(error).word !== 'locked')
      throw new Error(`lock.sqlite in it cannot be locked: ${(error as Error).message}.`);
    throw new Error(
      `it is in use by ${describeHolder(holder)}. Stop that one, give this one a DATA_DIR of its own, or set STORE_URL for several instances.`,
    );
  }
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
