import type { DatabaseSync } from 'node:sqlite';
import { chargeLogOf, keysOf, pointersOf, usedOf, workspacesOf } from './sqlite-schema.ts';
import { toCreatedAt } from './version-before.ts';

/** The versions before, whose files are brought up to this one when they are opened. */
export const versionsBefore: readonly number[] = [4, 5, 6, 7];

const from4 = `
  BEGIN IMMEDIATE;
  ALTER TABLE records RENAME TO records_before;
  DROP INDEX workspaces_by_expiry;
  ${workspacesOf}
  INSERT INTO workspaces (hash, created_at, expires_at, revision, seq, records, bytes, counts)
    SELECT workspace, created_at(workspace), expires_at, size, size, size, 0, ''
    FROM records_before WHERE seq = 1 AND size > 0 ORDER BY workspace;
  INSERT INTO records (workspace, kind, seq, fact)
    SELECT number, before.kind, before.seq,
      substr(before.fact, 1, length(before.fact) - 1) || ',"createdAt":' || created_at || '}'
    FROM workspaces JOIN records_before AS before ON before.workspace = workspaces.hash
    ORDER BY number, before.kind, before.seq;
  DROP TABLE records_before;
  UPDATE workspaces SET
    bytes = (SELECT sum(octet_length(fact)) FROM records WHERE workspace = number),
    counts = (SELECT json_group_object(kind, count) FROM
      (SELECT kind, count(*) AS count FROM records WHERE workspace = number GROUP BY kind));
  INSERT INTO names (workspace, name, kind, seq) SELECT workspace, fact ->> '$.id', kind, seq FROM records;
  INSERT INTO names (workspace, name, held)
    SELECT workspace, name, count(*) FROM
      (SELECT workspace, fact ->> '$.candidateId' AS name FROM records WHERE kind = 'placement'
       UNION ALL SELECT workspace, fact ->> '$.jobOrderId' FROM records WHERE kind = 'placement')
    WHERE true GROUP BY workspace, name
    ON CONFLICT (workspace, name) DO UPDATE SET held = excluded.held;
  ALTER TABLE keys ADD COLUMN workspace INTEGER;
  ${keysOf}
  PRAGMA user_version = 5;
  COMMIT;
`;

const from5 = `BEGIN IMMEDIATE; ${pointersOf} PRAGMA user_version = 6; COMMIT;`;

const from6 = `BEGIN IMMEDIATE; ${usedOf} PRAGMA user_version = 7; COMMIT;`;

const from7 = `BEGIN IMMEDIATE; ${chargeLogOf} PRAGMA user_version = 8; COMMIT;`;

/**
 * Brings a file of a version before up to this one, each version in one transaction. Each record of version 4 is taken
 * to be as old as its workspace, and its kept replies belong to none.
 */
export function migrate(database: DatabaseSync, version: number): void {
  const now = Date.now();
  database.function('created_at', { deterministic: true }, (hash) =>
    toCreatedAt(Buffer.from(hash as Uint8Array).toString('hex'), now),
  );
  if (version === 4) database.exec(from4);
  if (version <= 5) database.exec(from5);
  if (version <= 6) database.exec(from6);
  database.exec(from7);
}
