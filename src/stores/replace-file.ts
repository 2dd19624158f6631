import { chownSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { addName } from './rotate.ts';

/** Who owns the files of a folder, and who may read them. */
export interface FileOwner {
  uid: number;
  gid: number;
  mode: number;
}

/** Finds who owns the data: the owner of the file that is replaced, or of its folder. */
export function findFileOwner(path: string): FileOwner {
  const file = statSync(path, { throwIfNoEntry: false });
  const { uid, gid } = file ?? statSync(dirname(path));
  return { uid, gid, mode: file ? file.mode & 0o777 : 0o600 };
}

/** Gives a file to the owner of the data. If the group has no rights, the owner may run this without being in it. */
export function giveTo({ uid, gid, mode }: FileOwner, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || (stat.uid === uid && stat.gid === gid)) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    if (stat.uid === uid && (mode & 0o070) === 0) return;
    throw new Error(
      `The data belong to user ${uid} and group ${gid}, and this process may not give them a file. Run this as that user and group, or as root.`,
    );
  }
}

/**
 * Keeps a file and its log under a new name, `path` with `.word` or `.word-2` and so on, and returns that. The file keeps
 * its old name too.
 */
export function keepAs(path: string, word: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const inode = statSync(path).ino;
  let name = `${path}.${word}`;
  for (let number = 2; existsSync(name) && statSync(name).ino !== inode; number += 1)
    name = `${path}.${word}-${number}`;
  addName(path, name);
  if (existsSync(`${path}-wal`)) addName(`${path}-wal`, `${name}-wal`);
  return name;
}
