import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The bytes between one message and the next that are no part of either (RFC 9112 section 2.2). */
const [cr, lf] = [13, 10];
/** What ends the head of every message, and a body in chunks. */
const blankLine = '\r\n\r\n';
/** Bytes that may wait while an answer leaves: what was read before the connection was told to stop. */
const mostWaiting = 1_048_576;

/** What is on a connection now. */
export interface Exchange {
  /** Told of each request as soon as its head is parsed. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Whether a request is on its way, begun or not answered to the end. */
  isBusy(): boolean;
  /** Whether a request was parsed whose answer has not left. */
  isAnswering(): boolean;
  /** Ends the connection with the answer that is on its way, if there is one. */
  endWithAnswer(): void;
  /** Parses nothing more: what comes after what cannot be parsed has no meaning. */
  end(): void;
}

/** How many bytes of `bytes` begin with CR or LF only. */
function countBlank(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] === cr || bytes[at] === lf)) at += 1;
  return at;
}

/** Bytes at the end that may be the beginning of a blank line. */
function countHeld(bytes: Buffer): number {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 3));
  for (let length = Math.min(3, end.length); length > 0; length -= 1)
    if (blankLine.startsWith(end.slice(-length))) return length;
  return 0;
}

/**
 * Gives Node's HTTP parser one message of a connection at a time. The parser would take all that came in one
 * packet: the answers to a thousand pipelined requests would wait in memory for a reader who does not read, and
 * a refusal of what stands behind a request would go out before its answer. Here the next message is parsed only
 * when the answer to the one before has left, and the connection is not read until then.
 */
export function parseOneAtATime(socket: Socket): Exchange {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  let request: IncomingMessage | undefined;
  let response: ServerResponse | undefined;
  /** Bytes of the body that are still to come, by Content-Length. */
  let bodyLeft = 0;
  let hasBegun = false;
  let waiting: Buffer | undefined;
  /** Whether `advance` is called by itself, after an answer or in the next turn. */
  let isScheduled = false;
  let isOver = false;

  const isUnanswered = () => response !== undefined && !response.writableFinished && !response.destroyed;

  /** How much of `bytes` is of the message that is being parsed, at most; 0 where more has to come first. */
  function toSlice(bytes: Buffer): number {
    if (bodyLeft > 0) return Math.min(bodyLeft, bytes.length);
    const end = bytes.indexOf(blankLine, 0, 'latin1');
    return end < 0 ? bytes.length - countHeld(bytes) : end + blankLine.length;
  }

  function feed(bytes: Buffer): void {
    hasBegun = true;
    const before = request;
    if (bodyLeft > 0) bodyLeft -= bytes.length;
    parse!.call(socket, bytes);
    if (request?.complete) {
      request = undefined;
      hasBegun = false;
    } else if (request !== before) {
      bodyLeft = Number(request?.headers['content-length'] ?? 0);
    }
  }

  function end(): void {
    isOver = true;
    waiting = undefined;
  }

  /** Parses what waits up to the end of a message. The next one has its turn after those of other connections. */
  function advance(): void {
    isScheduled = false;
    if (!hasBegun && isUnanswered()) {
      isScheduled = true;
      response!.once('close', advance);
      return;
    }
    if (!hasBegun && response?.shouldKeepAlive === false) end();
    while (waiting && !isOver) {
      const blank = hasBegun ? 0 : countBlank(waiting);
      if (blank > 0) waiting = waiting.subarray(blank);
      const length = toSlice(waiting);
      const bytes = waiting;
      waiting = length < bytes.length ? bytes.subarray(length) : undefined;
      if (length === 0) break;
      feed(waiting ? bytes.subarray(0, length) : bytes);
      if (waiting && !hasBegun) {
        isScheduled = true;
        socket.pause();
        setImmediate(advance);
        return;
      }
    }
    if (socket.isPaused()) socket.resume();
  }

  socket.removeListener('data', parse!);
  socket.once('close', end);
  socket.on('data', (bytes: Buffer) => {
    if (isOver) return;
    waiting = waiting ? Buffer.concat([waiting, bytes]) : bytes;
    if (waiting.length > mostWaiting) socket.destroy();
    else if (isScheduled) socket.pause();
    else advance();
  });

  return {
    begin(begun, answer) {
      request = begun;
      response = answer;
    },
    isBusy: () => hasBegun || isUnanswered(),
    isAnswering: isUnanswered,
    endWithAnswer() {
      if (response && !response.headersSent) response.shouldKeepAlive = false;
    },
    end,
  };
}
