import type { DatabaseSync } from 'node:sqlite';
import { countBytes } from '../kernel/json.ts';
import { format } from './sqlite-file.ts';
import { upgradedKinds, upgradeStored } from './upgrade-record.ts';

/** How many rows are read at once. */
const rowsAtOnce = 500;

type RecordRow = { number: number; workspace: number; kind: string; seq: number; text: string };

/** Yields the records that an upgrade may change, a few at a time. */
function* listRecords(database: DatabaseSync) {
  const kinds = JSON.stringify(upgradedKinds);
  const select = database.prepare(
    `SELECT number, workspace, kind, seq, text FROM records
    WHERE number > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY number LIMIT ${rowsAtOnce}`,
  );
  for (let last = 0; ; ) {
    const rows = select.all(last, kinds) as RecordRow[];
    if (rows.length === 0) return;
    yield* rows;
    last = rows.at(-1)!.number;
  }
}

/** Writes the records of a database as this release stores them. The heads count their new sizes. */
function upgradeRecords(database: DatabaseSync): void {
  const update = database.prepare('UPDATE records SET text = ? WHERE number = ?');
  const count = database.prepare(
    `UPDATE workspaces SET head = json_set(head, '$.bytes', json_extract(head, '$.bytes') + ?)
    WHERE number = ? AND hash IS NOT NULL`,
  );
  for (const { number, workspace, ...stored } of listRecords(database)) {
    const { text, bytes } = upgradeStored(stored);
    if (bytes === undefined) continue;
    update.run(text, number);
    count.run(countBytes(text) - bytes, workspace);
  }
}

/**
 * Upgrades an open database of an older format to that of this release, in one transaction. Does nothing to one of this
 * format.
 */
export function upgradeDatabase(database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()!.user_version === format) return;
  database.exec('BEGIN');
  try {
    upgradeRecords(database);
    database.exec(`PRAGMA user_version = ${format}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
