import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { openStore } from '../../src/stores/open-store.ts';
import { makeFolder } from './server.ts';

const { copyFileSync, linkSync, readdirSync, statSync } = fs;

/** Copies all files of a folder as they are now, as a kill of the process leaves them. */
function copyFolder(folder: string): string {
  const copy = makeFolder();
  /** The copies, by inode: two names of one file stay that. */
  const copies = new Map<number, string>();
  for (const file of readdirSync(folder)) {
    const { ino } = statSync(join(folder, file));
    const first = copies.get(ino);
    const target = join(copy, file);
    if (first) linkSync(first, target);
    else copyFileSync(join(folder, file), target);
    copies.set(ino, target);
  }
  return copy;
}

/** Calls `onStep` after each call of a method. Returns a function that ends this. */
function watch<T extends object>(owner: T, method: keyof T, onStep: () => void): () => void {
  const run = owner[method];
  const watched = function (this: unknown, ...values: unknown[]) {
    const result = (run as (...all: unknown[]) => unknown).apply(this, values);
    onStep();
    return result;
  };
  owner[method] = watched as T[keyof T];
  return () => {
    owner[method] = run;
  };
}

const fileSteps = ['copyFileSync', 'chmodSync', 'linkSync', 'renameSync', 'rmSync', 'fsyncSync'] as const;

/** Opens and closes the store in a folder. Returns what a kill leaves after each step that can change a file. */
export async function copyEachStep(dataDir: string): Promise<string[]> {
  const copies: string[] = [];
  const onStep = () => copies.push(copyFolder(dataDir));
  const ends = [
    ...fileSteps.map((method) => watch(fs, method, onStep)),
    watch(DatabaseSync.prototype, 'exec', onStep),
    watch(DatabaseSync.prototype, 'close', onStep),
    watch(StatementSync.prototype, 'run', onStep),
  ];
  syncBuiltinESMExports();
  try {
    await (await openStore({ url: '', dataDir })).close();
  } finally {
    for (const end of ends) end();
    syncBuiltinESMExports();
  }
  return copies;
}
