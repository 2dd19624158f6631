import type { IncomingMessage, ServerResponse } from 'node:http';
import { toRefusalReply, toRefusedReply } from '../../kernel/answer.ts';
import type { Call, LogFields, Noted, Reply } from '../../kernel/call.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { hasBody, usualBody } from '../../kernel/operation.ts';
import { toRefusal } from '../../kernel/refusal.ts';
import { createFind } from '../../kernel/router.ts';
import { getOffer } from '../../pricing/offer.ts';
import { operations } from '../../table.ts';
import { createUnreadBudget, withBody } from './bodies.ts';
import type { Arrival } from './connections.ts';
import { createMessages, endWith, type Message } from './encode.ts';
import { type Limits, none } from './limits.ts';
import type { FaultReport } from './log.ts';
import { writeHead } from './node-internals.ts';
import type { KeepReplies } from './reply-cache.ts';
import { type Answered, isProbe, readHeader, type Target, toRequestId } from './request.ts';

const find = createFind(operations);

/** The status in logs and metrics where the caller went away before its answer; never sent. */
const callerGone = 499;
const nothingFound: LogFields = { operation: 'none', door: 'http' };
const noBody = new Uint8Array();

interface LiveParts {
  answer(call: Call): Reply | Promise<Reply>;
  admitLive: Limits['admitLive'];
  keepReplies: KeepReplies;
  /** Whether a CDN bypasses its cache for X-Workspace. */
  isBypassed: boolean;
  /** The tag of this build in shared caches. */
  tag: string;
  report: FaultReport;
  /** Receives every live answer, after it was sent. */
  onAnswered(answered: Answered): void;
}

/** The operations that answer all callers without a workspace alike. */
const alike = new Set(
  operations
    .filter(({ cache, effect }) => cache === 'record' && effect === 'read')
    .map((row) => row.operationId),
);

/** Whether every caller without a workspace or login gets this same reply: content, nothing there, or the offer. */
function isForAll(request: IncomingMessage, { status, headers, logFields }: Reply): boolean {
  const { method, headers: sent } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (sent['x-workspace'] !== undefined || sent.authorization !== undefined) return false;
  // The next caller may prefer something else.
  if (!logFields || headers['Preference-Applied'] !== undefined) return false;
  if (logFields.operation === getOffer.operationId) return status === 402;
  return alike.has(logFields.operation) && logFields.code === undefined && [200, 304, 404].includes(status);
}

/**
 * The headers of live replies for shared caches: the tag of the build on all that they may keep. Where a CDN bypasses its
 * cache for X-Workspace, it may also keep for a while what all other callers get.
 */
function createSharing(isBypassed: boolean, tag: string) {
  return (request: IncomingMessage, reply: Reply): Reply['headers'] => {
    const { headers } = reply;
    if (!isBypassed || !isForAll(request, reply)) return withCacheTag(headers, tag);
    const { Vary = '' } = headers;
    const varies = /x-workspace/i.test(Vary) ? Vary : [Vary, 'X-Workspace'].filter(Boolean).join(', ');
    return withCacheTag({ ...headers, ...bypassedCache, Vary: varies }, tag);
  };
}

/** A reply with rate fields of its own, and `fields` before them in the same lists (RFC 9110 section 5.3). */
function join(fields: Record<string, string>, reply: Reply): Reply {
  const headers = { ...reply.headers };
  for (const [name, value] of Object.entries(fields)) headers[name] = `${value}, ${headers[name]}`;
  return { ...reply, headers };
}

/** Has `leave` called when a caller is gone, or has closed its half of the connection. */
function whenGone({ socket }: IncomingMessage, response: ServerResponse, leave: () => void): void {
  if (socket.readableEnded || response.destroyed) leave();
  socket.once('end', leave);
  response.once('close', () => {
    socket.off('end', leave);
    leave();
  });
}

/** Answers one request from the core, within the limits, and reports it. */
export function createLive(parts: LiveParts) {
  const { answer, admitLive, keepReplies, isBypassed, tag, report, onAnswered } = parts;
  const toMessage = createMessages(createSharing(isBypassed, tag));
  const unread = createUnreadBudget();

  return function serve(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    { client, identify, prepareAnswer }: Arrival,
  ): void {
    const start = performance.now();
    const { method = 'GET' } = request;
    const { path, query } = target;
    const id = toRequestId(readHeader(request, 'x-request-id'));
    const noted: Noted = {};
    let fields = none;
    const reportThis = (error: unknown) => report(error, { requestId: id });
    const toRefused = (error: unknown) => toRefusedReply(error, find(method, path), reportThis);

    /** Answers 500 if a reply could not be written. One that has begun cannot be taken back: its connection ends. */
    function giveUp(error: unknown): void {
      reportThis(error);
      if (response.headersSent) {
        if (!response.writableEnded) response.destroy();
        return;
      }
      const { status, headers, body } = toRefusalReply(toRefusal(error));
      prepareAnswer();
      response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    }

    function write({ status: replied, logFields = nothingFound }: Reply, message: Message): void {
      const ms = Math.round((performance.now() - start) * 1000) / 1000;
      const isGone = response.destroyed;
      const isHead = method === 'HEAD';
      if (!isGone) {
        const { head, own, isForAll } = message;
        // What concerns this caller goes only where no cache keeps the answer.
        const ofCaller = isForAll ? own : [...Object.entries(fields).flat(), ...own, 'X-Request-Id', id];
        prepareAnswer();
        writeHead(response, head, ofCaller);
        if (isHead) response.end();
        else {
          endWith(response, message);
          unread.add(client, response, message.size);
        }
      }
      const bytes = isHead || isGone ? 0 : message.size;
      const status = isGone ? callerGone : replied;
      const { operation, door } = logFields;
      const code = isGone ? undefined : logFields.code;
      onAnswered({ id, request, path, client, operation, door, status, code, bytes, ms, noted });
    }

    function send(bare: Reply): void {
      try {
        const hasRate = bare.headers.RateLimit !== undefined;
        const reply = hasRate ? join(fields, bare) : bare;
        if (hasRate) fields = none;
        const message = toMessage(request, reply);
        if (message instanceof Promise) message.then((encoded) => write(reply, encoded)).catch(giveUp);
        else write(reply, message);
      } catch (error) {
        giveUp(error);
      }
    }

    async function weigh(more: number): Promise<void> {
      // A refusal has fields of its own.
      fields = none;
      fields = await admitLive(client, more);
    }

    function toReply(): Reply | Promise<Reply> {
      const onGone = (leave: () => void) => whenGone(request, response, leave);
      const from = { client, requestId: id, noted, onGone, weigh };
      const call = { method, path, query, headers: request.headers, body: noBody, ...from };
      if (!hasBody(method)) return answer(call);
      const bounds = { limit: find(method, path)?.bodyLimit ?? usualBody, client };
      return withBody(request, bounds, (body) => answer({ ...call, body, identity: identify() }));
    }

    function goOn(admitted: Record<string, string>): Reply | Promise<Reply> {
      fields = admitted;
      return keepReplies(request, target, toReply);
    }

    /** At once where nothing has to be waited for. */
    function toFirstReply(): Reply | Promise<Reply> {
      try {
        const isFree = isProbe(method, path);
        if (!isFree) unread.check(client);
        const admitted = isFree ? none : admitLive(client);
        return admitted instanceof Promise ? admitted.then(goOn) : goOn(admitted);
      } catch (error) {
        return toRefused(error);
      }
    }

    const reply = toFirstReply();
    if (reply instanceof Promise) reply.catch(toRefused).then(send).catch(giveUp);
    else send(reply);
  };
}
