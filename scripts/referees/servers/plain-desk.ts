/**
 * A plain staffing desk, as an engineer would write it in a day: Fastify, `node:sqlite` with durable commits, FTS5 for
 * titles, and the MCP SDK. It answers the requests of the mix with bodies of about the same size as ours.
 *
 * It lacks what the mix does not request: the meter and the limits, gates and gaps of matches, history, conditional
 * requests, refusals that say what to send, expiry, and documents that follow from the code.
 */
import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import { type Answer, get, send } from '../../bench/wire.ts';
import { occupationFacts } from '../../onet/occupation-facts.ts';
import { type Body, DeskDatabase, type DeskRecord, type StoredRow } from './plain-database.ts';
import { createToolHandler } from './plain-tools.ts';

type Collection = 'candidates' | 'job-orders' | 'placements';
interface ListQuery {
  status?: string;
  occupation?: string;
  limit?: number;
}
interface Headers {
  'x-workspace'?: string;
  'idempotency-key'?: string;
}

const port = Number(process.env.PORT);
const reference = Number(process.env.REFERENCE);
const documents = ['/', '/pricing', '/llms.txt', '/openapi.json', '/.well-known/agents.json'];
const collections: readonly Collection[] = ['candidates', 'job-orders', 'placements'];
const seed = 'seed';
const kinds = { candidates: 'candidate', 'job-orders': 'jobOrder', placements: 'placement' } as const;

const readJson = ({ body }: Answer) => JSON.parse(body.toString());

const bodies: Record<Collection, Record<string, DeskRecord[]>> = {
  candidates: readJson(await send(reference, get('/candidates?limit=200'))),
  'job-orders': readJson(await send(reference, get('/job-orders?limit=200'))),
  placements: readJson(await send(reference, get('/placements?limit=200'))),
};

const database = new DeskDatabase();
database.once(seed, undefined, () => {
  for (const fact of occupationFacts) database.addOccupation(fact);
  for (const collection of collections)
    for (const record of bodies[collection][`${kinds[collection]}s`]!)
      database.insert(seed, collection, record);
  return {};
});

const text = { type: 'string', minLength: 1, maxLength: 200 };
const skills = { type: 'array', maxItems: 50, items: { ...text, maxLength: 80 } };
const members = { name: text, client: text, title: text, onetCode: text, skills, metro: text };
const createSchema = { body: { type: 'object', required: ['onetCode'], properties: members } };
const updateSchema = { body: { type: 'object', properties: members } };
const limit = { type: 'integer', minimum: 1, maximum: 200 };
const querystring = { type: 'object', properties: { status: text, occupation: text, limit, q: text } };

/** Adds what a reader of a record expects: its links. */
function present({ record }: StoredRow, collection: Collection) {
  const self = `/${collection}/${record.id}`;
  const links = {
    self,
    occupation: `/occupations/${record.onetCode}`,
    matches: `${self}/matches`,
    others: `/${collection}?occupation=${record.onetCode}`,
  };
  return { ...record, links };
}

function toRecord(body: Body, prefix: string) {
  const now = new Date().toISOString();
  const id = `${prefix}_${randomUUID()}`;
  return { id, ...body, status: 'available', createdAt: now, updatedAt: now, revision: 1, example: false };
}

const retention = { policy: 'ephemeral', seconds: 86_400, statement: 'Forgotten 24 h after the last write.' };
const toReceipt = (workspace: string) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  return { workspace, retention: { ...retention, expiresAt } };
};

const app = fastify({ bodyLimit: 1_048_576 });
const parseJson = app.getDefaultJsonParser('error', 'error');
app.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, parseJson);

for (const path of documents) {
  const { headers, body } = await send(reference, get(path));
  app.get(path, (_, reply) => reply.type(headers['content-type']!).header('etag', headers.etag).send(body));
}

app.get<{ Querystring: { q: string; limit?: number } }>(
  '/occupations',
  { schema: { querystring } },
  ({ query }) => ({ type: 'OK', ...database.search(query.q, query.limit ?? 10) }),
);

for (const collection of collections) {
  const kind = kinds[collection];
  app.get<{ Querystring: ListQuery; Headers: Headers }>(
    `/${collection}`,
    { schema: { querystring } },
    ({ query, headers }) => {
      const workspace = headers['x-workspace'] ?? seed;
      const { rows, total } = database.list(workspace, collection, { limit: 50, ...query });
      return { type: 'OK', [`${kind}s`]: rows.map((row) => present(row, collection)), total };
    },
  );

  app.get<{ Params: { id: string }; Headers: Headers }>(`/${collection}/:id`, (request, reply) => {
    const row = database.find(request.headers['x-workspace'] ?? seed, request.params.id);
    if (!row) return reply.code(404).send({ type: 'Refusal', code: 'not_found' });
    return { type: 'OK', [kind]: present(row, collection) };
  });

  app.post<{ Body: Body; Headers: Headers }>(
    `/${collection}`,
    { schema: createSchema },
    ({ body, headers }, reply) => {
      const workspace = headers['x-workspace'] ?? `ws_${randomUUID()}`;
      const key = headers['idempotency-key'];
      const answer = database.once(workspace, key, () => {
        const row = database.insert(workspace, collection, toRecord(body, kind));
        return { type: 'OK', [kind]: present(row, collection), ...toReceipt(workspace) };
      });
      return reply.code(201).header('x-workspace', workspace).send(answer);
    },
  );

  app.patch<{ Body: Body; Params: { id: string }; Headers: Headers }>(
    `/${collection}/:id`,
    { schema: updateSchema },
    (request, reply) => {
      const row = database.update(request.headers['x-workspace']!, request.params.id, request.body);
      if (!row) return reply.code(404).send({ type: 'Refusal', code: 'not_found' });
      return { type: 'OK', [kind]: present(row, collection) };
    },
  );
}

app.post<{ Body: { candidates?: Body[]; jobOrders?: Body[] }; Headers: Headers }>(
  '/batch',
  ({ body, headers }, reply) => {
    const workspace = headers['x-workspace'] ?? `ws_${randomUUID()}`;
    const answer = database.once(workspace, headers['idempotency-key'], () => {
      const add = (collection: Collection, rows: Body[] = []) =>
        rows.map((row) => {
          const { record } = database.insert(workspace, collection, toRecord(row, kinds[collection]));
          return { id: record.id, href: `/${collection}/${record.id}` };
        });
      const candidates = add('candidates', body.candidates);
      const jobOrders = add('job-orders', body.jobOrders);
      return { type: 'OK', candidates, jobOrders, ...toReceipt(workspace) };
    });
    return reply.code(201).header('x-workspace', workspace).send(answer);
  },
);

app.get<{ Params: { id: string }; Headers: Headers }>('/job-orders/:id/matches', (request, reply) => {
  const workspace = request.headers['x-workspace']!;
  const order = database.find(workspace, request.params.id);
  if (!order) return reply.code(404).send({ type: 'Refusal', code: 'not_found' });
  const { matches, total } = database.match(workspace, order.record, 20);
  const rows = matches.map(({ row, ...match }) => ({ ...match, candidate: present(row, 'candidates') }));
  return { type: 'OK', matches: rows, total };
});

app.get<{ Headers: Headers }>('/workspace', ({ headers }) => {
  const workspace = headers['x-workspace']!;
  return { type: 'OK', counts: database.count(workspace), ...toReceipt(workspace) };
});

const handleTool = createToolHandler(database);
app.post('/mcp', async ({ raw, body }, reply) => {
  reply.hijack();
  await handleTool(raw, reply.raw, body);
});

await app.listen({ port, host: '127.0.0.1' });
