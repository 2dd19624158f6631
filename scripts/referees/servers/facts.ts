import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Answer, creates, get, post, send, type Wire } from '../../bench/wire.ts';

export interface Row {
  status: string;
  onetCode: string;
  [member: string]: unknown;
}

/** What our server answers. */
const ask = (request: Wire) => send(Number(process.env.REFERENCE), request);
const readJson = ({ body }: Answer) => JSON.parse(body.toString());

const ofTheAnswer = /^(content-length|content-type|location|x-workspace)$/i;
/** The headers that it sends with every answer like this one. */
const toHeaders = ({ headers }: Answer): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  ...Object.fromEntries(headers.filter(([name]) => !ofTheAnswer.test(name))),
});

const created = await ask(creates[0]!);
/** The 201 to a create of a candidate; the answer to another create differs in what was sent and when. */
const { candidate, retention }: { candidate: Row & { links: object }; retention: { seconds: number } } =
  readJson(created);
const createHeaders = toHeaders(created);
export const listHeaders = toHeaders(await ask(get('/placements?status=completed')));

export type Collection = 'placements' | 'candidates';
const readRows = async (collection: Collection): Promise<Row[]> =>
  readJson(await ask(get(`/${collection}`)))[collection];
export const rows = { placements: await readRows('placements'), candidates: await readRows('candidates') };

/** What only one peer asks for. */
export const readCodes = async (): Promise<string[]> =>
  readJson(await ask(get('/occupations'))).occupations.map(({ id }: { id: string }) => id);
export const readTools = async () =>
  readJson(await ask(post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }))).result.tools;

export const port = Number(process.env.PORT);
/** 'map': the peer that keeps what is created in memory. */
export const variant = process.env.VARIANT;

export type Query = { status?: string; occupation?: string; limit?: string | number };

const isUnder = (code: string, filter: string) => code === filter || code.startsWith(filter);

/** One page of a collection, as filtered, with the cursor of the next. */
export function toList(collection: Collection, { status, occupation, limit = 50 }: Query): object {
  const all = rows[collection];
  const found = all.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (occupation === undefined || isUnder(row.onetCode, occupation)),
  );
  const count = Number(limit);
  const body = { type: 'OK', [collection]: found.slice(0, count), total: found.length };
  if (found.length <= count) return body;
  const position = all.indexOf(found[count - 1]!);
  return { ...body, nextCursor: btoa(`${collection}:${position}`).replaceAll('=', '') };
}

const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;

export function toRequestId(): string {
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
}

/** A candidate in a fresh workspace: what is kept, and the 201 that says so. */
export function toCreated(body: { onetCode: string }) {
  const id = `cand_${randomBytes(8).toString('hex')}`;
  const workspace = `ws_${randomBytes(16).toString('hex')}`;
  const now = Date.now();
  const expiresAt = now + retention.seconds * 1000;
  const createdAt = new Date(now).toISOString();
  const links = { ...candidate.links, self: `/candidates/${id}`, matches: `/candidates/${id}/matches` };
  return {
    hash: createHash('sha256').update(workspace).digest(),
    fact: { id, ...body },
    expiresAt,
    headers: {
      ...createHeaders,
      Location: links.self,
      'X-Workspace': workspace,
      'X-Request-Id': toRequestId(),
    },
    reply: {
      type: 'OK',
      candidate: { ...candidate, ...body, id, createdAt, updatedAt: createdAt, links },
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
