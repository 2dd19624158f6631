import type { Store } from '../../../src/records/store.ts';
import { makeCore } from '../core.ts';
import { makeSigner } from '../receipts.ts';
import { send } from '../wire.ts';
import type { Send } from './run.ts';

const signer = await makeSigner();
const settings = { recordCeiling: 20, retentionSeconds: 3600, workBits: 8 };

/** The core in this process, over workspaces that hold 20 records each: in memory unless a store is given. */
export function toCore(store?: Store): Send {
  const { ask } = makeCore({ signer, settings, ...(store && { store }) });
  return async (method, target, headers, body) => {
    const { status, headers: told, text } = await ask(method, target, body, headers);
    return { status, type: told['Content-Type'] ?? '', text };
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
