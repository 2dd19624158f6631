/** The two lists on Hono. */
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type Collection, facts, port, toList, toRequestId } from './facts.ts';

const app = new Hono();
const answer = (collection: Collection) => (context: Context) => {
  const { status, occupation, limit } = context.req.query();
  const body = toList(collection, {
    status,
    occupation,
    limit: limit === undefined ? undefined : Number(limit),
  });
  return context.json(body, 200, { ...facts.listHeaders, 'X-Request-Id': toRequestId() });
};
app.get('/placements', answer('placements'));
app.get('/candidates', answer('candidates'));
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
