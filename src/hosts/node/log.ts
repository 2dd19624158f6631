import { write, writeSync } from 'node:fs';
import type { Call } from '../../kernel/call.ts';
import { toTime } from '../../kernel/text.ts';
import { idLength, workspaceIdPattern } from '../../records/workspace.ts';

/**
 * One answered request. Neither query, headers nor bodies are logged. Only the path may hold any character; every other
 * text goes into the line unescaped, so it must be printable ASCII without `"` and `\`.
 */
interface LogEntry {
  /** Of `A-Za-z0-9._-`. */
  id: string;
  /** The trace id of a well-formed traceparent. */
  trace?: string | undefined;
  method: string;
  path: string;
  /** The operation that was performed; absent for what is served from memory. */
  operation?: string;
  status: number;
  /** The code of a refusal, or the id of an offer. */
  code?: string | undefined;
  ms: number;
  /** Of the body as it was sent. */
  bytes: number;
  client: string;
  /** The last eight characters of the hash of the workspace's id; absent where none was opened. */
  workspace?: string | undefined;
  /** How much of `ms` it waited for a change, as it asked. */
  waited?: number | undefined;
}

export type Log = ReturnType<typeof createLog>;

const nothing = Buffer.alloc(0);
const everyMs = 100;
const maxWaitingBytes = 4_194_304;
const maxPathLength = 200;
/** Bytes that the lines of refusals may take in a second. */
const refusedBytes = 65_536;

const idShape = workspaceIdPattern.slice('^ws_'.length, -1);
/**
 * Every text that may be a capability: what begins like a workspace id or another capability, and what is as long as a
 * workspace id without its prefix, whatever is around it.
 */
const capabilities = new RegExp(`(ws)_[0-9a-z]{8,}|(cnf|clm|sl)_[\\w-]*|${idShape}[0-9a-z]*`, 'gi');
/** Letters, digits, _ and -, encoded once or more: a % that was encoded again and again is a % and so many 25. */
const encodedCharacters = /%(?:25)*([46][1-9a-f]|[57][0-9a]|3\d|5f|2d)/gi;
/** How many characters are read, and how often they are decoded: digits of an encoding may be encoded too. */
const maxRead = 4096;
const maxRounds = 4;

/** JSON for a terminal or a file: beyond printable ASCII only as escapes. */
function toJson(value: object | string): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hide(text: string): string {
  // No match is shorter than an id without a `_`, and most texts are.
  if (text.length < idLength && !text.includes('_')) return text;
  return text
    .slice(0, maxRead)
    .replace(capabilities, (_, workspace, other) => `${(workspace ?? other ?? 'ws').toLowerCase()}_***`);
}

/** A path with letters, digits, _ and - as themselves (RFC 3986 section 6.2.2.2): encoded, an id would not be seen. */
function toPlain(path: string): string {
  let plain = path.slice(0, maxRead);
  for (let round = 0; round < maxRounds && plain.includes('%'); round += 1) {
    const decoded = plain.replace(encodedCharacters, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) break;
    plain = decoded;
  }
  return plain;
}

/** The line of a fault, for stderr: name, message and stack, on one line, with the id of the request that met it. */
export function toFaultLine(error: unknown, requestId?: string): string {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const id = requestId === undefined ? undefined : hide(requestId);
  return `${toJson({ time: new Date().toISOString(), level: 'error', id, error: hide(fault) })}\n`;
}

/** Writes faults to stderr, the same one at most once a second: a store that is away fails every call. */
export function createFaultReport(): (error: unknown, call?: Call) => void {
  let last = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  return (error, call) => {
    const message = String(error);
    const now = performance.now();
    if (message === last && now - lastAt < 1000) return;
    last = message;
    lastAt = now;
    process.stderr.write(toFaultLine(error, call?.requestId));
  };
}

/**
 * A log of JSON lines that never delays a caller: they are written ten times a second. While the reader of the descriptor is slow, up to
 * 4 MiB wait in memory; further lines are dropped and counted. Lines of refusals take 64 KiB a second at most; then one
 * line says how many were left out. Lines wait as bytes: each collection of memory would move
 * strings, which costs more than to make them.
 */
