import type { DatabaseSync } from 'node:sqlite';
import { readPragma } from './sqlite-file.ts';
import { toKeys } from './sqlite-keys.ts';
import { toForget } from './sqlite-write.ts';

/** Rows and pages of one pass: a few milliseconds, so that no caller waits for a sweep. */
const workspacesAtOnce = 500;
const keysAtOnce = 500;
const rowsAtOnce = 2000;
const pagesAtOnce = 500;

/**
 * Forgets what expired: workspaces with all that is in them, then kept replies and names of those that live on; then
 * gives freed pages back to the file system. One pass does a bounded part of it and answers whether more is left. What
 * fails (on a full disk, say) changes nothing and is left for the next pass; on a closed database every pass fails.
 */
export function toSweep(database: DatabaseSync): (now: number) => boolean {
  const find = database.prepare(
    `SELECT number FROM workspaces INDEXED BY workspaces_by_expiry
     WHERE expires_at <= ? LIMIT ${workspacesAtOnce}`,
  );
  const forget = toForget(database);
  const keys = toKeys(database);
  const forgetPointers = database.prepare(
    `DELETE FROM pointers WHERE name IN
     (SELECT name FROM pointers INDEXED BY pointers_by_expiry WHERE expires_at <= ? LIMIT ${keysAtOnce})`,
  );

  function forgetSome(now: number): boolean {
    database.exec('BEGIN IMMEDIATE');
    const expired = find.all(now) as { number: number }[];
    let rows = 0;
    let done = 0;
    for (; done < expired.length && rows < rowsAtOnce; done += 1) rows += forget(expired[done]!.number);
    const isMore = done < expired.length || expired.length === workspacesAtOnce;
    const isMoreKept = !isMore && keys.forgetExpired(now, keysAtOnce) === keysAtOnce;
    const isMorePointed = !isMore && Number(forgetPointers.run(now).changes) === keysAtOnce;
    database.exec('COMMIT');
    return isMore || isMoreKept || isMorePointed;
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

/** How long the workspace that expired first has waited at `now`, in milliseconds; 0 where none has. */
export function toOverdue(database: DatabaseSync): (now: number) => number {
  const first = database.prepare('SELECT MIN(expires_at) AS at FROM workspaces');
  return (now) => {
    const { at } = first.get() as { at: number | null };
    return at === null ? 0 : Math.max(0, now - at);
  };
}
