import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Row {
  status: string;
  onetCode: string;
  [member: string]: unknown;
}

/** What every peer answers from: rows, constant headers and sentences, as our server answers them. */
export interface Facts {
  placements: Row[];
  candidates: Row[];
  codes: string[];
  listHeaders: Record<string, string>;
  createHeaders: Record<string, string>;
  /** The 201 to a create of a candidate; the answer to another create differs in what was sent and when. */
  created: { candidate: Row & { links: object }; workspace: string; retention: { seconds: number } };
  /** The tool listPlacements as tools/list has it. */
  tool: { name: string; title: string; description: string; inputSchema: object };
}

export const facts: Facts = JSON.parse(readFileSync(process.env.GIVEN!, 'utf8'));
export const port = Number(process.env.PORT);
/** 'map': the peer that keeps what is created in memory; 'logged': the one that keeps our log. */
export const variant = process.env.VARIANT;

export type Query = { status?: string; occupation?: string; limit?: number };
export type Collection = 'placements' | 'candidates';

const isUnder = (code: string, filter: string) => code === filter || code.startsWith(filter);

/** One page of a collection, as filtered, with the cursor of the next. */
export function toList(collection: Collection, { status, occupation, limit = 50 }: Query): object {
  const all = facts[collection];
  const rows = all.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (occupation === undefined || isUnder(row.onetCode, occupation)),
  );
  const body = { type: 'OK', [collection]: rows.slice(0, limit), total: rows.length };
  if (rows.length <= limit) return body;
  const position = all.indexOf(rows[limit - 1]!);
  return { ...body, nextCursor: btoa(`${collection}:${position}`).replaceAll('=', '') };
}

const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;

export function toRequestId(): string {
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
}

const { name: _, onetCode: __, skills: ___, metro: ____, ...ofEvery } = facts.created.candidate;

/** A candidate in a fresh workspace: what is kept, and the 201 that says so. */
export function toCreated(body: { onetCode: string }) {
  const id = `cand_${randomBytes(8).toString('hex')}`;
  const workspace = `ws_${randomBytes(16).toString('hex')}`;
  const now = Date.now();
  const { retention } = facts.created;
  const expiresAt = now + retention.seconds * 1000;
  const { onetCode } = body;
  const links = {
    self: `/candidates/${id}`,
    occupation: `/occupations/${onetCode}`,
    matches: `/candidates/${id}/matches`,
    jobOrders: `/job-orders?status=open&occupation=${onetCode}`,
  };
  const createdAt = new Date(now).toISOString();
  const candidate: Row = { ...ofEvery, ...body, id, createdAt, updatedAt: createdAt, links };
  return {
    hash: createHash('sha256').update(workspace).digest(),
    fact: { id, ...body },
    expiresAt,
    headers: {
      ...facts.createHeaders,
      Location: links.self,
      'X-Workspace': workspace,
      'X-Request-Id': toRequestId(),
    },
    reply: {
      type: 'OK',
      candidate,
      workspace,
      retention: { ...retention, expiresAt: new Date(expiresAt).toISOString() },
    },
  };
}

export type Created = ReturnType<typeof toCreated>;

/** A database flushed at every commit, and the one insert that a create costs. */
export function openInserts() {
  const database = new DatabaseSync(join(process.env.DATA_DIR!, 'peer.sqlite'));
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