export function createLog(fd = 1) {
  const waiting = Buffer.allocUnsafeSlow(maxWaitingBytes);
  let length = 0;
  let dropped = 0;
  let isWriting = false;
  /** What the reader has not taken of a write: it goes before what waits. */
  let rest: Buffer = nothing;
  let timer: NodeJS.Timeout | undefined;
  /** The lines of refusals in this second, and those left out. */
  let refused = { bytes: 0, leftOut: 0, bytesLeftOut: 0 };
  let second: NodeJS.Timeout | undefined;

  function takeNext(): Buffer {
    const bytes = rest.length > 0 ? rest : Buffer.from(waiting.subarray(0, length));
    if (rest.length === 0) length = 0;
    rest = nothing;
    return bytes;
  }

  function writeNext(): void {
    const bytes = takeNext();
    isWriting = true;
    write(fd, bytes, (error, written) => {
      const isFull = error?.code === 'EAGAIN';
      if (isFull || !error) rest = bytes.subarray(isFull ? 0 : written);
      if (isFull) writeRest();
      else if (rest.length > 0) writeNext();
      else end();
    });
  }

  /** A descriptor that says EAGAIN never blocks: no write of it needs a thread, in which nobody knows how far it came. */
  function writeRest(): void {
    if (flush() === 'EAGAIN') setTimeout(writeRest, 20);
    else end();
  }

  function end(): void {
    isWriting = false;
    if (length > 0) startLater();
  }

  /** Writes all that waits, synchronously: for a process that ends. Returns the error's code where some is left. */
  function flush(): string | undefined {
    try {
      for (let bytes = takeNext(); bytes.length > 0; bytes = takeNext()) {
        rest = bytes;
        rest = bytes.subarray(writeSync(fd, bytes));
      }
    } catch (error) {
      // The reader is gone or slow while the process is ending, or the disk is full.
      return (error as NodeJS.ErrnoException).code;
    }
  }

  function start(): void {
    timer = undefined;
    if (!isWriting && length > 0) writeNext();
  }

  const startLater = () => {
    timer ??= setTimeout(start, everyMs).unref();
  };

  function append(line: string): void {
    if (length + line.length > maxWaitingBytes) {
      dropped += 1;
      return;
    }
    length += waiting.write(line, length, 'latin1');
    startLater();
  }

  function endSecond(): void {
    clearTimeout(second);
    second = undefined;
    const { leftOut, bytesLeftOut } = refused;
    refused = { bytes: 0, leftOut: 0, bytesLeftOut: 0 };
    if (leftOut > 0)
      append(`{"time":"${toTime(Date.now())}","leftOut":${leftOut},"bytesLeftOut":${bytesLeftOut}}\n`);
  }

  /** Whether the line of a refusal fits into this second; what does not is counted. */
  function fits(bytes: number): boolean {
    second ??= setTimeout(endSecond, 1000).unref();
    if (refused.leftOut === 0 && refused.bytes + bytes <= refusedBytes) {
      refused.bytes += bytes;
      return true;
    }
    refused.leftOut += 1;
    refused.bytesLeftOut += bytes;
    return false;
  }

  return {
    request({
      id,
      trace,
      method,
      path,
      operation,
      status,
      code,
      ms,
      bytes,
      client,
      workspace,
      waited,
    }: LogEntry): void {
      const shown = toJson(hide(toPlain(path)).slice(0, maxPathLength));
      const traced = trace === undefined ? '' : `"trace":"${trace}",`;
      const performed = operation === undefined ? '' : `"operation":"${operation}",`;
      const reason = code === undefined ? '' : `"code":"${code}",`;
      const paused = waited === undefined ? '' : `"waited":${waited},`;
      const answer = `${performed}"status":${status},${reason}"ms":${ms},${paused}"bytes":${bytes}`;
      const opened = workspace === undefined ? '' : `,"workspace":"${workspace}"`;
      const line = `{"time":"${toTime(Date.now())}","id":"${hide(id)}",${traced}"method":"${method}","path":${shown},${answer},"client":"${client}"${opened}}\n`;
      if (code === undefined || fits(line.length)) append(line);
    },
    /** How many lines were dropped because the reader did not keep up. */
    dropped: () => dropped,
    /** Resolves when every line is written, or after two seconds. */
    async close(): Promise<void> {
      clearTimeout(timer);
      endSecond();
      for (let waited = 0; (isWriting || length > 0) && waited < 2000; waited += 5) {
        start();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    flush,
  };
}
