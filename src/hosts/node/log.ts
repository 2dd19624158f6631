import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../kernel/call.ts';
import { toIsoTime } from '../../kernel/text.ts';
import type { HostTable } from './describe-table.ts';
import type { Metrics } from './metrics.ts';
import type { Redactor } from './redact.ts';
import { chooseRequestId, parseProduct, parseTraceId, type ServedRequest } from './request.ts';
import type { NodeSettings } from './settings.ts';

/** One answered request. An answer from memory has no operation. Query, headers and bodies are not logged. */
type LogEntry = Omit<ServedRequest, 'door' | 'operation' | 'noted'> & Partial<ServedRequest>;

const everyMs = 100;
const maxWaitingBytes = 4_194_304;
const maxPathLength = 200;
/** Bytes of lines of refusals in a second. */
const refusedBytes = 65_536;

/** Formats a line of JSON for a terminal or a file. Escapes all but printable ASCII. */
function formatLine(value: object): string {
  const escapeCharacter = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(/[^\x20-\x7e]/g, escapeCharacter)}\n`;
}

/** Formats a fault for stderr, on one line: name, message and stack, with the id of the request that met it. */
export function formatFault(error: unknown, redactor: Redactor, requestId?: string): string {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const id = requestId === undefined ? undefined : redactor.hideInId(requestId);
  return formatLine({
    time: new Date().toISOString(),
    level: 'error',
    id,
    error: redactor.hideTokens(fault),
  });
}

/** Writes a warning for the operator to stderr. */
export function warn(warning: string): void {
  process.stderr.write(formatLine({ time: new Date().toISOString(), level: 'warning', warning }));
}

/** Reports a fault, and the request that met it if there is one. */
export type FaultReport = (error: unknown, call?: Pick<Call, 'requestId'>) => void;

/** Writes faults to stderr, the same one at most once a second: a store that is down fails every call. */
export function createFaultReport(redactor: Redactor): FaultReport {
  let last = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  return (error, call) => {
    const message = String(error);
    const now = performance.now();
    if (message === last && now - lastAt < 1000) return;
    last = message;
    lastAt = now;
    process.stderr.write(formatFault(error, redactor, call?.requestId));
  };
}

/**
 * A log of JSON lines, written ten times a second. If it goes to a pipe, it never delays a caller: while the reader is
 * slow, up to 4 MiB wait in memory. Further lines are dropped and counted.
 *
 * Lines of refusals take at most 64 KiB a second. Then one line says how many were left out. Lines wait as bytes,
 * because moving strings at each garbage collection costs more than making them.
 */
export class Log {
  #redactor: Redactor;
  #out: Writable;
  #waiting = Buffer.allocUnsafeSlow(maxWaitingBytes);
  #length = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The lines of refusals in this second, and those that were left out. */
  #refused = { bytes: 0, leftOut: 0, bytesLeftOut: 0 };
  #second: NodeJS.Timeout | undefined;

  constructor(redactor: Redactor, out: Writable = process.stdout) {
    this.#redactor = redactor;
    this.#out = out;
    // If the reader is gone or the disk is full, only lines are lost.
    out.on('error', () => {});
  }

  /** Writes a line about the host itself, whatever LOG is: its start or its stop. */
  event(event: 'start' | 'stop', facts: object): void {
    this.#append(formatLine({ time: toIsoTime(Date.now()), event, ...facts }));
  }

  request(entry: LogEntry): void {
    const { id, request, path, operation, status, code, issue, limit, ms, bytes, client, noted } = entry;
    const redactor = this.#redactor;
    const agent = parseProduct(request.headers['user-agent']);
    const line = formatLine({
      time: toIsoTime(Date.now()),
      id: redactor.hideInId(id),
      trace: parseTraceId(request.headers.traceparent),
      method: request.method,
      path: redactor.hideInPath(path).slice(0, maxPathLength),
      operation,
      status,
      code,
      issue: issue && redactor.hideTokens(issue),
      limit,
      ms,
      bytes,
      client,
      agent: agent && redactor.hideTokens(agent),
      workspace: noted?.workspace,
      waited: noted?.waited,
    });
    if (code === undefined || this.#fits(line.length)) this.#append(line);
  }

  /** How many lines were dropped because the reader did not keep up. */
  dropped(): number {
    return this.#dropped;
  }

  /** Writes all waiting lines. What the reader takes now is written at once, for a process that ends. */
  flush(onWritten?: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#out.write(Buffer.from(this.#waiting.subarray(0, this.#length)), onWritten);
    this.#length = 0;
  }

  /** Resolves when every line is written, or after two seconds. */
  async close(): Promise<void> {
    this.#endSecond();
    const written = new Promise<void>((resolve) => this.flush(resolve));
    await Promise.race([written, pause(2000, undefined, { ref: false })]);
  }

  #append(line: string): void {
    if (this.#out.writableLength + this.#length + line.length > maxWaitingBytes) {
      this.#dropped += 1;
      return;
    }
    this.#length += this.#waiting.write(line, this.#length, 'latin1');
    this.#timer ??= setTimeout(() => this.flush(), everyMs).unref();
  }

  #endSecond(): void {
    clearTimeout(this.#second);
    this.#second = undefined;
    const { leftOut, bytesLeftOut } = this.#refused;
    this.#refused = { bytes: 0, leftOut: 0, bytesLeftOut: 0 };
    if (leftOut > 0) this.#append(formatLine({ time: toIsoTime(Date.now()), leftOut, bytesLeftOut }));
  }

  /** Whether the line of a refusal fits into this second. If not, counts it. */
  #fits(bytes: number): boolean {
    this.#second ??= setTimeout(() => this.#endSecond(), 1000).unref();
    const refused = this.#refused;
    if (refused.leftOut === 0 && refused.bytes + bytes <= refusedBytes) {
      refused.bytes += bytes;
      return true;
    }
    refused.leftOut += 1;
    refused.bytesLeftOut += bytes;
    return false;
  }
}

/** Reports each answer: in the metrics, and in the log as LOG and LOG_SAMPLE ask. */
export class AnswerReport {
  readonly #settings: Pick<NodeSettings, 'LOG' | 'LOG_SAMPLE'>;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #isProbe: HostTable['isProbe'];

  constructor(settings: NodeSettings, log: Log, metrics: Metrics, { isProbe }: Pick<HostTable, 'isProbe'>) {
    this.#settings = settings;
    this.#log = log;
    this.#metrics = metrics;
    this.#isProbe = isProbe;
  }

  reportLive(answered: ServedRequest): void {
    this.#metrics.addAnswer(answered);
    const { LOG } = this.#settings;
    const { request, path } = answered;
    if (LOG === 'off' || (LOG === 'live' && this.#isProbe(request.method, path))) return;
    if (!this.#isLeftOut(answered)) this.#log.request(answered);
  }

  /** Reports an answer from memory. It is logged only if all answers are. */
  reportFrozen(answered: Omit<LogEntry, 'id' | 'ms'>): void {
    this.#metrics.add('careers_frozen_answers_total');
    if (this.#settings.LOG !== 'all' || this.#isLeftOut(answered)) return;
    const id = chooseRequestId(answered.request.headers['x-request-id']);
    this.#log.request({ ...answered, id, ms: 0 });
  }

  /** Refusals, offers and faults are never left out. */
  #isLeftOut({ status, code }: Pick<LogEntry, 'status' | 'code'>): boolean {
    const { LOG_SAMPLE } = this.#settings;
    return LOG_SAMPLE < 1 && status < 400 && code === undefined && Math.random() >= LOG_SAMPLE;
  }
}
