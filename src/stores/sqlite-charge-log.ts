import type { DatabaseSync } from 'node:sqlite';
import type { Used } from '../records/store.ts';
import type { Charged, ChargesInMemory } from './sqlite-charges.ts';
import { fromUsedText, toUsedText } from './used-text.ts';

/** Charges that are logged at once, and workspaces whose rows are written at once at least: a few milliseconds. */
const loggedAtOnce = 5000;
const rowsAtOnce = 200;

/** What was used by two accounts of one workspace: counts only grow, and a later month begins anew. */
function toLater(one: Used, other: Used): Used {
  if (one.period !== other.period) return one.period > other.period ? one : other;
  const calls = { ...one.calls };
  for (const [name, count] of Object.entries(other.calls)) calls[name] = Math.max(count, calls[name] ?? 0);
  return { period: one.period, calls };
}

interface LogParts {
  charges: ChargesInMemory;
  /** What the row of a workspace says was used; undefined where it is gone. */
  read(workspace: number): Used | undefined;
  /** Writes that into the row. */
  write(workspace: number, used: Used): void;
  /** Runs in one transaction. */
  within(run: () => void): void;
}

/**
 * The log of charges: entries, each of lines `key used`. What it says of a workspace may be less than its row, which a
 * change wrote since.
 */
export function toChargeLog(database: DatabaseSync, { charges, read, write, within }: LogParts) {
  const insert = database.prepare('INSERT INTO charge_log (entry) VALUES (?)');
  const findAll = database.prepare('SELECT entry FROM charge_log ORDER BY number');
  const findLast = database.prepare('SELECT max(number) AS last FROM charge_log');
  const remove = database.prepare('DELETE FROM charge_log WHERE number <= ?');
  const toLast = () => Number(findLast.get()?.last);
  /** The last entry that has some of what goes into the rows now. */
  let turnedAt = toLast();
  let isRecovered = turnedAt === 0;

  function readAll(): Map<string, Used> {
    const charged = new Map<string, Used>();
    for (const { entry } of findAll.iterate() as Iterable<{ entry: string }>) {
      for (const line of entry.split('\n')) {
        const [key = ''] = line.split(' ', 1);
        charged.set(key, fromUsedText(line.slice(key.length + 1)));
      }
    }
    return charged;
  }

  return {
    /** Writes what a process before this one logged into the rows; to be done before a number is given again. */
    recover(): void {
      if (isRecovered) return;
      within(() => {
        for (const [key, used] of readAll()) {
          const before = read(Number(key));
          if (before) write(Number(key), toLater(before, used));
        }
        remove.run(turnedAt);
      });
      isRecovered = true;
    },
    /** Logs some of what was charged in memory. */
    log(): void {
      const some: Charged = charges.unlogged(loggedAtOnce);
      const entry = some.map(([key, used]) => `${key} ${toUsedText(used)}`).join('\n');
      if (some.length > 0) within(() => void insert.run(entry));
      charges.logged(some);
    },
    /** Writes some of what was charged into the rows, where it is time for that. */
    fold(): void {
      if (charges.isDue()) {
        charges.turn();
        turnedAt = toLast();
      }
      const { turned, resting } = charges.sizes();
      if (turned === 0) return;
      // The more wait, the more are written, so that no load makes them more and more.
      const some = charges.turned(Math.max(rowsAtOnce, Math.ceil((turned + resting) / 100)));
      within(() => {
        for (const [key, used] of some) write(Number(key), used);
        if (some.length === turned) remove.run(turnedAt);
      });
      charges.folded(some);
    },
  };
}
