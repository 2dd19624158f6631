import type { StoredRecord } from '../records/store.ts';

/** Records that are read at once: the largest take a few milliseconds. */
export const recordsAtOnce = 25;
/** Workspaces that are read in slices at the same time. */
const mostAtOnce = 2;

let reading = 0;
const waiting: (() => void)[] = [];

function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else reading -= 1;
}

/**
 * Reads records slice by slice, as `readSome` gives those after so many, up to a slice that is short. Others get
 * their turn between two slices; of those who read more than one slice, two read at the same time, so that many
 * lists of large workspaces take the memory of a few.
 */
export async function readInSlices(readSome: (after: number) => StoredRecord[]): Promise<StoredRecord[]> {
  const records = readSome(0);
  if (records.length < recordsAtOnce) return records;
  if (reading < mostAtOnce) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    for (let count = 0; records.length - count >= recordsAtOnce; ) {
      await new Promise(setImmediate);
      count = records.length;
      records.push(...readSome(count));
    }
    return records;
  } finally {
    // Whoever reads is done with the records in the turn in which it gets them.
    setImmediate(leave);
  }
}
