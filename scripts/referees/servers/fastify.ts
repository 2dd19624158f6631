/**
 * The two lists on Fastify, validated by its schemas, and creates: with VARIANT=map in memory, else each in a
 * flushed commit of its own.
 */
import fastify from 'fastify';
import {
  type Collection,
  type Created,
  listHeaders,
  openInserts,
  port,
  type Query,
  readCodes,
  toCreated,
  toList,
  toRequestId,
  variant,
} from './facts.ts';

const text = { type: 'string', minLength: 1, maxLength: 200 };
const querystring = {
  type: 'object',
  properties: {
    status: text,
    occupation: text,
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    cursor: text,
  },
};
const body = {
  type: 'object',
  required: ['name', 'onetCode'],
  properties: {
    name: text,
    onetCode: { type: 'string', enum: await readCodes() },
    skills: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 80 } },
    metro: text,
  },
};

const app = fastify();
const answer = (collection: Collection) =>
  app.get<{ Querystring: Query }>(`/${collection}`, { schema: { querystring } }, (request, reply) => {
    reply.headers({ ...listHeaders, 'X-Request-Id': toRequestId() });
    return reply.send(toList(collection, request.query));
  });
answer('placements');
answer('candidates');

const kept = new Map<string, object>();
const keep =
  variant === 'map'
    ? ({ hash, fact }: Created) => kept.set(hash.toString('hex'), fact)
    : openInserts().insert;

app.post<{ Body: { onetCode: string } }>('/candidates', { schema: { body } }, (request, reply) => {
  const created = toCreated(request.body);
  keep(created);
  return reply.code(201).headers(created.headers).send(created.reply);
});

await app.listen({ port, host: '127.0.0.1' });
