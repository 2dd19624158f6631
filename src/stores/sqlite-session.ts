import { statSync } from 'node:fs';
import type { Added, Addition, StoredRecord, WorkspaceHead } from '../records/store.ts';
import { recordsAtOnce } from './slices.ts';
import { openDatabase } from './sqlite-file.ts';
import { toSweep } from './sqlite-sweep.ts';

/** Behind every workspace: where the next create goes. */
const lastWorkspace = Buffer.alloc(32, 0xff);
/** As large as a large record, and written before the one before it is removed: a full disk has no room for it. */
const probeFact = JSON.stringify({ id: '', padding: ' '.repeat(16_384) });
const toBytes = (hex: string) => Buffer.from(hex, 'hex');

type KeyRow = { fingerprint: Uint8Array; reply: string };
type HeadRow = { size: number; bytes: number; expires_at: number };
type RecordRow = { kind: StoredRecord['kind']; seq: number; fact: string };

const toRecord = ({ kind, seq, fact }: RecordRow): StoredRecord => ({ kind, seq, fact: JSON.parse(fact) });

/** One open database: every verb throws what SQLite throws. */
interface SqliteSession {
  /** Applies additions in their order, in one transaction that is on disk when it returns. */
  commit(additions: readonly Addition[]): Added[];
  open(workspace: string, now: number): (WorkspaceHead & { bytes: number }) | undefined;
  /** The next records after `seq`, at most `recordsAtOnce`. */
  readSome(workspace: string, now: number, seq: number): StoredRecord[];
  find(workspace: string, now: number, ids: readonly string[]): StoredRecord[];
  /** Writes as a create does, and is on disk when it returns; the sweep forgets it once it expired. */
  tryWrite(expiresAt: number): void;
  sweep(now: number): boolean;
  /** Whether the file is no longer where it was opened: moved, removed or replaced. */
  isElsewhere(): boolean;
  close(): void;
}

/** Opens the database at `path`; throws a plain message where it is not ours (see `openDatabase`). */
export function openSession(path: string): SqliteSession {
  const database = openDatabase(path);
  const isLive =
    'EXISTS (SELECT 1 FROM records WHERE workspace = :workspace AND seq = 1 AND expires_at > :now)';
  const select = (index: string, where: string) =>
    database.prepare(
      `SELECT kind, seq, fact FROM records ${index} WHERE ${isLive} AND workspace = :workspace AND ${where}`,
    );
  const findHead = database.prepare(
    'SELECT size, bytes, expires_at FROM records WHERE workspace = ? AND seq = 1 AND expires_at > ?',
  );
  const readAfter = select('', 'seq > :seq ORDER BY seq LIMIT :limit');
  // Named, because the planner thinks that a workspace is small, and would go through all of it.
  const findNear = [
    select('INDEXED BY records_by_id', "fact ->> '$.id' = :id"),
    select('INDEXED BY placements_by_candidate', "kind = 'placement' AND fact ->> '$.candidateId' = :id"),
    select('INDEXED BY placements_by_job_order', "kind = 'placement' AND fact ->> '$.jobOrderId' = :id"),
  ];
  const insert = database.prepare(
    'INSERT INTO records (workspace, seq, size, bytes, expires_at, kind, fact) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const writeProbe = database.prepare(
    `INSERT OR REPLACE INTO records (workspace, seq, size, bytes, expires_at, kind, fact)
     VALUES (?, ?, 0, 0, ?, 'candidate', ?)`,
  );
  const removeProbe = database.prepare('DELETE FROM records WHERE workspace = ? AND seq = ?');
  const extend = database.prepare(
    'UPDATE records SET size = ?, bytes = ?, expires_at = max(expires_at, ?) WHERE workspace = ? AND seq = 1',
  );
  const findKey = database.prepare('SELECT fingerprint, reply FROM keys WHERE name = ? AND expires_at > ?');
  const keep = database.prepare(
    'INSERT OR REPLACE INTO keys (name, fingerprint, expires_at, reply) VALUES (?, ?, ?, ?)',
  );
  let probeSeq = 1;
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();

  function apply({ workspace, mint: isMint, record, ceiling, now, expiresAt, key }: Addition): Added {
    if (key) {
      const kept = findKey.get(toBytes(key.name), now) as KeyRow | undefined;
      if (kept && !toBytes(key.fingerprint).equals(kept.fingerprint)) return { result: 'mismatch' };
      if (kept) return { result: 'replay', reply: kept.reply };
    }
    const hash = toBytes(workspace);
    const found = isMint ? { size: 0, bytes: 0 } : (findHead.get(hash, now) as HeadRow | undefined);
    if (!found) return { result: 'unknown' };
    const fact = JSON.stringify(record.fact);
    const [size, bytes] = [found.size + 1, found.bytes + Buffer.byteLength(fact)];
    if (size > ceiling.records || (!isMint && bytes > ceiling.bytes)) return { result: 'full' };
    const head = isMint ? [size, bytes, expiresAt] : [null, null, null];
    insert.run(hash, size, ...head, record.kind, fact);
    if (!isMint) extend.run(size, bytes, expiresAt, hash);
    if (key) keep.run(toBytes(key.name), toBytes(key.fingerprint), expiresAt, key.reply);
    return { result: 'added' };
  }

  return {
    commit(additions) {
      try {
        database.exec('BEGIN IMMEDIATE');
        const answers = additions.map(apply);
        database.exec('COMMIT');
        return answers;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    open(workspace, now) {
      const head = findHead.get(toBytes(workspace), now) as HeadRow | undefined;
      return head && { expiresAt: head.expires_at, bytes: head.bytes };
    },
    readSome(workspace, now, seq) {
      const rows = readAfter.all({
        workspace: toBytes(workspace),
        now,
        seq,
        limit: recordsAtOnce,
      }) as unknown as RecordRow[];
      return rows.map(toRecord);
    },
    find(workspace, now, ids) {
      const hash = toBytes(workspace);
      const rows = ids.flatMap((id) =>
        findNear.map((statement) => statement.get({ workspace: hash, now, id })),
      );
      return rows.filter((row) => row !== undefined).map((row) => toRecord(row as unknown as RecordRow));
    },
    tryWrite(expiresAt) {
      try {
        database.exec('BEGIN IMMEDIATE');
        probeSeq = 3 - probeSeq;
        writeProbe.run(lastWorkspace, probeSeq, expiresAt, probeFact);
        removeProbe.run(lastWorkspace, 3 - probeSeq);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    sweep: toSweep(database),
    isElsewhere() {
      if (path === ':memory:') return false;
      const place = toPlace();
      return place?.ino !== opened?.ino || place?.dev !== opened?.dev;
    },
    close() {
      database.close();
    },
  };
}
