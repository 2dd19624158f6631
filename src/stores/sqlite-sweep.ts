import type { DatabaseSync } from 'node:sqlite';
import { readPragma } from './sqlite-file.ts';

/** Rows and pages of one pass: a few milliseconds, so that no caller waits for a sweep. */
const workspacesAtOnce = 500;
const keysAtOnce = 500;
const rowsAtOnce = 2000;
const pagesAtOnce = 500;

/**
 * Forgets what expired: workspaces with their records, and keys; then gives freed pages back to the file
 * system. One pass does a bounded part of it and answers whether more is left. What fails (on a full disk,
 * say) changes nothing and is left for the next pass; on a closed database every pass fails.
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
    database.exec('BEGIN IMMEDIATE');
    const expired = find.all(now) as { workspace: Uint8Array }[];
    let rows = 0;
    let done = 0;
    for (; done < expired.length && rows < rowsAtOnce; done += 1) {
      rows += Number(forget.run(expired[done]!.workspace).changes);
    }
    const keys = Number(forgetKeys.run(now).changes);
    database.exec('COMMIT');
    return expired.length === workspacesAtOnce || done < expired.length || keys === keysAtOnce;
  }

  return (now) => {
    try {
      const isMore = forgetSome(now);
      if (readPragma(database, 'freelist_count') > 0)
        database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      return isMore || readPragma(database, 'freelist_count') > 0;
    } catch {
      try {
        database.exec('ROLLBACK');
      } catch {}
      return false;
    }
  };
}
