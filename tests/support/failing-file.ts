import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from './changes.ts';
import { makeFolder } from './server.ts';

/** Opens a file whose transactions can be made to fail at their end, when everything was written. */
export function openFailing() {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const tested = openSqlite(path);
  const other = new DatabaseSync(path);
  return {
    tested,
    fail: () =>
      other.exec("CREATE TRIGGER fault BEFORE UPDATE ON stamp BEGIN SELECT RAISE(ABORT, 'no'); END"),
    work: () => other.exec('DROP TRIGGER fault'),
    async close() {
      other.close();
      await tested.close();
    },
  };
}
