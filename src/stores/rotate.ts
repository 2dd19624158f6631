import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFormat } from './sqlite-file.ts';

/** Whether two paths lead to one file. */
export const isSameFile = (path: string, other: string): boolean => {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
};

/** Lists `path`.1, `path`.2 and so on, as far as they exist in a row. */
function listOlder(path: string): string[] {
  const older: string[] = [];
  for (let number = 1; existsSync(`${path}.${number}`); number += 1) older.push(`${path}.${number}`);
  return older;
}

/**
 * Throws a plain message if `path`, or one of the older files beside it, is not a backup. Rotation would rename or
 * delete it. `database` is the file that is backed up. Any other file with a log beside it is a database in use too.
 */
export function refuseOtherFiles(path: string, database: string): void {
  for (const file of [path, ...listOlder(path)]) {
    if (!existsSync(file)) continue;
    if (statSync(file).isDirectory())
      throw new Error(`${file} is a folder. Name a file in it, such as ${join(file, 'careers.backup')}.`);
    if (existsSync(`${file}-wal`) || isSameFile(file, database))
      throw new Error(`${file} is a database in use, and was left as it is. Name another file.`);
    if (!statSync(file).isFile() || readFormat(file) === undefined)
      throw new Error(`${file} is there, is no backup, and was left as it is. Name another file.`);
  }
}

/** Copies a file, and leaves no part of the copy if that fails. */
function copyWhole(path: string, name: string): void {
  try {
    copyFileSync(path, name, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(name, { force: true });
    throw error;
  }
}

/** Gives a file a second name in the same folder. Copies it if the file system has no links. */
export function addName(path: string, name: string): void {
  if (isSameFile(path, name)) return;
  try {
    linkSync(path, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyWhole(path, name);
  }
}

/**
 * Puts the file `draft` at `path`. What was there becomes `path`.1, that before it `path`.2, and so on. At most `keep` of
 * these older files stay. There is a whole file at `path` at any moment, if there was one before. Returns the older
 * files, newest first.
 */
export function rotateTo(path: string, draft: string, keep: number): string[] {
  // A rotation that was killed may have left two names for one file.
  if (isSameFile(path, `${path}.1`)) rmSync(`${path}.1`);
  if (keep > 0 && existsSync(path)) {
    for (let number = listOlder(path).length; number > 0; number -= 1)
      renameSync(`${path}.${number}`, `${path}.${number + 1}`);
    addName(path, `${path}.1`);
  }
  renameSync(draft, path);
  const older = listOlder(path);
  for (const file of older.slice(keep)) rmSync(file);
  return older.slice(0, keep);
}
