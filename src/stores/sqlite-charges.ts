import type { Charge, Used, WorkspaceHead } from '../records/store.ts';
import { addCharge } from './decided.ts';

/** What was charged for reads since it was last written: in memory, so that a read costs no flush to disk. */
export interface ChargesInMemory {
  /** A workspace with what was charged in it. */
  with<H extends WorkspaceHead>(head: H): H;
  /** Charges a workspace, of which `read` says what is written; false where that is more than is authorised. */
  charge(key: string, charge: Charge, read: () => Used | undefined): boolean;
  /** Says that a transaction wrote what `with` answered, or its workspace away. */
  wrote(key: string): void;
  /** Says that the transaction is on disk, or that it was undone. */
  settle(isDone: boolean): void;
  /** Some that are not written. */
  some(limit: number): (readonly [key: string, used: Used])[];
  size(): number;
  clear(): void;
}

/** Charges that outlive the opening of a file anew, as long as it is the same file. */
export function createChargesInMemory(): ChargesInMemory {
  const charged = new Map<string, Used>();
  const written = new Set<string>();
  return {
    with(head) {
      const used = written.has(head.key) ? undefined : charged.get(head.key);
      return used ? { ...head, used } : head;
    },
    charge(key, charge, read) {
      const before = charged.get(key) ?? read();
      if (!before) return true;
      const used = addCharge(before, charge);
      if (used) charged.set(key, used);
      return used !== undefined;
    },
    wrote: (key) => written.add(key),
    settle(isDone) {
      if (isDone) for (const key of written) charged.delete(key);
      written.clear();
    },
    some(limit) {
      const some: [string, Used][] = [];
      for (const entry of charged) {
        if (some.length === limit) break;
        some.push(entry);
      }
      return some;
    },
    size: () => charged.size,
    clear: () => charged.clear(),
  };
}
