import type { DatabaseSync } from 'node:sqlite';
import type { FollowedHead, Found, Slice, StoreEntry, Used } from '../records/store.ts';
import type { KeptHead } from './decided.ts';
import { fromCountsText, fromUsedText } from './used-text.ts';

type HeadRow = Record<
  'number' | 'created_at' | 'expires_at' | 'revision' | 'seq' | 'records' | 'bytes',
  number
> &
  Record<'counts', string> &
  Record<'state' | 'used', string | null> & { hash: Uint8Array };
type RecordRow = { kind: string; seq: number; fact: string };
type NameRow = { held: number } & (RecordRow | Record<keyof RecordRow, null>);

const toRecord = ({ kind, seq, fact }: RecordRow): StoreEntry => ({ kind, seq, fact: JSON.parse(fact) });

function toHead(row: HeadRow): KeptHead {
  const { number, created_at: createdAt, expires_at: expiresAt, revision, seq, records, bytes } = row;
  const [counts, state] = [fromCountsText(row.counts), JSON.parse(row.state ?? '{}')];
  const used = fromUsedText(row.used);
  return { key: String(number), createdAt, expiresAt, revision, seq, records, bytes, counts, state, used };
}

/** What is read of a database. Every verb throws what SQLite throws. */
export function toReader(database: DatabaseSync) {
  const findHead = database.prepare('SELECT * FROM workspaces WHERE hash = ? AND expires_at > ?');
  const findPointed = database.prepare(
    `SELECT workspaces.*, leads_to FROM pointers JOIN workspaces ON number = workspace
     WHERE name = ? AND pointers.expires_at > ? AND workspaces.expires_at > ?`,
  );
  const findUsed = database.prepare('SELECT used FROM workspaces WHERE number = ?');
  const findRevision = database.prepare('SELECT revision FROM workspaces WHERE number = ?');
  const findName = database.prepare(
    `SELECT held, records.kind, records.seq, fact FROM names
     LEFT JOIN records ON records.workspace = names.workspace
       AND records.kind = names.kind AND records.seq = names.seq
     WHERE names.workspace = ? AND name = ?`,
  );
  const findHeld = database.prepare('SELECT held FROM names WHERE workspace = ? AND name = ?');
  const select = 'SELECT kind, seq, fact FROM records WHERE workspace = ? AND kind = ?';
  const slices = {
    newest: database.prepare(`${select} AND seq < ? ORDER BY seq DESC LIMIT ?`),
    oldest: database.prepare(`${select} AND seq > ? ORDER BY seq LIMIT ?`),
  };
  const ends = { newest: Number.MAX_SAFE_INTEGER, oldest: 0 };

  return {
    open(hash: Uint8Array, now: number): KeptHead | undefined {
      const row = findHead.get(hash, now) as HeadRow | undefined;
      return row && toHead(row);
    },
    follow(name: Uint8Array, now: number): FollowedHead | undefined {
      const row = findPointed.get(name, now, now) as (HeadRow & { leads_to: string }) | undefined;
      return row && { ...toHead(row), hash: Buffer.from(row.hash).toString('hex'), to: row.leads_to };
    },
    /** The revision of a workspace; undefined where it is gone. */
    revision: (workspace: number) => findRevision.get(workspace)?.revision,
    /** What was charged in a workspace; undefined where it is gone. */
    used(workspace: number): Used | undefined {
      const row = findUsed.get(workspace) as { used: string | null } | undefined;
      return row && fromUsedText(row.used);
    },
    find(workspace: number, name: string): Found {
      const row = findName.get(workspace, name) as NameRow | undefined;
      if (!row) return { occupants: 0 };
      if (row.fact === null) return { occupants: row.held };
      const record = toRecord(row);
      const { id } = record.fact;
      const { held } = id === name ? row : (findHeld.get(workspace, id) as { held: number });
      return { record, occupants: held };
    },
    read(workspace: number, { kind, order, after = ends[order], limit }: Slice): StoreEntry[] {
      return (slices[order].all(workspace, kind, after, limit) as RecordRow[]).map(toRecord);
    },
  };
}
