import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { makeFolder } from '../../support/server.ts';

/** Adds so many workspaces to a file, all at once. */
function addWorkspaces(path: string, count: number): void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN');
  const insert = database.prepare(
    `INSERT INTO workspaces (hash, expires_at, version, head, used) VALUES (?, 9e12, '', '', '')`,
  );
  for (let n = 0; n < count; n += 1) insert.run(randomBytes(32));
  database.exec('COMMIT');
  database.close();
}

/** Asks for the room until the workspaces were counted `times` times more. Returns the last count. */
function countWorkspaces(store: SqliteStore, parts: number): number | undefined {
  let last: number | undefined;
  for (let part = 0; part < parts; part += 1) last = store.room().workspaces;
  return last;
}

for (const count of [0, 1, 4999, 5000, 5001, 16_000]) {
  test(`counts ${count} workspaces in parts`, async () => {
    const path = join(makeFolder(), 'workspaces.sqlite');
    await new SqliteStore(path).close();
    addWorkspaces(path, count);
    const store = new SqliteStore(path);
    assert.is(countWorkspaces(store, 4), count);
    addWorkspaces(path, 3);
    assert.is(countWorkspaces(store, 8), count + 3);
    await store.close();
  });
}

test.run();
