/** How many rows are sorted or merged between two pauses: about a tenth of a millisecond for numbers, one for texts. */
const rowsOfStep = 128;

/** How rows are compared, and how others get their turn in between. */
interface Sorting<T> {
  compare(a: T, b: T): number;
  /** Returns undefined if it is not time for a pause yet. */
  pause(): Promise<void> | undefined;
}

async function merge<T>(first: readonly T[], second: readonly T[], { compare, pause }: Sorting<T>) {
  const merged: T[] = [];
  let [from, other] = [0, 0];
  while (from < first.length && other < second.length) {
    const isFirst = compare(first[from]!, second[other]!) <= 0;
    merged.push(isFirst ? first[from]! : second[other]!);
    if (isFirst) from += 1;
    else other += 1;
    const paused = merged.length % rowsOfStep === 0 && pause();
    if (paused) await paused;
  }
  return merged.concat(first.slice(from), second.slice(other));
}

/** Sorts rows in small steps, so that other callers are served in between. Equal rows keep their order. */
export async function sortInSteps<T>(rows: readonly T[], sorting: Sorting<T>): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < rows.length; from += rowsOfStep) {
    runs.push(rows.slice(from, from + rowsOfStep).sort(sorting.compare));
    const paused = sorting.pause();
    if (paused) await paused;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at]!, runs[at + 1] ?? [], sorting));
    runs = merged;
  }
  return runs[0] ?? [];
}
