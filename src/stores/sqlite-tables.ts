import { statSync } from 'node:fs';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { memoize } from '../kernel/cache.ts';
import { type ActivityEntry, listBlanked, mostActivity } from '../workspace/activity.ts';
import type { MonthlyCalls } from '../workspace/charge.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { Commit, Slice, StoredText, TokenTarget } from '../workspace/store.ts';
import { decodeHead, decodeUsed, encodeHead, encodeUsed } from './encode-head.ts';
import { openDatabase } from './sqlite-file.ts';
import { createStamper } from './sqlite-log.ts';

/** A slice ends when it has this many bytes of text. */
const sliceBytes = 262_144;
const repliesOfSlice = 2000;
/** How many rows are deleted at once at most. That takes a few milliseconds. */
const rowsAtOnce = 2000;
const workspacesAtOnce = 500;
const tokensAtOnce = 500;
/** More than there are statements. */
const mostStatements = 1000;

type WorkspaceRow = { number: number; hash: Uint8Array; head: string; used: string };
type RecordRow = { seq: number; kind: string; text: string };
type ReplyRow = { name: string; fingerprint: string; expiresAt: number; bytes: number };

const encodeHash = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
/** The whole name of a token, and its first 128 bits: a token that was copied from Redis has no more. */
const toTokenNames = (hex: string) => [encodeHash(hex), encodeHash(hex.slice(0, 32))] as const;
const decodeHash = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The rows of workspaces in one database file. Finds, writes and deletes them. Throws what SQLite throws. */
export class SqliteTables {
  readonly database;
  readonly #path: string;
  readonly #prepare = memoize((sql: string): StatementSync => this.database.prepare(sql), {
    most: mostStatements,
  });
  readonly #file;
  readonly #stamp;
  /** Whether something was written since the last stamp. */
  #isUnstamped = false;

  /** Opens the database at a path, or uses one that is open. */
  constructor(path: string, database = openDatabase(path)) {
    this.database = database;
    this.#path = path;
    this.#file = statSync(path, { throwIfNoEntry: false });
    this.#stamp = createStamper(this.database);
  }

  get(sql: string, ...values: SQLInputValue[]) {
    return this.#prepare(sql).get(...values);
  }

  run(sql: string, ...values: SQLInputValue[]) {
    const result = this.#prepare(sql).run(...values);
    this.#isUnstamped ||= Number(result.changes) > 0;
    return result;
  }

  /** Returns at most `pages` free pages to the file system. */
  vacuum(pages: number): void {
    this.#isUnstamped = true;
    this.database.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  /** Ends the transaction, with a stamp if it wrote anything (`sqlite-log.ts`). */
  commit(): void {
    if (this.#isUnstamped) this.#stamp();
    this.database.exec('COMMIT');
    this.#isUnstamped = false;
  }

  /** Whether the file is no longer at its path: it was moved, deleted or replaced. */
  isElsewhere(): boolean {
    const now = statSync(this.#path, { throwIfNoEntry: false });
    return this.#path !== ':memory:' && (now?.ino !== this.#file?.ino || now?.dev !== this.#file?.dev);
  }

  findByHash(hash: string): Head | undefined {
    const row = this.get('SELECT number, hash, head, used FROM workspaces WHERE hash = ?', encodeHash(hash));
    return row && decodeRow(row as WorkspaceRow);
  }

  findByKey(key: string): Head | undefined {
    const find = 'SELECT number, hash, head, used FROM workspaces WHERE number = ? AND hash IS NOT NULL';
    const row = this.get(find, Number(key));
    return row && decodeRow(row as WorkspaceRow);
  }

  /** Reads records after a number, until there are `sliceBytes` of them. `isMore` says that others may follow. */
  readRecords(key: string, after: number): { records: StoredText[]; isMore: boolean } {
    const select = 'SELECT seq, kind, text FROM records WHERE workspace = ? AND seq > ? ORDER BY seq';
    const records: StoredText[] = [];
    let bytes = 0;
    for (const row of this.#prepare(select).iterate(Number(key), after)) {
      const record = row as RecordRow;
      records.push(record);
      bytes += record.text.length;
      if (bytes >= sliceBytes) return { records, isMore: true };
    }
    return { records, isMore: false };
  }

  /** Reads stored replies after a name, without their texts. */
  readReplies(key: string, after: string): KeptReply[] {
    const select = `SELECT name, fingerprint, expires_at AS expiresAt, bytes FROM replies
      WHERE workspace = ? AND name > ? ORDER BY name LIMIT ${repliesOfSlice}`;
    return this.#prepare(select).all(Number(key), after) as ReplyRow[];
  }

  readActivity(
    key: string,
    { before = 0, after, limit }: { before?: number; after?: number; limit: number },
  ) {
    const [compare, from, order] =
      after === undefined ? ['<', before || Number.MAX_SAFE_INTEGER, 'DESC'] : ['>', after, 'ASC'];
    const select = `SELECT text FROM activity WHERE workspace = ? AND revision ${compare} ?
      ORDER BY revision ${order} LIMIT ? + 0`;
    const rows = this.#prepare(select).all(Number(key), Number(from), limit);
    return rows.map(({ text }) => JSON.parse(text as string) as ActivityEntry);
  }

  follow(token: string, now: number): TokenTarget | undefined {
    const find = `SELECT workspace, goal FROM tokens WHERE name IN (?, ?) AND expires_at > ?
      ORDER BY length(name) DESC LIMIT 1`;
    const row = this.get(find, ...toTokenNames(token), now);
    return row && { key: String(row.workspace), to: row.goal as string };
  }

  /**
   * Writes a change in the open transaction. Returns the key of the workspace, or undefined if the workspace has
   * changed since the change was decided.
   */
  write(commit: Commit): string | undefined {
    const { before, after, keyToken } = commit;
    if (keyToken && this.follow(keyToken.name, keyToken.now)?.key !== keyToken.before?.key) return undefined;
    if (!after) return this.#delete(commit) ? before!.key : undefined;
    const number = before ? this.#updateWorkspace(before, after) : this.#insertWorkspace(after);
    if (number === undefined) return undefined;
    this.#writeRecords(number, commit);
    this.#writeReplies(number, commit);
    this.#writeTokens(number, commit);
    this.#writeActivity(number, commit);
    return String(number);
  }

  #insertWorkspace(head: Head): number | undefined {
    const insert = `INSERT INTO workspaces (hash, expires_at, version, head, used)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`;
    const { changes, lastInsertRowid } = this.run(insert, encodeHash(head.hash), ...encodeColumns(head));
    return Number(changes) === 1 ? Number(lastInsertRowid) : undefined;
  }

  #updateWorkspace(before: Head, after: Head): number | undefined {
    const update = `UPDATE workspaces SET hash = ?, expires_at = ?, version = ?, head = ?, used = ?
      WHERE number = ? AND version = ? AND hash = ?`;
    const where = [Number(before.key), before.version, encodeHash(before.hash)] as const;
    const { changes } = this.run(update, encodeHash(after.hash), ...encodeColumns(after), ...where);
    return Number(changes) === 1 ? Number(before.key) : undefined;
  }

  #writeRecords(workspace: number, { written, removed }: Commit): void {
    for (const { seq } of removed)
      this.run('DELETE FROM records WHERE workspace = ? AND seq = ?', workspace, seq);
    for (const { entry, text, isNew } of written) {
      if (isNew)
        this.run(
          'INSERT INTO records (workspace, seq, kind, text) VALUES (?, ?, ?, ?)',
          workspace,
          entry.seq,
          entry.kind,
          text,
        );
      else
        this.run('UPDATE records SET text = ? WHERE workspace = ? AND seq = ?', text, workspace, entry.seq);
    }
  }

  #writeReplies(workspace: number, { keptReply, expiredReplies }: Commit): void {
    for (const { name } of expiredReplies)
      this.run('DELETE FROM replies WHERE workspace = ? AND name = ?', workspace, name);
    if (!keptReply) return;
    const { name, fingerprint, expiresAt, bytes, text } = keptReply;
    const insert = `INSERT INTO replies (workspace, name, fingerprint, expires_at, bytes, text)
      VALUES (?, ?, ?, ?, ?, ?)`;
    this.run(insert, workspace, name, fingerprint, expiresAt, bytes, text);
  }

  #writeTokens(workspace: number, { keyToken, addedTokens, removedTokens }: Commit): void {
    if (keyToken) this.writeToken(workspace, keyToken);
    for (const [name, target] of Object.entries(addedTokens)) this.writeToken(workspace, { name, ...target });
    this.#deleteTokens(removedTokens);
  }

  /** Adds or replaces a token that leads to a workspace. */
  writeToken(workspace: number, { name, to, expiresAt }: { name: string; to: string; expiresAt: number }) {
    const insert = 'INSERT OR REPLACE INTO tokens (name, workspace, goal, expires_at) VALUES (?, ?, ?, ?)';
    this.run(insert, encodeHash(name), workspace, to, expiresAt);
  }

  #deleteTokens(names: readonly string[]): void {
    for (const name of names) this.run('DELETE FROM tokens WHERE name IN (?, ?)', ...toTokenNames(name));
  }

  #writeActivity(workspace: number, { activity, removed }: Commit): void {
    if (removed.length > 0) this.#blankActivity(workspace, removed);
    const insert = 'INSERT INTO activity (workspace, revision, text) VALUES (?, ?, ?)';
    for (const entry of activity) this.run(insert, workspace, entry.revision, JSON.stringify(entry));
    const revision = activity.at(-1)?.revision ?? 0;
    if (revision > mostActivity)
      this.run(
        'DELETE FROM activity WHERE workspace = ? AND revision <= ?',
        workspace,
        revision - mostActivity,
      );
  }

  /** Removes the names and the values of removed records from the activity. */
  #blankActivity(workspace: number, removed: Commit['removed']): void {
    const entries = this.readActivity(String(workspace), { after: 0, limit: mostActivity });
    const update = 'UPDATE activity SET text = ? WHERE workspace = ? AND revision = ?';
    for (const entry of listBlanked(entries, removed))
      this.run(update, JSON.stringify(entry), workspace, entry.revision);
  }

  #delete(commit: Commit): boolean {
    const { key, version } = commit.before!;
    const number = Number(key);
    const find = 'SELECT 1 FROM workspaces WHERE number = ? AND version = ? AND hash IS NOT NULL';
    if (!this.get(find, number, version)) return false;
    this.deleteWorkspace(number, rowsAtOnce);
    this.#writeTokens(number, commit);
    return true;
  }

  /** Deletes at most `limit` rows of a workspace, and the workspace if none are left. Returns how many it deleted. */
  deleteWorkspace(workspace: number, limit: number): number {
    let rows = 0;
    for (const [table, column] of [
      ['records', 'seq'],
      ['replies', 'name'],
      ['activity', 'revision'],
    ]) {
      const part = `SELECT ${column} FROM ${table} WHERE workspace = ?1 LIMIT ?2`;
      const remove = `DELETE FROM ${table} WHERE workspace = ?1 AND ${column} IN (${part})`;
      rows += Number(this.run(remove, workspace, limit - rows).changes);
    }
    if (rows < limit) this.run('DELETE FROM workspaces WHERE number = ?', workspace);
    else {
      const hide = `UPDATE workspaces SET hash = NULL, expires_at = 0, version = '', head = '' WHERE number = ?`;
      this.run(hide, workspace);
    }
    return rows;
  }

  /** Deletes a part of what has expired. Returns whether more may be left. */
  deleteExpired(now: number): boolean {
    const find = `SELECT number FROM workspaces INDEXED BY workspaces_by_expiry
      WHERE expires_at <= ? LIMIT ${workspacesAtOnce}`;
    const expired = this.#prepare(find).all(now);
    let rows = 0;
    for (const { number } of expired)
      if (rows < rowsAtOnce) rows += this.deleteWorkspace(number as number, rowsAtOnce - rows);
    if (rows >= rowsAtOnce || expired.length === workspacesAtOnce) return true;
    const removeTokens = `DELETE FROM tokens WHERE name IN
      (SELECT name FROM tokens INDEXED BY tokens_by_expiry WHERE expires_at <= ? LIMIT ${tokensAtOnce})`;
    return Number(this.run(removeTokens, now).changes) === tokensAtOnce;
  }

  writeUsed(key: string, used: MonthlyCalls): void {
    this.run('UPDATE workspaces SET used = ? WHERE number = ?', encodeUsed(used), Number(key));
  }

  /** Yields the content of a workspace, slice by slice. */
  *readSlices(key: string): Generator<Slice> {
    let [after, isMore] = [0, true];
    while (isMore) {
      const slice = this.readRecords(key, after);
      const { records } = slice;
      if (records.length > 0) yield { records, replies: [] };
      after = records.at(-1)?.seq ?? after;
      isMore = slice.isMore;
    }
    let name = '';
    for (;;) {
      const replies = this.readReplies(key, name);
      if (replies.length > 0) yield { records: [], replies };
      if (replies.length < repliesOfSlice) return;
      name = replies.at(-1)!.name;
    }
  }
}

const encodeColumns = (head: Head) =>
  [head.expiresAt, head.version, encodeHead(head), encodeUsed(head.used)] as const;

const decodeRow = ({ number, hash, head, used }: WorkspaceRow): Head =>
  decodeHead(String(number), decodeHash(hash), head, decodeUsed(used));
