import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call, CallNotes, LogFields, Reply } from '../../kernel/call.ts';
import { createErrorReply } from '../../kernel/create-reply.ts';
import { hasBody, type Operation, usualBody } from '../../kernel/operation.ts';
import { AnswerBudget, type HeldAnswer } from './answer-budget.ts';
import { withBody } from './bodies.ts';
import type { Arrival } from './connections.ts';
import type { HostTable } from './describe-table.ts';
import { type Limits, noRateFields } from './limits.ts';
import type { AnswerReport, FaultReport } from './log.ts';
import type { KeepReplies } from './reply-cache.ts';
import { type Message, ReplyEncoder, toPlainMessage } from './reply-encoder.ts';
import { callerGone, chooseRequestId, type Target } from './request.ts';
import { Sharing, type SharingParts } from './sharing.ts';
import { respond } from './write-reply.ts';

const nothingFound: LogFields = { operation: 'none', door: 'http' };
const noBody = new Uint8Array();

interface LiveParts extends SharingParts {
  table: Pick<HostTable, 'find' | 'isProbe' | 'reads' | 'sharedReads'>;
  answer(call: Call): Reply | Promise<Reply>;
  limits: Pick<Limits, 'admitLive' | 'giveBackLive'>;
  keepReplies: KeepReplies;
  report: FaultReport;
  /** Gets every live answer after it was sent. */
  answers: Pick<AnswerReport, 'reportLive'>;
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
  encoder: ReplyEncoder;
  budget: AnswerBudget;
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
  /** The bytes of its answer. */
  #held: HeldAnswer;
  /** The RateLimit fields for its caller. */
  #rateFields = noRateFields;
  /** How many calls it counts as besides itself. */
  #weighed = 0;
  /** The RateLimit fields before more was counted. */
  #admittedFields = noRateFields;

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
    this.#held = shared.budget.hold(arrival.client);
    this.#method = request.method ?? 'GET';
    this.#id = chooseRequestId(request.headers['x-request-id']);
  }

  serve(): void {
    this.#arrival.connection.follow(this.#noted);
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
    const { limits, budget, table } = this.#shared;
    const { client } = this.#arrival;
    try {
      if (table.isProbe(this.#method, this.#target.path)) return this.#answerCached();
      budget.check(client);
      const fields = limits.admitLive(client);
      if (fields instanceof Promise) return fields.then((fields) => this.#answerAdmitted(fields));
      return this.#answerAdmitted(fields);
    } catch (error) {
      return this.#createErrorReply(error);
    }
  }

  #answerAdmitted(rateFields: Record<string, string>): Reply | Promise<Reply> {
    this.#rateFields = rateFields;
    this.#admittedFields = rateFields;
    return hasBody(this.#method) ? this.#answerWithBody() : this.#answerCached();
  }

  #answerCached(): Reply | Promise<Reply> {
    const { keepReplies, answer } = this.#shared;
    return keepReplies(this.#request, this.#target, () => answer(this.#createCall(noBody)));
  }

  #answerWithBody(): Promise<Reply> {
    const { client, connection } = this.#arrival;
    const limit = this.#findOperation()?.bodyLimit ?? usualBody;
    const reading = { limit, client, onRead: () => connection.hold() };
    return withBody(this.#response, reading, (body) => this.#shared.answer(this.#createCall(body)));
  }

  #createCall(body: Uint8Array): Call {
    const { client, connection, identify } = this.#arrival;
    return {
      method: this.#method,
      path: this.#target.path,
      query: this.#target.query,
      headers: this.#request.headers,
      body,
      client,
      identify,
      requestId: this.#id,
      noted: this.#noted,
      onGone: (leave) => {
        connection.release();
        whenGone(this.#request, this.#response, leave);
      },
      weigh: (more) => this.#weigh(more),
      reserve: (bytes) => this.#held.reserve(bytes),
      unweigh: () => this.#unweigh(),
    };
  }

  async #weigh(more: number): Promise<void> {
    // A refusal has rate fields of its own.
    this.#rateFields = noRateFields;
    this.#rateFields = await this.#shared.limits.admitLive(this.#arrival.client, more);
    this.#weighed += more;
  }

  #unweigh(): void {
    this.#shared.limits.giveBackLive(this.#arrival.client, this.#weighed);
    this.#weighed = 0;
    this.#rateFields = this.#admittedFields;
  }

  #findOperation(): Operation | undefined {
    return this.#shared.table.find(this.#method, this.#target.path);
  }

  #report(error: unknown): void {
    this.#shared.report(error, { requestId: this.#id });
  }

  #createErrorReply(error: unknown): Reply {
    return createErrorReply(error, this.#findOperation(), (fault) => this.#report(fault));
  }

  #send(original: Reply): void {
    try {
      const hasOwnFields = original.headers.RateLimit !== undefined;
      const reply = hasOwnFields ? join(this.#rateFields, original) : original;
      if (hasOwnFields) this.#rateFields = noRateFields;
      const { status, logFields } = reply;
      const message = this.#encode(reply);
      if (message instanceof Promise)
        message
          .then((encoded) => this.#write({ status, logFields }, encoded))
          .catch((error) => this.#giveUp(error));
      else this.#write(reply, message);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Throws or rejects if there is no room for the answer to a read. A change is made, so its answer is sent. */
  #encode(reply: Reply): Message | Promise<Message> {
    const isRead = reply.logFields !== undefined && this.#shared.table.reads.has(reply.logFields.operation);
    return this.#shared.encoder.encode(this.#request, reply, {
      client: this.#arrival.client,
      isGone: () => this.#response.destroyed,
      count: (bytes) => (isRead ? this.#held.count(bytes) : this.#held.resize(bytes)),
    });
  }

  #write({ status, logFields = nothingFound }: Pick<Reply, 'status' | 'logFields'>, message: Message): void {
    const response = this.#response;
    const ms = Math.round((performance.now() - this.#start) * 1000) / 1000;
    const { client, connection } = this.#arrival;
    const isGone = response.destroyed;
    if (!isGone) respond(connection, response, { ...message, fields: this.#listFields(message) });
    this.#held.countUntilSent(this.#method === 'HEAD' ? 0 : message.size, response);
    const { operation, door, ...refused } = logFields;
    this.#shared.answers.reportLive({
      id: this.#id,
      request: this.#request,
      path: this.#target.path,
      client,
      operation,
      door,
      status: isGone ? callerGone : status,
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

  /** Answers that a reply could not be encoded or written. If it has begun, its connection ends. */
  #giveUp(error: unknown): void {
    if (this.#response.headersSent) {
      this.#report(error);
      if (!this.#response.writableEnded) this.#response.destroy();
      return;
    }
    const reply = this.#createErrorReply(error);
    this.#write(reply, toPlainMessage(reply));
  }
}

/** Answers requests from the core within the limits, and reports each. */
export function createLive(parts: LiveParts) {
  const encoder = new ReplyEncoder(new Sharing(parts));
  const shared = { ...parts, encoder, budget: new AnswerBudget() };
  return (request: IncomingMessage, response: ServerResponse, target: Target, arrival: Arrival): void =>
    new LiveRequest(shared, { request, response }, target, arrival).serve();
}
