import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/records/store.ts';
import { workspaceIdPattern } from '../../../src/records/workspace.ts';
import { type Contract, type ContractOperation, toContractCheck, withResponses } from '../contract.ts';
import { makeCore } from '../core.ts';
import { makeSigner } from '../receipts.ts';
import { send } from '../wire.ts';
import { type FuzzRequest, type Schema, toRequests } from './requests.ts';

/** Sends one request: in this process or over HTTP. The content type of the answer is '' for none. */
export type Send = (
  method: string,
  target: string,
  headers: Record<string, string>,
  body: string | undefined,
) => Promise<{ status: number; type: string; text: string }>;

/** What was sent, by status, and how many results of a tool were compared with HTTP. */
interface FuzzTally {
  requests: number;
  compared: number;
  byStatus: Record<string, number>;
}

const rpcType = { 'Content-Type': 'application/json' };
const toHref = (pairs: [string, unknown][]) =>
  new URLSearchParams(pairs.map(([n, value]) => [n, String(value)]));

const workspaceId = new RegExp(workspaceIdPattern.slice(1, -1), 'g');

/** What a tool takes beside what the operation does. */
const asides = ['id', 'workspace', 'strict', 'idempotencyKey', 'revision'];

/** Fresh ids, tokens and times are not alike in two creates; all else must be. */
function toComparable(text: string): string {
  return text
    .replace(/\b(cand|job|plc)_[0-9a-hjkmnp-tv-z]{16}\b/g, '$1_')
    .replace(workspaceId, 'ws_')
    .replace(/\bclm_[0-9a-hjkmnp-tv-z]{32}\b|"userCode":"[^"]+"/g, 'clm_')
    .replace(/"(expires|created|updated|exported)At":"[^"]+"/g, '');
}

/** The arguments of a tool that ask what the request asks, or undefined where no arguments can. */
function toArguments(
  { method, query, body, id, key }: FuzzRequest,
  operation: ContractOperation,
): object | undefined {
  // A change that was made once finds another record the second time.
  if (key !== 'none' || method === 'PATCH' || method === 'DELETE') return undefined;
  if (method === 'POST') {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const isPlain = isObject && ![...asides, 'ref'].some((name) => Object.hasOwn(body, name));
    return isPlain ? { ...body, ...(id !== undefined && { id }) } : undefined;
  }
  const names = query.map(([name]) => name);
  if (new Set(names).size < names.length || [...asides, '__proto__'].some((name) => names.includes(name)))
    return undefined;
  const schemaOf = (name: string) => operation.parameters?.find((one) => one.name === name)?.schema as Schema;
  for (const [name, value] of query) {
    const isNumeric = /number|integer/.test(String(schemaOf(name)?.type));
    if (
      isNumeric !== (typeof value === 'number') ||
      Object.is(value, -0) ||
      Math.abs(Number(value)) === Infinity
    )
      return undefined;
    if (typeof value === 'string' && !value.isWellFormed()) return undefined;
  }
  return { ...Object.fromEntries(query), ...(id !== undefined && { id }) };
}

