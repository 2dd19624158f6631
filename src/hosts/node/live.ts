import type { IncomingMessage, ServerResponse } from 'node:http';
import { createErrorReply, createRefusalReply } from '../../kernel/answer.ts';
import type { Call, CallNotes, LogFields, Reply } from '../../kernel/call.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { hasBody, usualBody } from '../../kernel/operation.ts';
import { toRefusal } from '../../kernel/refusal.ts';
import { createFind } from '../../kernel/router.ts';
import { getOffer } from '../../pricing/offer.ts';
import { operations } from '../../table.ts';
import { createUnreadBudget, withBody } from './bodies.ts';
import type { Arrival } from './connections.ts';
import { createMessages, type Message } from './encode.ts';
import { type Limits, noRateFields } from './limits.ts';
import type { FaultReport } from './log.ts';
import type { KeepReplies } from './reply-cache.ts';
import { callerGone, chooseRequestId, isProbe, type ServedRequest, type Target } from './request.ts';
import { respond, respondWith } from './respond.ts';

const find = createFind(operations);

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
  /** Receives every live answer after it was sent. */
  onAnswered(answered: ServedRequest): void;
}

/** The operations whose reply is the same for all callers without a workspace. */
const sharedOperations = new Set(
  operations
    .filter(({ caching, effect }) => caching.rule === 'record' && effect === 'read')
    .map((row) => row.operationId),
);

/** Whether every caller without a workspace or login gets this same reply: content, a 404 or the offer. */
function isForAll(request: IncomingMessage, { status, headers, logFields }: Reply): boolean {
  const { method, headers: sent } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (sent['x-workspace'] !== undefined || sent.authorization !== undefined) return false;
  // The next caller may prefer something else.
  if (!logFields || headers['Preference-Applied'] !== undefined) return false;
  if (logFields.operation === getOffer.operationId) return status === 402;
  return (
    sharedOperations.has(logFields.operation) &&
    logFields.code === undefined &&
    [200, 304, 404].includes(status)
  );
}

/**
 * Returns the headers of live replies for shared caches. A reply that they may store has the tag of the build. If a CDN
 * bypasses its cache for X-Workspace, it may also store for a while what all other callers get.
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

/** Adds `fields` before the rate fields that a reply has, in the same lists (RFC 9110 section 5.3). */
function join(fields: Record<string, string>, reply: Reply): Reply {
  const headers = { ...reply.headers };
  for (const [name, value] of Object.entries(fields)) headers[name] = `${value}, ${headers[name]}`;
  return { ...reply, headers };
}

/** Calls `leave` when a caller is gone or has closed its half of the connection. */
function whenGone({ socket }: IncomingMessage, response: ServerResponse, leave: () => void): void {
  if (socket.readableEnded || response.destroyed) leave();
  socket.once('end', leave);
  response.once('close', () => {
    socket.off('end', leave);
    leave();
  });
}

/** The parts that all live requests share. */
interface Shared extends LiveParts {
  encode: ReturnType<typeof createMessages>;
  unread: ReturnType<typeof createUnreadBudget>;
}

/** One live request: admitted within the limits, answered by the core, and reported. */
class LiveRequest {
  #shared: Shared;
  #request: IncomingMessage;
  #response: ServerResponse;
  #target: Target;
  #arrival: Arrival;
  #start = performance.now();
  #method: string;
  #id: string;
  #noted: CallNotes = {};
  /** The RateLimit fields for its caller. */
  #rateFields = noRateFields;

  constructor(
    shared: Shared,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    target: Target,
    arrival: Arrival,
  ) {
    this.#shared = shared;
    this.#request = request;
    this.#response = response;
    this.#target = target;
    this.#arrival = arrival;
    this.#method = request.method ?? 'GET';
    this.#id = chooseRequestId(request.headers['x-request-id']);
  }

