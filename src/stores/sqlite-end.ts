import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ActivityEntry } from '../workspace/activity.ts';
import type { Head } from '../workspace/head.ts';
import { noChange } from '../workspace/store.ts';
import { checkHeader, toPlainError } from './backup-file.ts';
import { commandAdvice, databaseName, holdDataDir, makeFolder } from './data-dir.ts';
import { refuseForeignLog } from './sqlite-log.ts';
import { SqliteTables } from './sqlite-tables.ts';
import type { StoredToken, TransferEnd, WholeWorkspace } from './transfer-end.ts';
import { upgradeWhole } from './upgrade-record.ts';

const rowsAtOnce = 500;

/** Returns the path of a database: the path itself, or that of the database in the folder that it names. */
function toDatabasePath(place: string): string {
  const path = resolve(place.replace(/^(sqlite|file):(\/\/)?/, ''));
  const isFile = existsSync(path) ? statSync(path).isFile() : /\.\w+$/.test(basename(path));
  const file = isFile ? path : join(path, databaseName);
  // A service may use the file that a link names. Its log lies beside the file itself.
  return existsSync(file) ? realpathSync(file) : file;
}

/** Holds the folder of a database that a service may use. */
function hold(path: string): () => void {
  if (basename(path) !== databaseName) return () => {};
  try {
    return holdDataDir(dirname(path), commandAdvice);
  } catch (error) {
    throw new Error(`${dirname(path)} cannot be used: ${(error as Error).message}`);
  }
}

function openTables(path: string, role: 'source' | 'target'): SqliteTables {
  if (role === 'target') return new SqliteTables(path);
  refuseForeignLog(path);
  return new SqliteTables(path, new DatabaseSync(path, { readOnly: true }));
}

/** A database file, or the folder of a service, as one end of a transfer. */
export class SqliteEnd implements TransferEnd {
  readonly #path: string;
  readonly #tables: SqliteTables;
  readonly #release: () => void;

  /** Creates a target that is missing. Throws a plain message if a service uses it, or if it is not ours. */
  constructor(place: string, role: 'source' | 'target') {
    this.#path = toDatabasePath(place);
    if (role === 'target') makeFolder(dirname(this.#path));
    if (role === 'source' || existsSync(this.#path)) checkHeader(this.#path);
    this.#release = hold(this.#path);
    try {
      this.#tables = openTables(this.#path, role);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  *listKeys(): Generator<string[]> {
    const select = `SELECT number FROM workspaces WHERE number > ? AND hash IS NOT NULL
      ORDER BY number LIMIT ${rowsAtOnce}`;
    for (let last = 0; ; ) {
      const keys = this.#tables.database
        .prepare(select)
        .all(last)
        .map(({ number }) => Number(number));
      if (keys.length === 0) return;
      yield keys.map(String);
      last = keys.at(-1)!;
    }
  }

  async readHead(key: string): Promise<Head | undefined> {
    return this.#tables.findByKey(key);
  }

  async find(hash: string): Promise<Head | undefined> {
    return this.#tables.findByHash(hash);
  }

  async read(key: string): Promise<WholeWorkspace | undefined> {
    const head = this.#tables.findByKey(key);
    if (!head) return undefined;
    const whole: WholeWorkspace = { head, records: [], replies: [], activity: [] };
    const select = 'SELECT text FROM replies WHERE workspace = ? AND name = ?';
    for (const { records, replies } of this.#tables.readSlices(key)) {
      whole.records.push(...records);
      for (const reply of replies)
        whole.replies.push({
          ...reply,
          text: String(this.#tables.get(select, Number(key), reply.name)!.text),
        });
    }
    const range = { after: 0, limit: Number.MAX_SAFE_INTEGER };
    whole.activity = this.#tables.readActivity(key, range) as ActivityEntry[];
    return upgradeWhole(whole);
  }

  async add({ head, records, replies, activity }: WholeWorkspace): Promise<void> {
    this.#write((tables) => {
      const written = records.map(({ kind, seq, text }) => {
        const record = { id: '', onetCode: '' };
        return { entry: { kind, seq, record, bytes: 0 }, text, isNew: true };
      });
      const key = tables.write({ ...noChange, before: undefined, after: head, written, activity });
      if (key === undefined)
        throw new Error(`${this.#path} has a workspace of the same id. Name an empty target.`);
      const stored = { before: { ...head, key }, after: head };
      for (const keptReply of replies) tables.write({ ...noChange, ...stored, keptReply });
    });
  }

  *listTokens(): Generator<StoredToken[]> {
    const select = `SELECT lower(hex(name)) AS name, workspace, goal, expires_at FROM tokens
      WHERE name > ? ORDER BY name LIMIT ${rowsAtOnce}`;
    for (let last = ''; ; ) {
      const rows = this.#tables.database.prepare(select).all(Buffer.from(last, 'hex'));
      const tokens = rows.map((row) => ({
        name: String(row.name),
        key: String(row.workspace),
        to: String(row.goal),
        expiresAt: Number(row.expires_at),
      }));
      if (tokens.length === 0) return;
      yield tokens;
      last = tokens.at(-1)!.name;
    }
  }

  async readToken(token: string): Promise<StoredToken | undefined> {
    const select = 'SELECT workspace, goal, expires_at FROM tokens WHERE name = ?';
    const row = this.#tables.get(select, Buffer.from(token, 'hex'));
    return (
      row && {
        name: token,
        key: String(row.workspace),
        to: String(row.goal),
        expiresAt: Number(row.expires_at),
      }
    );
  }

  async writeToken(token: StoredToken): Promise<void> {
    this.#write((tables) => tables.writeToken(Number(token.key), token));
  }

  /** Writes in the open transaction, which it begins if there is none. */
  #write(run: (tables: SqliteTables) => void): void {
    try {
      if (!this.#tables.database.isTransaction) this.#tables.database.exec('BEGIN IMMEDIATE');
      run(this.#tables);
    } catch (error) {
      throw toPlainError(error, this.#path);
    }
  }

  async flush(): Promise<void> {
    if (this.#tables.database.isTransaction) this.#write((tables) => tables.commit());
  }

  async close(): Promise<void> {
    const { database } = this.#tables;
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
    this.#release();
  }
}
