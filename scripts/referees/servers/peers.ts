/** Runs the peer named in PEER. It answers as our server at the port REFERENCE does. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { creates, get, post, send, type Wire } from '../../bench/wire.ts';

interface Row {
  status: string;
  onetCode: string;
  [member: string]: unknown;
}
type Query = { status?: string; occupation?: string; limit?: string | number };
const collections = ['placements', 'candidates'] as const;
type Collection = (typeof collections)[number];

const [port, host] = [Number(process.env.PORT), '127.0.0.1'];

/** Reads the JSON and the headers of our server's answer to a request. */
async function learn(request: Wire) {
  const { headers, body } = await send(Number(process.env.REFERENCE), request);
  const { 'content-length': _, ...others } = headers;
  return { headers: others, body: JSON.parse(body.toString()) };
}

const created = await learn(creates[0]!);
const candidate: Row & { links: object } = created.body.candidate;
const retention: { seconds: number } = created.body.retention;
const listHeaders = (await learn(get('/placements?status=completed'))).headers;
const readRows = async (collection: Collection): Promise<Row[]> =>
  (await learn(get(`/${collection}`))).body[collection];
const rows = { placements: await readRows('placements'), candidates: await readRows('candidates') };

const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;
function withId(headers: Record<string, string>): Record<string, string> {
  idCount += 1;
  return { ...headers, 'x-request-id': `${idPrefix}-${idCount.toString(36)}` };
}

const toCursor = (collection: Collection, position: number) =>
  btoa(`${collection}:${position}`).replaceAll('=', '');

/** Returns a filtered page of a collection, with the cursor of the next page. */
function toList(collection: Collection, { status, occupation, limit = 50 }: Query): Record<string, unknown> {
  const all = rows[collection];
  const found = all.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (occupation === undefined || row.onetCode.startsWith(occupation)),
  );
  const count = Number(limit);
  const body = { type: 'OK', [collection]: found.slice(0, count), total: found.length };
  if (found.length <= count) return body;
  return { ...body, nextCursor: toCursor(collection, all.indexOf(found[count - 1]!)) };
}

/** Creates a candidate in a workspace, which is new by default. Returns what is stored, and the reply 201. */
function toCreated(
  body: { onetCode: string },
  workspace: string | undefined = `ws_${randomBytes(16).toString('hex')}`,
) {
  const id = `cand_${randomBytes(8).toString('hex')}`;
  const now = Date.now();
  const expiresAt = now + retention.seconds * 1000;
  const createdAt = new Date(now).toISOString();
  const links = { ...candidate.links, self: `/candidates/${id}`, matches: `/candidates/${id}/matches` };
  return {
    hash: createHash('sha256').update(workspace).digest(),
    fact: { id, ...body },
    expiresAt,
    headers: withId({ ...created.headers, location: links.self, 'x-workspace': workspace }),
    reply: {
      type: 'OK',
      candidate: { ...candidate, ...body, id, createdAt, updatedAt: createdAt, links },
      workspace,
      retention: { ...retention, expiresAt: new Date(expiresAt).toISOString() },
    },
  };
}

type Created = ReturnType<typeof toCreated>;

