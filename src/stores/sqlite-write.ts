import type { DatabaseSync } from 'node:sqlite';
import type { Used } from '../records/store.ts';
import { type Decided, toNamings } from './decided.ts';
import { toCountsText, toUsedText } from './used-text.ts';

/** What forgets a workspace whole, and answers how many rows that were. */
export function toForget(database: DatabaseSync): (workspace: number) => number {
  const statements = [
    'DELETE FROM keys INDEXED BY keys_by_workspace WHERE workspace = ?',
    'DELETE FROM pointers INDEXED BY pointers_by_workspace WHERE workspace = ?',
    'DELETE FROM names WHERE workspace = ?',
    'DELETE FROM records WHERE workspace = ?',
    'DELETE FROM workspaces WHERE number = ?',
  ].map((text) => database.prepare(text));
  return (workspace) => statements.reduce((rows, one) => rows + Number(one.run(workspace).changes), 0);
}

/** What is written to a database for what was decided. Every verb throws what SQLite throws. */
export function toWriter(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO workspaces (created_at, expires_at, revision, seq, records, bytes, counts, state, used, number, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
  );
  const update = database.prepare(
    `UPDATE workspaces SET created_at = ?, expires_at = ?, revision = ?, seq = ?, records = ?, bytes = ?, counts = ?,
     state = ?, used = ? WHERE number = ?`,
  );
  const use = database.prepare('UPDATE workspaces SET used = ? WHERE number = ?');
  const rename = database.prepare('UPDATE workspaces SET hash = ? WHERE number = ?');
  const put = database.prepare(
    'INSERT OR REPLACE INTO records (workspace, kind, seq, fact) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM records WHERE workspace = ? AND kind = ? AND seq = ?');
  const give = database.prepare(
    `INSERT INTO names (workspace, name, kind, seq) VALUES (?, ?, ?, ?) ON CONFLICT (workspace, name)
     DO UPDATE SET kind = excluded.kind, seq = excluded.seq WHERE kind IS NULL`,
  );
  const take = database.prepare('UPDATE names SET kind = NULL, seq = NULL WHERE workspace = ? AND name = ?');
  const hold = database.prepare(
    `INSERT INTO names (workspace, name, held) VALUES (?, ?, ?) ON CONFLICT (workspace, name)
     DO UPDATE SET held = held + excluded.held`,
  );
  const clear = database.prepare(
    'DELETE FROM names WHERE workspace = ? AND name = ? AND kind IS NULL AND held = 0',
  );

  const point = database.prepare(
    'INSERT OR REPLACE INTO pointers (name, workspace, leads_to, expires_at) VALUES (?, ?, ?, ?)',
  );
  const unpoint = database.prepare('DELETE FROM pointers WHERE name = ? AND workspace = ?');

  function pointAnew(workspace: number, { points = {}, unpoints = [] }: Decided<unknown>['writing']): void {
    for (const name of unpoints) unpoint.run(Buffer.from(name, 'hex'), workspace);
    for (const [name, { to, expiresAt }] of Object.entries(points))
      point.run(Buffer.from(name, 'hex'), workspace, to, expiresAt);
  }

  function nameAnew(workspace: number, decided: Decided<unknown>): void {
    const { gone, given } = toNamings(decided);
    const holds = Object.entries(decided.writing.occupies ?? {});
    for (const name of gone) take.run(workspace, name);
    for (const [name, { kind, seq }] of given) {
      if (give.run(workspace, name, kind, seq).changes === 0) throw new Error(`${name} is taken`);
    }
    for (const [name, count] of holds) hold.run(workspace, name, count);
    for (const name of [...gone, ...holds.map(([held]) => held)]) clear.run(workspace, name);
  }

  function writeRecords(workspace: number, decided: Decided<unknown>): void {
    for (const { kind, seq } of decided.writing.removes ?? []) remove.run(workspace, kind, seq);
    for (const { kind, seq, text } of decided.puts) put.run(workspace, kind, seq, text);
    nameAnew(workspace, decided);
    pointAnew(workspace, decided.writing);
  }

  const toRow = ({ head }: Decided<unknown>) => {
    const { createdAt, expiresAt, revision, seq, records, bytes, counts, state, used } = head;
    const text = Object.keys(state).length > 0 ? JSON.stringify(state) : null;
    const usedText = toUsedText(used) || null;
    return [createdAt, expiresAt, revision, seq, records, bytes, toCountsText(counts), text, usedText];
  };

  return {
    /** Makes a workspace, under a number that no other has had; false where one has its hash. */
    make(workspace: number, hash: Uint8Array, decided: Decided<unknown>): boolean {
      if (insert.run(...toRow(decided), workspace, hash).changes === 0) return false;
      writeRecords(workspace, decided);
      return true;
    },
    /** Keeps what was charged in a workspace, where it is still there. */
    use(workspace: number, used: Used): void {
      use.run(toUsedText(used), workspace);
    },
    change(workspace: number, decided: Decided<unknown>): void {
      update.run(...toRow(decided), workspace);
      if (decided.writing.rename) rename.run(Buffer.from(decided.writing.rename, 'hex'), workspace);
      writeRecords(workspace, decided);
    },
  };
}
