import type { SqliteTables } from './sqlite-tables.ts';

/** How many workspaces are counted at once. This takes about two milliseconds. */
const mostAtOnce = 5000;

const countSome = `SELECT count(*) AS count, max(hash) AS last
  FROM (SELECT hash FROM workspaces WHERE hash > ? ORDER BY hash LIMIT ${mostAtOnce})`;
const beforeAll = new Uint8Array();

/** Counts the workspaces in a file a part at a time, because SQLite reads a whole index to count it. */
export class WorkspaceCount {
  /** The hash after which the next part begins, and how many workspaces are before it. */
  #after: Uint8Array = beforeAll;
  #before = 0;
  #all: number | undefined;

  /** Counts the next part. Returns the last whole count, or undefined if there is none yet. */
  countNext(tables: SqliteTables): number | undefined {
    const { count, last } = tables.get(countSome, this.#after) as { count: number; last: Uint8Array };
    this.#before += count;
    if (count === mostAtOnce) {
      this.#after = last;
      return this.#all;
    }
    this.#all = this.#before;
    this.#after = beforeAll;
    this.#before = 0;
    return this.#all;
  }
}
