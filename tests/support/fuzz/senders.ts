import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { legalOperations } from '../../../src/hosts/build/build-service.ts';
import { readContent } from '../../../src/hosts/build/read-content.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import type { Store } from '../../../src/records/store.ts';
import { createService } from '../../../src/service.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';
import { operations } from '../../../src/table.ts';
import type { Send } from './run.ts';

/** The core in this process, over workspaces that hold 20 records each: in memory unless a store is given. */
export function toCore(store: Store = openSqliteStore(':memory:')): Send {
  const answer = createAnswer(
    createService({
      operations,
      catalogue: readContent('content', legalOperations),
      store,
      settings: {
        baseUrl: 'http://localhost',
        retentionSeconds: 3600,
        recordCeiling: 20,
        contact: undefined,
        allowedOrigins: [],
        declareTestSuite: false,
        live: true,
      },
      platform: {
        now: Date.now,
        randomBytes,
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
      },
    }),
  );
  return async (method, target, headers, body = '') => {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const lower = Object.entries({ host: 'localhost', ...headers }).map(([n, value]) => [
      n.toLowerCase(),
      value,
    ]);
    const call = { method, path, query, headers: Object.fromEntries(lower), client: '127.0.0.1' };
    const reply = await answer({ ...call, body: new TextEncoder().encode(body) });
    return { status: reply.status, type: reply.headers['Content-Type'] ?? '', text: reply.body };
  };
}

/** A server on this machine, over connections that stay open. */
export function toHttp(port: number): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      // Of a DELETE or an OPTIONS node:http would send the body without a length, as the next request's bytes.
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const options = { port, method, path, headers: { ...headers, ...length }, agent, timeout: 5000 };
      const outgoing = request(options, async (incoming) => {
        let text = '';
        for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
        resolve({ status: incoming.statusCode ?? 0, type: incoming.headers['content-type'] ?? '', text });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}
