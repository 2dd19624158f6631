/** The two lists on Hono. */
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type Collection, listHeaders, port, toList, toRequestId } from './facts.ts';

const app = new Hono();
const answer = (collection: Collection) => (context: Context) => {
  const body = toList(collection, context.req.query());
  return context.json(body, 200, { ...listHeaders, 'X-Request-Id': toRequestId() });
};
app.get('/placements', answer('placements'));
app.get('/candidates', answer('candidates'));
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