  serve(): void {
    const reply = this.#answer();
    if (!(reply instanceof Promise)) {
      this.#send(reply);
      return;
    }
    if (!hasBody(this.#method)) this.#arrival.connection.hold();
    reply
      .catch((error) => this.#createErrorReply(error))
      .then((settled) => this.#send(settled))
      .catch((error) => this.#giveUp(error));
  }

  /** Returns the reply, at once if it waits for nothing. */
  #answer(): Reply | Promise<Reply> {
    const { admitLive, unread } = this.#shared;
    const { client } = this.#arrival;
    try {
      if (isProbe(this.#method, this.#target.path)) return this.#answerCached();
      unread.check(client);
      const fields = admitLive(client);
      if (fields instanceof Promise) return fields.then((fields) => this.#answerAdmitted(fields));
      return this.#answerAdmitted(fields);
    } catch (error) {
      return this.#createErrorReply(error);
    }
  }

  #answerAdmitted(rateFields: Record<string, string>): Reply | Promise<Reply> {
    this.#rateFields = rateFields;
    return this.#answerCached();
  }

  #answerCached(): Reply | Promise<Reply> {
    return this.#shared.keepReplies(this.#request, this.#target, () => this.#call());
  }

  #call(): Reply | Promise<Reply> {
    const { answer } = this.#shared;
    const { client, connection, identify } = this.#arrival;
    const { path, query } = this.#target;
    const call: Call = {
      method: this.#method,
      path,
      query,
      headers: this.#request.headers,
      body: noBody,
      client,
      requestId: this.#id,
      noted: this.#noted,
      onGone: (leave) => {
        connection.release();
        whenGone(this.#request, this.#response, leave);
      },
      weigh: (more) => this.#weigh(more),
    };
    if (!hasBody(this.#method)) return answer(call);
    const limit = find(this.#method, path)?.bodyLimit ?? usualBody;
    return withBody(this.#response, { limit, client }, (body) => {
      connection.hold();
      return answer({ ...call, body, identity: identify() });
    });
  }

  async #weigh(more: number): Promise<void> {
    // A refusal has rate fields of its own.
    this.#rateFields = noRateFields;
    this.#rateFields = await this.#shared.admitLive(this.#arrival.client, more);
  }

  #report(error: unknown): void {
    this.#shared.report(error, { requestId: this.#id });
  }

  #createErrorReply(error: unknown): Reply {
    const operation = find(this.#method, this.#target.path);
    return createErrorReply(error, operation, (fault) => this.#report(fault));
  }

  #send(original: Reply): void {
    try {
      const hasOwnFields = original.headers.RateLimit !== undefined;
      const reply = hasOwnFields ? join(this.#rateFields, original) : original;
      if (hasOwnFields) this.#rateFields = noRateFields;
      const message = this.#shared.encode(this.#request, reply);
      if (message instanceof Promise)
        message.then((encoded) => this.#write(reply, encoded)).catch((error) => this.#giveUp(error));
      else this.#write(reply, message);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #write(reply: Reply, message: Message): void {
    const response = this.#response;
    const ms = Math.round((performance.now() - this.#start) * 1000) / 1000;
    const { client, connection } = this.#arrival;
    const isGone = response.destroyed;
    if (!isGone) {
      respond(connection, response, { ...message, fields: this.#listFields(message) });
      if (this.#method !== 'HEAD') this.#shared.unread.add(client, response, message.size);
    }
    const { operation, door, ...refused } = reply.logFields ?? nothingFound;
    this.#shared.onAnswered({
      id: this.#id,
      request: this.#request,
      path: this.#target.path,
      client,
      operation,
      door,
      status: isGone ? callerGone : reply.status,
      ...(!isGone && refused),
      bytes: this.#method === 'HEAD' || isGone ? 0 : message.size,
      ms,
      noted: this.#noted,
    });
  }

  /** The fields of an answer. Those for this caller are added only if no cache may store the answer. */
  #listFields({ fields, isForAll }: Message): readonly string[] {
    if (isForAll) return fields;
    const all = [...fields, 'X-Request-Id', this.#id];
    for (const [name, value] of Object.entries(this.#rateFields)) all.push(name, value);
    return all;
  }

  /** Answers 500 if a reply could not be written. If the reply has begun, its connection ends. */
  #giveUp(error: unknown): void {
    this.#report(error);
    const response = this.#response;
    if (!response.headersSent)
      respondWith(this.#arrival.connection, response, createRefusalReply(toRefusal(error)));
    else if (!response.writableEnded) response.destroy();
  }
}

/** Answers requests from the core within the limits, and reports each. */
export function createLive(parts: LiveParts) {
  const encodeReply = createMessages(createSharing(parts.isBypassed, parts.tag));
  const shared = { ...parts, encode: encodeReply, unread: createUnreadBudget() };
  return (request: IncomingMessage, response: ServerResponse, target: Target, arrival: Arrival): void =>
    new LiveRequest(shared, { request, response }, target, arrival).serve();
}
