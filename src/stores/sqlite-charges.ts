import type { Charge, Used, WorkspaceHead } from '../records/store.ts';
import { addCharge } from './decided.ts';

/** What some workspaces were charged, by their keys. */
export type Charged = (readonly [key: string, used: Used])[];

/**
 * What was charged for reads and is not in the rows of workspaces: in memory, so that a read costs no flush to disk. It
 * is logged within a second, many in one place; the row of each, which lies wherever its workspace does, is written
 * later, once for all that was charged until then.
 */
export interface ChargesInMemory {
  /** A workspace with what was charged in it. */
  with<H extends WorkspaceHead>(head: H): H;
  /** Charges a workspace, of which `read` says what its row has; false where that is more than is authorised. */
  charge(key: string, charge: Charge, read: () => Used | undefined): boolean;
  /** Says that a transaction wrote what `with` answered, or its workspace away. */
  wrote(key: string): void;
  /** Says that the transaction is on disk, or that it was undone. */
  settle(isDone: boolean): void;
  /** Some that are not logged, and that they are. */
  unlogged(limit: number): Charged;
  logged(charged: Charged): void;
  /** Whether all is logged, and so much that it is to be written into rows. */
  isDue(): boolean;
  /** Has what was charged until now written into rows; it is none of the next that is due. */
  turn(): void;
  /** Some that are to be written into rows, and that they are. */
  turned(limit: number): Charged;
  folded(charged: Charged): void;
  /** How many are to be logged, to be written into rows, and neither yet. */
  sizes(): { unlogged: number; turned: number; resting: number };
  clear(): void;
}

/** Workspaces that are charged, and lines of the log, after which rows are written. */
const mostResting = 50_000;
const mostLogged = 200_000;

function take(entries: Iterable<readonly [string, Used]>, limit: number): Charged {
  const some: [string, Used][] = [];
  for (const [key, used] of entries) {
    if (some.length === limit) break;
    some.push([key, used]);
  }
  return some;
}

/** Charges that outlive the opening of a file anew, as long as it is the same file. */
export function createChargesInMemory(): ChargesInMemory {
  let resting = new Map<string, Used>();
  let turned = new Map<string, Used>();
  const unlogged = new Map<string, Used>();
  const written = new Set<string>();
  let logged = 0;
  const find = (key: string) => resting.get(key) ?? turned.get(key);

  return {
    with(head) {
      const used = written.has(head.key) ? undefined : find(head.key);
      return used ? { ...head, used } : head;
    },
    charge(key, charge, read) {
      const before = find(key) ?? read();
      if (!before) return true;
      const used = addCharge(before, charge);
      if (!used) return false;
      resting.set(key, used);
      unlogged.set(key, used);
      return true;
    },
    wrote: (key) => written.add(key),
    settle(isDone) {
      if (isDone) for (const key of written) for (const all of [resting, turned, unlogged]) all.delete(key);
      written.clear();
    },
    unlogged: (limit) => take(unlogged, limit),
    logged(charged) {
      for (const [key] of charged) unlogged.delete(key);
      logged += charged.length;
    },
    isDue: () =>
      unlogged.size === 0 && turned.size === 0 && (resting.size >= mostResting || logged >= mostLogged),
    turn() {
      turned = resting;
      resting = new Map();
      logged = 0;
    },
    turned: (limit) => take(turned, limit),
    folded(charged) {
      for (const [key] of charged) turned.delete(key);
    },
    sizes: () => ({ unlogged: unlogged.size, turned: turned.size, resting: resting.size }),
    clear() {
      for (const all of [resting, turned, unlogged]) all.clear();
      logged = 0;
    },
  };
}
