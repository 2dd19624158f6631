import { legalOperations } from '../../../src/hosts/build/build-service.ts';
import { readContent } from '../../../src/hosts/build/read-content.ts';
import { passkeys } from '../../../src/hosts/node/passkeys.ts';
import { nodePlatform } from '../../../src/hosts/node-platform.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import { toTools } from '../../../src/mcp/tools.ts';
import type { Store } from '../../../src/records/store.ts';
import { createService } from '../../../src/service.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';
import { operations } from '../../../src/table.ts';
import { makeSigner } from '../receipts.ts';
import { settings } from '../settings.ts';
import { send } from '../wire.ts';
import type { Send } from './run.ts';

const signer = await makeSigner();

/** The core in this process, over workspaces that hold 20 records each: in memory unless a store is given. */
export function toCore(store: Store = openSqliteStore(':memory:')): Send {
  const answer = createAnswer(
    createService({
      operations,
      toTools,
      signer,
      passkeys,
      catalogue: readContent('content', legalOperations),
      store,
      settings: { ...settings, recordCeiling: 20 },
      platform: nodePlatform,
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
  return async (method, path, headers, body) => {
    const reply = await send(`http://localhost:${port}`, path, { method, headers, body });
    const type = reply.headers['content-type'] ?? '';
    return { status: reply.status, type, text: reply.bytes.toString() };
  };
}
