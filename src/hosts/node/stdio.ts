import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call, CallHeaders, CallNotes, Reply } from '../../kernel/call.ts';
import { stdioClient } from '../../kernel/caller.ts';
import { createErrorReply } from '../../kernel/create-reply.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { callMcp } from '../../mcp/call-mcp.ts';
import { LineReader } from './line-reader.ts';
import type { AnswerReport, FaultReport } from './log.ts';
import { callerGone, chooseRequestId } from './request.ts';
import { mirrorHeaders, parseLine, type StdioMessage, withId } from './stdio-message.ts';

/** In bytes. The core has a lower limit, and names the id of what it refuses. A line above this one is not parsed. */
const longestLine = 16_777_216;
/** While this many requests run, no more is read. */
const mostRunning = 64;
const { method, path } = callMcp;

/** The streams of MCP over stdio, and the list of tools that it serves: `core`, or "" for all tools. */
export interface StdioStreams {
  input: Readable;
  output: Writable;
  tools: string;
}

interface StdioParts {
  answer(call: Call): Reply | Promise<Reply>;
  /** Gets every answer after it was written. */
  answers: Pick<AnswerReport, 'reportLive'>;
  report: FaultReport;
}

/** A request that is not answered yet. */
class PendingRequest {
  readonly message: StdioMessage;
  readonly headers: CallHeaders;
  readonly requestId = chooseRequestId(undefined);
  readonly noted: CallNotes = {};
  readonly start = performance.now();
  isCancelled = false;
  readonly #onCancel: (() => void)[] = [];

  constructor(message: StdioMessage) {
    this.message = message;
    this.headers = mirrorHeaders(message);
  }

  toCall(tools: string): Call {
    return {
      method,
      path,
      query: tools && `tools=${tools}`,
      headers: this.headers,
      body: this.message.line,
      client: stdioClient,
      requestId: this.requestId,
      noted: this.noted,
      onGone: (stop) => void this.#onCancel.push(stop),
    };
  }

  cancel(): void {
    this.isCancelled = true;
    for (const stop of this.#onCancel) stop();
  }
}

/**
 * MCP over stdin and stdout. Each line is a JSON-RPC message. A line is answered as POST /mcp answers it, except that
 * notifications and cancelled requests have no answer. Requests run at the same time.
 */
export class Stdio {
  readonly #parts: StdioParts;
  readonly #streams: StdioStreams;
  readonly #lines = new LineReader(longestLine);
  readonly #pending = new Set<PendingRequest>();
  readonly #ended = Promise.withResolvers<string>();
  /** Called when no request is pending. */
  readonly #onIdle: (() => void)[] = [];
  readonly #read = (chunk: Buffer) => this.#receiveAll(this.#lines.read(chunk));
  #isReading = false;
  #isBroken = false;

  constructor(parts: StdioParts, streams: StdioStreams) {
    this.#parts = parts;
    this.#streams = streams;
    const { input, output } = streams;
    output.on('error', () => this.#break());
    output.on('close', () => this.#break());
    output.on('drain', () => this.#paceInput());
    input.on('error', () => this.#ended.resolve('stdin failed'));
  }

  /** Resolves with the reason when the client has closed stdin, or no longer reads stdout. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Counts the requests that are being answered. Those that wait for a change do not count. */
  countBusy(): number {
    return [...this.#pending].filter(({ noted }) => !noted.isWaiting).length;
  }

  /** Begins to read. */
  start(): void {
    const { input } = this.#streams;
    input.once('end', () => {
      this.#receiveAll(this.#lines.end());
      this.#ended.resolve('stdin was closed');
    });
    this.#isReading = true;
    input.on('data', this.#read);
  }

  /** Reads nothing more. Resolves when every request is answered and written, or after `drainSeconds`. */
  async stop(drainSeconds: number): Promise<void> {
    const { input, output } = this.#streams;
    this.#isReading = false;
    input.off('data', this.#read);
    input.pause();
    const finish = async () => {
      if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
      if (!this.#isBroken) await new Promise<unknown>((resolve) => output.write('', resolve));
    };
    await Promise.race([finish(), pause(drainSeconds * 1000, undefined, { ref: false })]);
  }

  #break(): void {
    this.#isBroken = true;
    this.#ended.resolve('stdout was closed');
  }

  #receiveAll(lines: (Buffer | undefined)[]): void {
    for (const line of lines) this.#receive(line);
    this.#paceInput();
  }

  #receive(line: Buffer | undefined): void {
    if (line === undefined) {
      this.#write(createErrorReply(new Refusal('body_too_large'), callMcp, this.#parts.report).body);
      return;
    }
    if (line.toString('latin1').trim() === '') return;
    const message = parseLine(line);
    if (message.isNotification) this.#cancelNamed(message);
    else void this.#answer(message);
  }

  /** Cancels the request that a notification names. No other notification changes anything. */
  #cancelNamed({ method: name, params }: StdioMessage): void {
    if (name !== 'notifications/cancelled') return;
    for (const request of this.#pending) if (request.message.id === params.requestId) request.cancel();
  }

  async #answer(message: StdioMessage): Promise<void> {
    const request = new PendingRequest(message);
    this.#pending.add(request);
    const reply = await this.#call(request.toCall(this.#streams.tools));
    const text = withId(reply.body, message);
    if (!request.isCancelled) this.#write(text);
    this.#pending.delete(request);
    this.#reportAnswer(request, reply, Buffer.byteLength(text) + 1);
    if (this.#pending.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    this.#paceInput();
  }

  async #call(call: Call): Promise<Reply> {
    const { answer, report } = this.#parts;
    try {
      return await answer(call);
    } catch (error) {
      return createErrorReply(error, callMcp, (fault) => report(fault, call));
    }
  }

  #reportAnswer(request: PendingRequest, { status, logFields }: Reply, bytes: number): void {
    const { requestId, headers, noted, start, isCancelled } = request;
    const { operation: name, door, ...refused } = logFields ?? { operation: 'none', door: 'mcp' };
    const isGone = isCancelled || this.#isBroken;
    this.#parts.answers.reportLive({
      id: requestId,
      request: { method, headers },
      path,
      client: stdioClient,
      operation: name,
      door,
      status: isGone ? callerGone : status,
      ...(!isGone && refused),
      bytes: isGone ? 0 : bytes,
      ms: Math.round((performance.now() - start) * 1000) / 1000,
      noted,
    });
  }

  #write(text: string): void {
    if (!this.#isBroken && text !== '') this.#streams.output.write(`${text}\n`);
  }

  /** Pauses the input while too many requests run, or while the client does not read stdout. */
  #paceInput(): void {
    const { input, output } = this.#streams;
    if (!this.#isReading) return;
    const isFull = this.#pending.size >= mostRunning || (output.writableNeedDrain && !this.#isBroken);
    if (isFull) input.pause();
    else if (input.isPaused()) input.resume();
  }
}
