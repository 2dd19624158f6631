import type { DatabaseSync } from 'node:sqlite';
import { readPragma } from './sqlite-file.ts';

/** Rows and pages of one pass: a few milliseconds, so that no caller waits for a sweep. */
const workspacesAtOnce = 500;
const keysAtOnce = 500;
const rowsAtOnce = 2000;
const pagesAtOnce = 500;

/**
 * Forgets what expired: workspaces with their records, and keys; then gives freed pages back to the file
 * system. One pass does a bounded part of it and answers whether more is left. A pass that fails (a full
 * disk, say) changes nothing and is left for the next.
 */
export function toSweep(database: DatabaseSync): (now: number) => boolean {
  const find = database.prepare(
    `SELECT workspace FROM records WHERE expires_at <= ? LIMIT ${workspacesAtOnce}`,
  );
  const forget = database.prepare('DELETE FROM records WHERE workspace = ?');
  const forgetKeys = database.prepare(
    `DELETE FROM keys WHERE number IN (SELECT number FROM keys WHERE expires_at <= ? LIMIT ${keysAtOnce})`,
  );

  function forgetSome(now: number): boolean {
    const expired = find.all(now) as { workspace: Uint8Array }[];
    if (expired.length > 0) database.exec('BEGIN IMMEDIATE');
    let rows = 0;
    let done = 0;
    for (; done < expired.length && rows < rowsAtOnce; done += 1) {
      rows += Number(forget.run(expired[done]!.workspace).changes);
    }
    if (expired.length > 0) database.exec('COMMIT');
    const keys = Number(forgetKeys.run(now).changes);
    return expired.length === workspacesAtOnce || done < expired.length || keys === keysAtOnce;
  }

  return (now) => {
    try {
      const isMore = forgetSome(now);
      if (readPragma(database, 'freelist_count') > 0)
        database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      return isMore || readPragma(database, 'freelist_count') > 0;
    } catch {
      if (database.isTransaction) database.exec('ROLLBACK');
      return false;
    }
  };
}
