import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toSqliteFault } from './store-fault.ts';

/** Milliseconds in which one of two processes that start at once gives way. */
const patienceMs = 500;

/**
 * Makes a folder and those above it where they are missing. One by one: in a folder such as /proc, where none
 * can be made, the recursive way of Node never ends.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw new Error(`${folder} is no folder. Set DATA_DIR to one, or to where one can be made.`);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Who holds a folder, as that process wrote it; without it, some process. */
function toHolder(file: string): string {
  try {
    const { pid, host, since }: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    return `process ${Number(pid)} on host ${JSON.stringify(host)} since ${JSON.stringify(since)}`;
  } catch {
    return 'another process';
  }
}

/**
 * Holds `dataDir` for this process until the function it answers is called. The hold is a lock on
 * `lock.sqlite`, which the kernel drops with its process, however that ends, and which holds between
 * containers that share a volume; `holder.json` beside it only tells who holds it. Throws a plain message
 * where another process does, or another store of this one.
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
      `it is in use by ${toHolder(holder)}. Stop that one, give this one a DATA_DIR of its own, or set STORE_URL for several instances.`,
    );
  }
  const facts = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(holder, `${JSON.stringify(facts)}\n`);
  } catch {
    // A full disk, say: the hold is good without it.
  }
  return () => {
    try {
      rmSync(holder, { force: true });
    } catch {}
    lock.close();
  };
}
