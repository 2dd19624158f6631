import type { DatabaseSync } from 'node:sqlite';
import { readPragma } from './sqlite-file.ts';

/** Rows and pages of one pass: a few milliseconds, so that no caller waits for a sweep. */
const rowsAtOnce = 500;
const pagesAtOnce = 500;

/**
 * Forgets what expired: workspaces with their records, and keys; then gives freed pages back to the file
 * system. One pass does a bounded part of it and answers whether more is left. A pass that fails (a full
 * disk, say) changes nothing and is left for the next.
 */
export function toSweep(database: DatabaseSync): (now: number) => boolean {
  const forget = ['workspaces', 'keys'].map((table) =>
    database.prepare(
      `DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} WHERE expires_at <= ? LIMIT ${rowsAtOnce})`,
    ),
  );
  return (now) => {
    try {
      const changes = forget.map((statement) => Number(statement.run(now).changes));
      if (readPragma(database, 'freelist_count') > 0)
        database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      return changes.includes(rowsAtOnce) || readPragma(database, 'freelist_count') > 0;
    } catch {
      return false;
    }
  };
}
