import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call, Reply, Seen } from '../../kernel/call.ts';
import { hasBody } from '../../kernel/effect.ts';
import { createBodyLimit } from '../../kernel/router.ts';
import { operations } from '../../table.ts';
import { canEncode, encode, toCoding, toVaried } from './coding.ts';
import type { Limits } from './limits.ts';
import { withBody } from './read-body.ts';

const bodyLimit = createBodyLimit(operations);
const paths = new Set(operations.flatMap(({ probe, path }) => (probe ? [path] : [])));

/** Whether a request asks after our health, as its row says, at its plain address. */
export function isProbe(method: string | undefined, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && paths.has(path);
}

/** What is told where the caller went away before its answer; never sent. */
export const callerGone = 499;
const unseen: Seen = { operation: 'none', door: 'http' };
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
  seen: Seen;
}

interface LiveParts {
  answer(call: Call): Reply | Promise<Reply>;
  /** The reply to a call that is turned down before the core sees it. */
  refuse(method: string, path: string, error: unknown): Reply;
  limits: Limits;
  /** The headers of a reply as shared caches are to see them. */
  share(request: IncomingMessage, reply: Reply): Record<string, string>;
  /** Told of every live answer, after it was sent. */
  onAnswered(answered: Answered): void;
}

/** The caller's X-Request-Id where it is 1 to 128 of `A-Za-z0-9._-`, else one that no other request has. */
export function toRequestId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && requestIdShape.test(header)) return header;
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
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

/** Answers one request from the core, within the limits, and tells of it. */
export function createLive({ answer, refuse, limits, share, onAnswered }: LiveParts) {
  /** The reply, at once where nothing has to be waited for. */
  function toReply(
    request: IncomingMessage,
    target: Target,
    from: { client: string; requestId: string },
  ): Reply | Promise<Reply> {
    const { method = 'GET', headers } = request;
    const { path, query } = target;
    if (hasBody(method)) {
      const call = { method, path, query, headers, ...from };
      return withBody(request, { limit: bodyLimit(method, path), client: from.client }, (body) =>
        answer({ ...call, body }),
      );
    }
    return answer({ method, path, query, headers, body: noBody, ...from });
  }

  function serve(request: IncomingMessage, response: ServerResponse, target: Target, client: string): void {
    const start = performance.now();
    const id = toRequestId(request.headers['x-request-id']);
    let fields: Record<string, string> = {};
    const toRefused = (error: unknown) => refuse(request.method ?? 'GET', target.path, error);

    /** Sends a reply, compressed where its caller takes that; one that cannot be goes out as it is. */
    function send(reply: Reply): void {
      const { body } = reply;
      const varied = canEncode(request, reply) ? toVaried(reply) : undefined;
      const coding = varied ? toCoding(request, reply) : 'identity';
      if (!varied || coding === 'identity') {
        write(varied ?? reply, body);
        return;
      }
      const encoded = { ...varied, headers: { ...varied.headers, 'Content-Encoding': coding } };
      const bytes = encode(reply, coding);
      if (bytes instanceof Promise)
        bytes.then(
          (made) => write(encoded, made),
          () => write(varied, body),
        );
      else write(encoded, bytes);
    }

    function write(reply: Reply, body: string | Buffer): void {
      const { status: replied, seen = unseen } = reply;
      const ms = Math.round((performance.now() - start) * 1000) / 1000;
      const isGone = response.destroyed;
      const isHead = request.method === 'HEAD';
      const size = Buffer.byteLength(body);
      if (!isGone) {
        // What tells of the caller goes only where no cache keeps the answer.
        const headers = share(request, reply);
        const isKept = 'Cache-Tag' in headers || !headers['Cache-Control']!.includes('no-store');
        const all = isKept ? { ...headers } : join(fields, headers);
        if (!isKept) all['X-Request-Id'] = id;
        if (replied !== 204 && replied !== 304) all['Content-Length'] = String(size);
        response.writeHead(replied, all);
        // ASCII, where every character is a byte: node:http writes that without a copy in UTF-8.
        if (isHead) response.end();
        else if (typeof body === 'string') response.end(body, size === body.length ? 'latin1' : 'utf8');
        else response.end(body);
      }
      const bytes = isHead || isGone ? 0 : size;
      const status = isGone ? callerGone : replied;
      onAnswered({ id, request, path: target.path, client, status, bytes, ms, seen });
    }

    function goOn(admitted: Record<string, string>): Reply | Promise<Reply> {
      fields = admitted;
      return toReply(request, target, { client, requestId: id });
    }

    try {
      const admitted = isProbe(request.method, target.path) ? fields : limits.admitLive(client);
      const reply = admitted instanceof Promise ? admitted.then(goOn) : goOn(admitted);
      if (!(reply instanceof Promise)) {
        send(reply);
        return;
      }
      reply.catch(toRefused).then(send);
    } catch (error) {
      send(toRefused(error));
    }
  }

  return serve;
}
