import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Contract, toContractCheck, withResponses } from '../../../tests/support/contract.ts';
import { makeSigner } from '../../../tests/support/receipts.ts';
import { send } from '../../../tests/support/wire.ts';
import { World } from '../../../tests/support/world.ts';
import { type FuzzRequest, toRequests } from './requests.ts';

/** Sends one request, in this process or over HTTP. The content type of the answer is '' if it has none. */
export type Send = (
  method: string,
  target: string,
  headers: Record<string, string>,
  body: string | undefined,
) => Promise<{ status: number; type: string; text: string }>;

const json = { 'Content-Type': 'application/json' };
const toHref = (pairs: [string, unknown][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));

/**
 * Fuzzes the service behind `send`, and throws at the first reply that breaks the contract. Returns the
 * number of answers with each status.
 */
export async function fuzz(
  told: Contract,
  send: Send,
  runs: number,
  seed: number,
): Promise<Record<string, number>> {
  const contract = withResponses(told);
  const { check } = toContractCheck(contract);
  const byStatus: Record<string, number> = {};
  const usedKey = randomUUID();
  let own = '';
  let made = 0;

  async function hold({ method, path, template, query, body, workspace, key }: FuzzRequest): Promise<void> {
    if (own === '' || made > 30) {
      const sent = await send('POST', '/candidates', json, '{"name":"Ann","onetCode":"15-1252.00"}');
      own = JSON.parse(sent.text).workspace;
      made = 0;
    }
    const ids = { none: {}, own: { 'X-Workspace': own }, wrong: { 'X-Workspace': `${own.slice(0, -2)}zz` } };
    const keys = {
      none: {},
      fresh: { 'Idempotency-Key': randomUUID() },
      used: { 'Idempotency-Key': `"${usedKey}"` },
      broken: { 'Idempotency-Key': 'a, b' },
    };
    const written = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sent = /^(GET|HEAD)$/.test(method) ? undefined : (written as string | undefined);
    const target = query.length > 0 ? `${path}?${toHref(query)}` : path;
    const headers = { ...json, ...ids[workspace], ...keys[key] };
    const { status, type, text } = await send(method, target, headers, sent);
    if (method === 'POST' && status === 201) made += 1;
    if (method === 'DELETE' && template === '/workspace' && status === 200) own = '';
    byStatus[status] = (byStatus[status] ?? 0) + 1;
    const operation = template === undefined ? undefined : contract.paths[template]?.[method.toLowerCase()];
    const what = `${method} ${target} answered ${status}: ${text.slice(0, 300)}`;
    assert.ok(status < 500, what);
    if (operation) assert.ok(operation.responses[status], `${what}\nwhich the contract does not have`);
    check(method, path, { status, type, text, isPartial: target.includes('fields=') });
    if (status >= 400 && text !== '' && method !== 'HEAD') {
      const told = JSON.parse(text);
      const envelope = told.error ? told.error.data : told;
      assert.ok(['BLOCKED', 'EMPTY', 'OFFER'].includes(envelope.type), what);
    }
  }

  await fc.assert(fc.asyncProperty(toRequests(contract), hold), {
    numRuns: runs,
    seed,
    includeErrorInReport: true,
  });
  return byStatus;
}

const signer = await makeSigner();
const settings = { recordCeiling: 20, retentionSeconds: 3600, workBits: 8 };

/** The core in this process, over workspaces in memory that hold 20 records each. */
export function toCore(): Send {
  const { ask } = new World({ signer, settings });
  return async (method, target, headers, body) => {
    const { status, headers: told, text } = await ask(method, target, body, headers);
    return { status, type: told.get('content-type') ?? '', text };
  };
}

/** A server on this machine, over keep-alive connections. */
export function toHttp(port: number): Send {
  return async (method, path, headers, body) => {
    const reply = await send(`http://localhost:${port}`, path, { method, headers, body });
    const type = reply.headers['content-type'] ?? '';
    return { status: reply.status, type, text: reply.bytes.toString() };
  };
}
