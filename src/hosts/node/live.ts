import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNothingHere } from '../../kernel/answer.ts';
import type { Call, LogFields, Reply } from '../../kernel/call.ts';
import { hasBody } from '../../kernel/effect.ts';
import { createBodyLimit } from '../../kernel/router.ts';
import { operations } from '../../table.ts';
import { writeHead } from './beneath-node.ts';
import { type Limits, none } from './limits.ts';
import { createMessages, endWith, type Message } from './message.ts';
import { withBody } from './read-body.ts';
import type { KeepReplies } from './reply-cache.ts';
import { readHeader } from './request-headers.ts';
import type { Target } from './request-target.ts';
import { createUntaken } from './untaken.ts';

const bodyLimit = createBodyLimit(operations);
const paths = new Set(operations.flatMap(({ probe, path }) => (probe ? [path] : [])));

/** Whether a request asks after our health, as its row says, at its plain address. */
export function isProbe(method: string | undefined, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && paths.has(path);
}

/** Whether a path names a probe by escapes: nothing is there, since who hides a probe hides its plain address. */
function isEscapedProbe(path: string): boolean {
  if (!path.includes('%')) return false;
  return paths.has(
    path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** What is told where the caller went away before its answer; never sent. */
export const callerGone = 499;
const unseen: LogFields = { operation: 'none', door: 'http' };
const noBody = new Uint8Array();
const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;
const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;

/** A live request that was answered. */
export interface Answered {
  id: string;
  request: IncomingMessage;
  path: string;
  client: string;
  status: number;
  bytes: number;
  ms: number;
  logFields: LogFields;
}

export interface LiveParts {
  answer(call: Call): Reply | Promise<Reply>;
  /** The reply to a call that is turned down before the core sees it. */
  refuse(method: string, path: string, error: unknown): Reply;
  limits: Limits;
  keepReplies: KeepReplies;
  /** The headers of a reply as shared caches are to see them. */
  share(request: IncomingMessage, reply: Reply): Reply['headers'];
  /** Told of every live answer, after it was sent. */
  onAnswered(answered: Answered): void;
}

/** The caller's X-Request-Id where it is 1 to 128 of `A-Za-z0-9._-`, else one that no other request has. */
export function toRequestId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && requestIdShape.test(header)) return header;
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
}

/** A reply that tells of a rate itself, with `fields` put before that in the same lists (RFC 9110 section 5.3). */
function join(fields: Record<string, string>, reply: Reply): Reply {
  const headers = { ...reply.headers };
  for (const [name, value] of Object.entries(fields)) headers[name] = `${value}, ${headers[name]}`;
  return { ...reply, headers };
}

/** Answers one request from the core, within the limits, and tells of it. */
export function createLive({ answer, refuse, limits, keepReplies, share, onAnswered }: LiveParts) {
  const toMessage = createMessages(share);
  const untaken = createUntaken();

  /** The reply, at once where nothing has to be waited for. */
  function toReply(
    request: IncomingMessage,
    target: Target,
    from: { client: string; requestId: string },
  ): Reply | Promise<Reply> {
    const { method = 'GET', headers } = request;
    const { path, query } = target;
    if (isEscapedProbe(path)) return toNothingHere();
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
    const id = toRequestId(readHeader(request, 'x-request-id'));
    let fields = none;
    const toRefused = (error: unknown) => refuse(request.method ?? 'GET', target.path, error);

    function send(bare: Reply): void {
      const hasRate = bare.headers.RateLimit !== undefined;
      const reply = hasRate ? join(fields, bare) : bare;
      if (hasRate) fields = none;
      const message = toMessage(request, reply);
      if (message instanceof Promise) message.then((made) => write(reply, made));
      else write(reply, message);
    }

    /** Writes a head; what tells of the caller goes only where no cache keeps the answer. */
    function begin({ head, own, isForAll }: Message): void {
      const told = isForAll ? own : [...Object.entries(fields).flat(), ...own, 'X-Request-Id', id];
      writeHead(response, head, told);
    }

    function write({ status: replied, logFields = unseen }: Reply, message: Message): void {
      const ms = Math.round((performance.now() - start) * 1000) / 1000;
      const isGone = response.destroyed;
      const isHead = request.method === 'HEAD';
      if (!isGone) {
        begin(message);
        if (isHead) response.end();
        else {
          endWith(response, message);
          untaken.hold(client, response, message.size);
        }
      }
      const bytes = isHead || isGone ? 0 : message.size;
      const status = isGone ? callerGone : replied;
      onAnswered({ id, request, path: target.path, client, status, bytes, ms, logFields });
    }

    function goOn(admitted: Record<string, string>): Reply | Promise<Reply> {
      fields = admitted;
      return keepReplies(request, target, () => toReply(request, target, { client, requestId: id }));
    }

    try {
      const isFree = isProbe(request.method, target.path);
      if (!isFree) untaken.check(client);
      const admitted = isFree ? fields : limits.admitLive(client);
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
