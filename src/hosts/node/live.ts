import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toRefusalReply } from '../../core/answer.ts';
import type { Call, Reply } from '../../core/call.ts';
import { toClientAddress } from '../../core/client-address.ts';
import { Refusal } from '../../core/refusal.ts';
import { RpcError, rpcCodes } from '../../operations/mcp/json-rpc.ts';
import type { Limits } from './limits.ts';
import { readBody } from './read-body.ts';

/** What is told where the caller went away before its answer; never sent. */
const callerGone = 499;
const noBody = new Uint8Array();
const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;
const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;

/** The path and query of a request target, still encoded. */
export interface Target {
  path: string;
  query: string;
}

/** A live request that was answered. */
export interface Answered {
  id: string;
  request: IncomingMessage;
  path: string;
  client: string;
  status: number;
  bytes: number;
  ms: number;
}

export interface LiveParts {
  answer(call: Call): Reply | Promise<Reply>;
  limits: Limits;
  /** How many proxies of ours stand in front. */
  proxies: number;
  /** Told of every live answer, after it was sent. */
  onAnswered(answered: Answered): void;
}

/** The caller's X-Request-Id where it is 1 to 128 of `A-Za-z0-9._-`, else one that no other request has. */
export function toRequestId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && requestIdShape.test(header)) return header;
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
}

export function toClient(request: IncomingMessage, proxies: number): string {
  const forwarded = request.headers['x-forwarded-for'];
  return toClientAddress(request.socket.remoteAddress ?? '', forwarded as string | undefined, proxies);
}

/** The refusal as its door words it: /mcp answers JSON-RPC. */
function toRefused(error: unknown, path: string): Reply {
  const reply = toRefusalReply(error);
  if (path !== '/mcp' || !(error instanceof Refusal) || reply.status !== 429) return reply;
  const rpc = new RpcError(429, rpcCodes.rateLimited, error.message, {}, 'rate_limited');
  return { ...reply, body: JSON.stringify(rpc.toBody(undefined)) };
}

/** `fields` with those of a reply added: a list field that both have becomes one list (RFC 9110 section 5.3). */
function join(fields: Record<string, string>, added: Record<string, string>): Record<string, string> {
  if (!added.RateLimit || !fields.RateLimit) return { ...fields, ...added };
  return {
    ...fields,
    ...added,
    RateLimit: `${fields.RateLimit}, ${added.RateLimit}`,
    'RateLimit-Policy': `${fields['RateLimit-Policy']}, ${added['RateLimit-Policy']}`,
  };
}

/** Answers one request from the core, within the limits, and tells of it. `inFlight` holds it meanwhile. */
export function createLive({ answer, limits, proxies, onAnswered }: LiveParts) {
  const inFlight = new Set<ServerResponse>();

  async function toReply(request: IncomingMessage, target: Target, client: string): Promise<Reply> {
    const method = request.method ?? 'GET';
    let fields: Record<string, string> = {};
    try {
      fields = limits.admitLive(client);
      const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
      if (reads) request.resume();
      const body = reads ? noBody : await readBody(request);
      const reply = await answer({ method, ...target, headers: request.headers, body, client });
      return { ...reply, headers: join(fields, reply.headers) };
    } catch (error) {
      const reply = toRefused(error, target.path);
      return { ...reply, headers: { ...fields, ...reply.headers } };
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const start = performance.now();
    const id = toRequestId(request.headers['x-request-id']);
    const client = toClient(request, proxies);
    inFlight.add(response);
    const { status, headers, body } = await toReply(request, target, client);
    inFlight.delete(response);
    const answered = { id, request, path: target.path, client };
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    if (response.destroyed) {
      onAnswered({ ...answered, status: callerGone, bytes: 0, ms });
      return;
    }
    const bytes = Buffer.from(body);
    const length = status === 204 ? {} : { 'Content-Length': bytes.length };
    response.writeHead(status, { ...headers, ...length, 'X-Request-Id': id });
    const isHead = request.method === 'HEAD';
    response.end(isHead ? undefined : bytes);
    onAnswered({ ...answered, status, bytes: isHead ? 0 : bytes.length, ms });
  }

  return { serve, inFlight };
}
