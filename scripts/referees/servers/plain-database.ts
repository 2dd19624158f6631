import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A body as sent. */
export interface Body {
  onetCode?: string;
  [member: string]: unknown;
}

/** A stored record. */
export interface DeskRecord {
  id: string;
  onetCode?: string;
  skills?: string[];
  metro?: string;
  revision?: number;
  [member: string]: unknown;
}
export interface StoredRow {
  record: DeskRecord;
}
interface Occupation {
  id: string;
  title: string;
  summary?: string;
  alternateTitles?: string[];
}

const tables = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE records (
  workspace TEXT NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL, seq INTEGER NOT NULL,
  status TEXT, onet_code TEXT, body TEXT NOT NULL, PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX by_collection ON records (workspace, collection, seq);
CREATE TABLE kept (workspace TEXT NOT NULL, key TEXT NOT NULL, reply TEXT NOT NULL, PRIMARY KEY (workspace, key));
CREATE TABLE occupations (id TEXT PRIMARY KEY, title TEXT NOT NULL, summary TEXT);
CREATE VIRTUAL TABLE titles USING fts5 (title, code UNINDEXED, tokenize = 'porter unicode61');
`;

/** The best rows of a query by BM25, one for each occupation. */
const search = `
SELECT o.id, o.title, o.summary, found.title AS matched, min(found.rank) AS distance
FROM (SELECT title, code, rank FROM titles WHERE titles MATCH ? ORDER BY rank LIMIT 100) AS found
JOIN occupations AS o ON o.id = found.code
GROUP BY o.id ORDER BY distance LIMIT ?
`;

const toRow = ({ body }: Record<string, unknown>): StoredRow => ({ record: JSON.parse(body as string) });

/** The records and titles of the plain desk, in a file of SQLite. Each change is durable when its function returns. */
export class DeskDatabase {
  readonly #database = new DatabaseSync(join(process.env.DATA_DIR!, 'desk.sqlite'));
  #seq = 0;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  constructor() {
    this.#database.exec(tables);
  }

  #prepare(sql: string) {
    return this.#statements.getOrInsertComputed(sql, () => this.#database.prepare(sql));
  }

  addOccupation({ id, title, summary, alternateTitles = [] }: Occupation): void {
    this.#prepare('INSERT INTO occupations VALUES (?, ?, ?)').run(id, title, summary ?? null);
    const add = this.#prepare('INSERT INTO titles (title, code) VALUES (?, ?)');
    for (const name of [title, ...alternateTitles]) add.run(name, id);
  }

  insert(workspace: string, collection: string, record: DeskRecord): StoredRow {
    this.#seq += 1;
    const { id, status, onetCode } = record;
    this.#prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      ...[workspace, id, collection, this.#seq],
      ...[(status as string) ?? null, onetCode ?? null, JSON.stringify(record)],
    );
    return { record };
  }

  find(workspace: string, id: string): StoredRow | undefined {
    const row = this.#prepare('SELECT body FROM records WHERE workspace = ? AND id = ?').get(workspace, id);
    return row && toRow(row);
  }

  update(workspace: string, id: string, patch: Body): StoredRow | undefined {
    const before = this.find(workspace, id);
    if (!before) return undefined;
    const revision = (before.record.revision ?? 0) + 1;
    const record = { ...before.record, ...patch, revision, updatedAt: new Date().toISOString() };
    this.#prepare('UPDATE records SET body = ?, onet_code = ? WHERE workspace = ? AND id = ?').run(
      ...[JSON.stringify(record), record.onetCode ?? null, workspace, id],
    );
    return { record };
  }

  list(
    workspace: string,
    collection: string,
    query: { status?: string; occupation?: string; limit: number },
  ) {
    const conditions = ['workspace = ?', 'collection = ?'];
    const values: (string | number)[] = [workspace, collection];
    if (query.status !== undefined) {
      conditions.push('status = ?');
      values.push(query.status);
    }
    if (query.occupation !== undefined) {
      conditions.push('onet_code = ?');
      values.push(query.occupation);
    }
    const where = conditions.join(' AND ');
    const rows = this.#prepare(`SELECT body FROM records WHERE ${where} ORDER BY seq LIMIT ?`).all(
      ...[...values, query.limit],
    );
    const { total } = this.#prepare(`SELECT count(*) AS total FROM records WHERE ${where}`).get(...values)!;
    return { rows: rows.map(toRow), total };
  }

  count(workspace: string) {
    const sql = 'SELECT collection, count(*) AS number FROM records WHERE workspace = ? GROUP BY collection';
    return Object.fromEntries(
      this.#prepare(sql)
        .all(workspace)
        .map(({ collection, number }) => [collection, number]),
    );
  }

  /** Runs a change in one durable transaction, or returns the reply that is kept under its key. */
  once(workspace: string, key: string | undefined, change: () => object): object {
    const scope = [workspace, key ?? ''];
    const kept = key && this.#prepare('SELECT reply FROM kept WHERE workspace = ? AND key = ?').get(...scope);
    if (kept) return JSON.parse(kept.reply as string);
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const reply = change();
      if (key) this.#prepare('INSERT INTO kept VALUES (?, ?, ?)').run(...scope, JSON.stringify(reply));
      this.#database.exec('COMMIT');
      return reply;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Finds occupations by titles that have all words of the query, or else any of them. Best first, by BM25. */
  search(query: string, limit: number) {
    const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    const find = (operator: string) => this.#prepare(search).all(words.join(operator), limit);
    const all = words.length === 0 ? [] : find(' AND ');
    const occupations = all.length > 0 || words.length < 2 ? all : find(' OR ');
    return { occupations, total: occupations.length };
  }

  /** Scores the candidates of a workspace for an order: occupation, skills and place. */
  match(workspace: string, order: DeskRecord, limit: number) {
    const sql = "SELECT body FROM records WHERE workspace = ? AND collection = 'candidates'";
    const matches = this.#prepare(sql)
      .all(workspace)
      .map(toRow)
      .flatMap((row) => {
        const { onetCode, skills = [], metro } = row.record;
        const wanted = order.skills ?? [];
        const shared = wanted.filter((skill) => skills.includes(skill));
        const isSame = onetCode === order.onetCode;
        const isNear = !isSame && onetCode?.slice(0, 2) === order.onetCode?.slice(0, 2);
        const occupation = isSame ? 60 : isNear ? 20 : 0;
        const skill = wanted.length === 0 ? 25 : (25 * shared.length) / wanted.length;
        const place = !order.metro || metro === order.metro ? 15 : 0;
        if (occupation === 0) return [];
        const reasons = [
          {
            factor: 'occupation',
            points: occupation,
            text: isSame ? 'is of the same occupation' : 'is near',
          },
          { factor: 'skills', points: skill, text: `has ${shared.length} of ${wanted.length} skills` },
          { factor: 'metro', points: place, text: metro ? `is in ${metro}` : 'names no metro area' },
        ];
        return [{ score: occupation + skill + place, reasons, row }];
      });
    matches.sort((a, b) => b.score - a.score);
    return { matches: matches.slice(0, limit), total: matches.length };
  }
}
