import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';

/**
 * A backup ends with a seal: the SHA-256 of all bytes before it. SQLite checks how pages are built, and does not notice
 * a wrong letter in a text. It ignores what lies behind the last page.
 */
const sealShape = /^\nsha256 ([0-9a-f]{64})\n$/;
const sealBytes = 73;
const bytesAtOnce = 1_048_576;

/** Returns the SHA-256 of the first `length` bytes of an open file, in hex. */
function hashStart(file: number, length: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(bytesAtOnce);
  for (let at = 0; at < length; ) {
    const read = readSync(file, buffer, 0, Math.min(bytesAtOnce, length - at), at);
    if (read === 0) break;
    hash.update(buffer.subarray(0, read));
    at += read;
  }
  return hash.digest('hex');
}

/** Opens a file, and closes it after `read`. */
function useFile<T>(path: string, read: (file: number, size: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return read(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/** Returns the hash that the seal of an open file has, or undefined if it has no seal. */
function readSeal(file: number, size: number): string | undefined {
  const text = Buffer.alloc(sealBytes);
  if (size > sealBytes) readSync(file, text, 0, sealBytes, size - sealBytes);
  return sealShape.exec(text.toString('latin1'))?.[1];
}

/** Adds the seal to a file that is complete. */
export function addSeal(path: string): void {
  appendFileSync(path, `\nsha256 ${useFile(path, hashStart)}\n`);
}

/** Compares a file with its seal. */
export const checkSeal = (path: string): 'none' | 'right' | 'wrong' =>
  useFile(path, (file, size) => {
    const seal = readSeal(file, size);
    if (seal === undefined) return 'none';
    return seal === hashStart(file, size - sealBytes) ? 'right' : 'wrong';
  });

/** Removes the seal of a file, if it has one. */
export function removeSeal(path: string): void {
  const end = useFile(path, (file, size) => (readSeal(file, size) === undefined ? size : size - sealBytes));
  truncateSync(path, end);
}
