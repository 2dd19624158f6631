import type { StoredRecord } from '../records/store.ts';

/** Records that are read at once: the largest take a few milliseconds. */
export const recordsAtOnce = 25;
/** Bytes of a workspace that is read without waiting, and how many larger ones are read at the same time. */
const smallBytes = 131_072;
const mostAtOnce = 2;

let reading = 0;
const waiting: (() => void)[] = [];

function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else reading -= 1;
}

/**
 * Reads a workspace of so many bytes. Of large ones two are read at the same time and the others wait, so that many
 * lists of large workspaces take the memory of a few.
 */
export async function readInTurn<T>(bytes: number, read: () => Promise<T>): Promise<T> {
  if (bytes <= smallBytes) return read();
  if (reading < mostAtOnce) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await read();
  } finally {
    // Whoever reads is done with the records in the turn in which it gets them.
    setImmediate(leave);
  }
}

/**
 * Reads records slice by slice, as `readSome` gives those after so many, up to a slice that is short. Others get
 * their turn between two slices.
 */
export async function readInSlices(readSome: (after: number) => StoredRecord[]): Promise<StoredRecord[]> {
  const records = readSome(0);
  for (let count = 0; records.length - count >= recordsAtOnce; ) {
    await new Promise(setImmediate);
    count = records.length;
    records.push(...readSome(count));
  }
  return records;
}