/** Fuzzes what answers behind `send`, and holds every reply to the contract. Throws at the first that breaks it. */
export async function fuzz(told: Contract, send: Send, runs: number, seed: number): Promise<FuzzTally> {
  const contract = withResponses(told);
  const { check } = toContractCheck(contract);
  const tally: FuzzTally = { requests: 0, compared: 0, byStatus: {} };
  const tools = new Set<string>();
  const listed = await send('POST', '/mcp', rpcType, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  for (const { name } of JSON.parse(listed.text).result.tools) tools.add(name);
  // It leaves nothing to compare it in.
  tools.delete('deleteWorkspace');
  let own = '';
  let made = 0;
  const usedKey = randomUUID();

  async function ask(request: FuzzRequest) {
    const { method, path, template, query, body, workspace, key } = request;
    if (own === '' || made > 30) {
      const sent = await send('POST', '/candidates', rpcType, '{"name":"Ann","onetCode":"15-1252.00"}');
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
    const headers = { ...rpcType, ...ids[workspace], ...keys[key] };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const target = query.length > 0 ? `${path}?${toHref(query)}` : path;
    const sent = /^(GET|HEAD)$/.test(method) ? undefined : (text as string | undefined);
    const answer = await send(method, target, headers, sent);
    if (method === 'POST' && answer.status === 201) made += 1;
    if (method === 'DELETE' && template === '/workspace' && answer.status === 200) own = '';
    return { ...answer, target, headers };
  }

  async function hold(request: FuzzRequest): Promise<void> {
    const { method, path, template } = request;
    const operation = template === undefined ? undefined : contract.paths[template]?.[method.toLowerCase()];
    const { status, type, text, headers, target } = await ask(request);
    tally.requests += 1;
    tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
    const what = `${method} ${target} answered ${status}: ${text.slice(0, 300)}`;
    assert.ok(status < 500, what);
    if (operation) assert.ok(operation.responses[status], `${what}\nwhich the contract does not have`);
    check(method, path, status, type, text);
    if (status >= 400 && text !== '' && method !== 'HEAD') {
      const body = JSON.parse(text);
      const envelope = body.error ? body.error.data : body;
      assert.ok(['BLOCKED', 'EMPTY', 'OFFER'].includes(envelope.type), what);
    }
    if (!operation || !tools.has(operation.operationId)) return;
    const args = toArguments(request, operation);
    if (args === undefined) return;
    const takes = (name: string) => operation.parameters?.some((one) => one.name === name);
    // A list tool has a shorter page unless told otherwise.
    const usual = { matchWorkspace: 3, matchCandidates: 10, matchJobOrders: 10 }[operation.operationId] ?? 20;
    const limit = takes('limit') && !('limit' in args) ? [['limit', usual] as [string, unknown]] : [];
    const query = [...request.query, ...limit];
    const twin = limit.length > 0 ? await ask({ ...request, query }) : { text, headers };
    const workspace = takes('X-Workspace')
      ? (twin.headers as Record<string, string>)['X-Workspace']
      : undefined;
    const params = { name: operation.operationId, arguments: { ...args, ...(workspace && { workspace }) } };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result } = JSON.parse((await send('POST', '/mcp', rpcType, call)).text);
    // The create before took the last place.
    if (status === 201 && result.structuredContent.type === 'OFFER') return;
    const told = JSON.parse(twin.text);
    tally.compared += 1;
    // A model hears of these by a refusal.
    const refused = ['unknown_name', 'wrong_reference'];
    if (told.warnings?.some(({ code }: { code: string }) => refused.includes(code))) {
      assert.is(result.structuredContent.code, 'invalid_request', `${what}\nby tool: ${call}`);
      return;
    }
    if (told.type === 'OFFER' && result.isError) return;
    // What is not there is told of in words of tools.
    if (told.type === 'EMPTY') {
      assert.is(result.structuredContent.type, 'EMPTY', `${what}\nby tool: ${call}`);
      return;
    }
    if (told.type === 'BLOCKED') {
      // A name that it does not have is refused before all else.
      const codes = [told.code, 'invalid_request'];
      assert.ok(codes.includes(result.structuredContent.code), `${what}\nby tool: ${call}`);
      return;
    }
    // What can be waited for has its tag here, where HTTP has a header.
    if (takes('If-None-Match')) delete result.structuredContent.tag;
    assert.is(
      toComparable(JSON.stringify(result.structuredContent)),
      toComparable(twin.text),
      `${what}\nby tool: ${call}`,
    );
  }

  await fc.assert(fc.asyncProperty(toRequests(contract), hold), {
    numRuns: runs,
    seed,
    includeErrorInReport: true,
  });
  return tally;
}

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
