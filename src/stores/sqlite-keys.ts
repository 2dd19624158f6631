import type { DatabaseSync } from 'node:sqlite';
import type { ChangeKey } from '../records/store.ts';

type KeyRow = { number: number; workspace: number | null; expires_at: number; bytes: number };
type ReplyRow = KeyRow & { fingerprint: Uint8Array; reply: string };

/** What a change is answered in the place of being done. */
type Repeated = { result: 'mismatch' } | { result: 'replay'; reply: string };

const toBytes = (hex: string) => Buffer.from(hex, 'hex');

/** The kept replies of a database. */
export function toKeys(database: DatabaseSync) {
  const columns = 'number, workspace, expires_at, octet_length(reply) AS bytes';
  const findByName = database.prepare(`SELECT ${columns}, fingerprint, reply FROM keys WHERE name = ?`);
  const findExpired = database.prepare(
    `SELECT ${columns} FROM keys INDEXED BY keys_by_expiry WHERE expires_at <= ? LIMIT ?`,
  );
  const insert = database.prepare(
    'INSERT INTO keys (name, fingerprint, expires_at, workspace, reply) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM keys WHERE number = ?');
  const relieve = database.prepare('UPDATE workspaces SET bytes = bytes - ? WHERE number = ?');

  function forget({ number, workspace, bytes }: KeyRow): void {
    remove.run(number);
    if (workspace !== null) relieve.run(bytes, workspace);
  }

  return {
    /** What a change under a key is answered where that was used; undefined where it was not, or has expired. */
    repeat({ name, fingerprint }: ChangeKey, now: number): Repeated | undefined {
      const kept = findByName.get(toBytes(name)) as ReplyRow | undefined;
      if (kept && kept.expires_at <= now) forget(kept);
      else if (kept && !toBytes(fingerprint).equals(kept.fingerprint)) return { result: 'mismatch' };
      else if (kept) return { result: 'replay', reply: kept.reply };
      return undefined;
    },
    keep({ name, fingerprint }: ChangeKey, expiresAt: number, workspace: number, reply: string): void {
      insert.run(toBytes(name), toBytes(fingerprint), expiresAt, workspace, reply);
    },
    /** Forgets replies that expired at or before `now`, so many at most; answers how many. */
    forgetExpired(now: number, limit: number): number {
      const expired = findExpired.all(now, limit) as KeyRow[];
      for (const one of expired) forget(one);
      return expired.length;
    },
  };
}
