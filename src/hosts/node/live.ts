import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call, Reply, Seen } from '../../kernel/call.ts';
import { hasBody } from '../../kernel/effect.ts';
import { createBodyLimit } from '../../kernel/router.ts';
import { operations } from '../../table.ts';
import { canEncode, encode, toCoding, toVaried } from './coding.ts';
import { type Limits, none } from './limits.ts';
import { withBody } from './read-body.ts';
import { type Encoding, longestText } from './serve-frozen.ts';

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

/** What is sent of a reply: its header fields, as names and values in turn too, and its body in a coding. */
interface Message {
  headers: Record<string, string>;
  list: string[];
  body: string | Buffer;
  /** Bytes of the body. */
  size: number;
  /** Whether its caller is told the request's id and how much more may be asked. */
  tellsCaller: boolean;
}

/** What was sent of replies that are kept. */
const sent = new WeakMap<Reply, Partial<Record<Encoding, Message>>>();

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
    let fields = none;
    const toRefused = (error: unknown) => refuse(request.method ?? 'GET', target.path, error);

    /** Sends a reply, compressed where its caller takes that; one that cannot be goes out as it is. */
    function send(reply: Reply): void {
      const coding = canEncode(request, reply) ? toCoding(request, reply) : undefined;
      const known = reply.isKept ? sent.get(reply)?.[coding ?? 'identity'] : undefined;
      const ready = known ?? toSent(reply, coding);
      if (!(ready instanceof Promise)) write(reply, ready);
      else
        ready.then(
          (made) => write(reply, made),
          () => write(reply, toMessage(toVaried(reply), reply.body)),
        );
    }

    /** What is sent of a reply in a coding; undefined where none is to be told of. */
    function toSent(reply: Reply, coding: Encoding | undefined): Message | Promise<Message> {
      const varied = coding ? toVaried(reply) : reply;
      const keep = (message: Message) => {
        if (reply.isKept) sent.set(reply, { ...sent.get(reply), [coding ?? 'identity']: message });
        return message;
      };
      if (!coding || coding === 'identity') return keep(toMessage(varied, reply.body));
      const encoded = { ...varied, headers: { ...varied.headers, 'Content-Encoding': coding } };
      return encode(reply.body, coding).then((bytes) => keep(toMessage(encoded, bytes)));
    }

    function toMessage(reply: Reply, text: string | Buffer): Message {
      const body = text.length > longestText ? Buffer.from(text as string) : text;
      const size = Buffer.byteLength(body);
      const headers = share(request, reply);
      // What tells of the caller goes only where no cache keeps the answer.
      const tellsCaller = !('Cache-Tag' in headers) && headers['Cache-Control']!.includes('no-store');
      const hasLength = reply.status !== 204 && reply.status !== 304;
      const all = hasLength ? { ...headers, 'Content-Length': String(size) } : headers;
      return { headers: all, list: Object.entries(all).flat(), body, size, tellsCaller };
    }

    /** The header fields of a message to this caller, as node:http takes them. */
    function toFields({ headers, list, tellsCaller }: Message): string[] {
      if (!tellsCaller) return list;
      const told = fields === none ? list : Object.entries(join(fields, headers)).flat();
      return [...told, 'X-Request-Id', id];
    }

    function write({ status: replied, seen = unseen }: Reply, message: Message): void {
      const { body, size } = message;
      const ms = Math.round((performance.now() - start) * 1000) / 1000;
      const isGone = response.destroyed;
      const isHead = request.method === 'HEAD';
      if (!isGone) {
        response.writeHead(replied, toFields(message));
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