/** Opens a database that stores each create in its own flushed commit. */
function openInserts() {
  const database = new DatabaseSync(join(process.env.DATA_DIR!, 'peer.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE records (number INTEGER PRIMARY KEY, workspace BLOB NOT NULL UNIQUE, expires_at INTEGER NOT NULL, fact TEXT NOT NULL)',
  );
  const insert = database.prepare('INSERT INTO records (workspace, expires_at, fact) VALUES (?, ?, ?)');
  return ({ hash, expiresAt, fact }: Created) => insert.run(hash, expiresAt, JSON.stringify(fact));
}

function sendText(response: ServerResponse, status: number, headers: Record<string, string>, text: string) {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Answers the two lists as hand-written code on `node:http` would. */
function answerByHand({ url }: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = url!.split('?');
  const asked = Object.fromEntries(new URLSearchParams(query));
  const body = toList(path.slice(1) as Collection, asked);
  sendText(response, 200, withId(listHeaders), JSON.stringify(body));
}

const workspaces = new Map<string, Row[]>();

/** Answers callers with a workspace from a Map: creates, and the list of candidates with an ETag. */
async function answerFromMap(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const workspace = request.headers['x-workspace'] as string | undefined;
  if (request.method === 'POST') {
    const { headers, reply } = toCreated((await json(request)) as Row, workspace);
    workspaces.set(reply.workspace, [...(workspaces.get(reply.workspace) ?? []), reply.candidate]);
    return sendText(response, 201, headers, JSON.stringify(reply));
  }
  const own = workspaces.get(workspace!) ?? [];
  const limit = Number(new URLSearchParams(request.url!.split('?')[1]).get('limit') ?? 50);
  const candidates = own.slice(0, limit);
  const next = toCursor('candidates', candidates.length - own.length - 1);
  const hasMore = candidates.length < own.length;
  const more = hasMore && { nextCursor: next };
  const text = JSON.stringify({ type: 'OK', candidates, total: own.length, ...more });
  const etag = `W/"${createHash('sha1').update(text).digest('base64url')}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
  const link = hasMore && { link: `</candidates?limit=${limit}&cursor=${next}>; rel="next"` };
  sendText(response, 200, withId({ ...listHeaders, ...link, etag }), text);
}

const kept = new Map<string, object>();

/** Starts Fastify with the two lists, validated by its schemas, and creates. */
async function startFastify(keep: (created: Created) => unknown): Promise<void> {
  const { fastify } = await import('fastify');
  const text = { type: 'string', minLength: 1, maxLength: 200 };
  const limit = { type: 'integer', minimum: 1, maximum: 200 };
  const querystring = {
    type: 'object',
    properties: { status: text, occupation: text, limit, cursor: text },
  };
  const { occupations } = (await learn(get('/occupations'))).body;
  const onetCode = { type: 'string', enum: occupations.map(({ id }: { id: string }) => id) };
  const skills = { type: 'array', maxItems: 50, items: { ...text, maxLength: 80 } };
  const body = {
    type: 'object',
    required: ['name', 'onetCode'],
    properties: { name: text, onetCode, skills, metro: text },
  };
  const app = fastify();
  for (const collection of collections)
    app.get<{ Querystring: Query }>(`/${collection}`, { schema: { querystring } }, ({ query }, reply) =>
      reply.headers(withId(listHeaders)).send(toList(collection, query)),
    );
  app.post<{ Body: Row }>('/candidates', { schema: { body } }, (request, reply) => {
    const one = toCreated(request.body);
    keep(one);
    return reply.code(201).headers(one.headers).send(one.reply);
  });
  await app.listen({ port, host });
}

/** Starts Hono with the two lists. */
async function startHono(): Promise<void> {
  const [{ Hono }, { serve }] = await Promise.all([import('hono'), import('@hono/node-server')]);
  const app = new Hono();
  for (const collection of collections)
    app.get(`/${collection}`, (context) =>
      context.json(toList(collection, context.req.query()), 200, withId(listHeaders)),
    );
  serve({ fetch: app.fetch, port, hostname: host });
}

/** Starts the server of the official SDK with the tool listPlacements, stateless as in its guide. */
async function startSdk(): Promise<void> {
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const { createMcpHandler, fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server');
  const { body } = await learn(post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const tool: { title: string; description: string; inputSchema: object } = body.result.tools.find(
    ({ name }: { name: string }) => name === 'listPlacements',
  );
  const { title, description } = tool;
  const inputSchema = fromJsonSchema<Query>(tool.inputSchema);
  const createTools = () => {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    server.registerTool('listPlacements', { title, description, inputSchema }, async (query) => {
      const structuredContent = toList('placements', { limit: 20, ...query });
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
    return server;
  };
  createServer(toNodeHandler(createMcpHandler(createTools))).listen(port, host);
}

const starts: Record<string, () => unknown> = {
  bare: () => createServer(answerByHand).listen(port, host),
  map: () => createServer(answerFromMap).listen(port, host),
  fastify: () => startFastify(openInserts()),
  'fastify map': () => startFastify(({ hash, fact }) => kept.set(hash.toString('hex'), fact)),
  hono: startHono,
  sdk: startSdk,
};
await starts[process.env.PEER!]!();
