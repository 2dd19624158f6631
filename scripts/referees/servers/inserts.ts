import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataDir, type toCreated } from './facts.ts';

export type Created = ReturnType<typeof toCreated>;

/** A database flushed at every commit, and the one insert that a create costs. */
export function openInserts() {
  const database = new DatabaseSync(join(dataDir, 'peer.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE records (number INTEGER PRIMARY KEY, workspace BLOB NOT NULL UNIQUE, expires_at INTEGER NOT NULL, fact TEXT NOT NULL)',
  );
  const insert = database.prepare('INSERT INTO records (workspace, expires_at, fact) VALUES (?, ?, ?)');
  return {
    /** Outside a transaction: a commit of its own, flushed. */
    insert: ({ hash, expiresAt, fact }: Created) => insert.run(hash, expiresAt, JSON.stringify(fact)),
    begin: () => database.exec('BEGIN IMMEDIATE'),
    commit: () => database.exec('COMMIT'),
  };
}
