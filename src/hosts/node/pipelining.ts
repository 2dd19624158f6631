import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readShared } from './node-internals.ts';

/** Bytes that the parser takes at once. It does not return before it has parsed all of them. */
const sliceBytes = 1024;
/** Milliseconds for which one connection is parsed before the others have their turn. */
const turnMs = 0.5;
/** Bytes that may wait to be parsed: those that were read before the connection was paused. */
const mostWaiting = 1_048_576;

/**
 * Bytes of a body that are parsed after its request was answered, so that the connection can go on. If more may follow,
 * it ends. As many are read of what a connection sends after its last message.
 */
const mostRefused = 65_536;

/** Bytes of blank lines in front of a request. A connection that sends more of them is closed. */
const mostBlank = 1024;

/** Bytes of a body beyond which each read of it waits for its turn. */
const largeBody = 65_536;

/** Milliseconds that a caller has to read its last answer and close. */
const farewellMs = 1000;

/** What ends the head of every message, and a body in chunks. */
const blankLine = '\r\n\r\n';

/** Ends a connection after these bytes. Listens for errors itself: on one that sent CONNECT, Node no longer does. */
export function closeAfter(socket: Socket, bytes = ''): void {
  socket.on('error', () => socket.destroy());
  socket.end(bytes);
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

/** The exchange of messages on one connection. */
export type Exchange = ReturnType<typeof parseOneAtATime>;

/** Bytes at the end of a slice that may begin a blank line. */
function countHeld(slice: Buffer): number {
  for (let length = 3; length > 0; length -= 1)
    if (slice.toString('latin1', Math.max(0, slice.length - length)) === blankLine.slice(0, length))
      return length;
  return 0;
}

/** The length of the first slice of a head or a body in chunks: no blank line lies in it but at its end. */
function toSliceLength(bytes: Buffer): number {
  const slice = bytes.length > sliceBytes ? bytes.subarray(0, sliceBytes) : bytes;
  const end = slice.indexOf(blankLine, 0, 'latin1');
  return end < 0 ? slice.length - countHeld(slice) : end + blankLine.length;
}

/**
 * Gives Node's HTTP parser one message of a connection at a time. The parser would take all that came in one packet: a
 * thousand answers would wait in memory for a reader who does not read, and the refusal of what follows a request
 * would leave before its answer. So a message is parsed when the answer to the one before has left, and `takeTurn` lets
 * other connections go on after each message, and after `turnMs` of a long one.
 */
export function parseOneAtATime(
  socket: Socket,
  takeTurn: () => Promise<void> | undefined,
  onFault: (error: unknown) => void,
) {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  const finish = socket.listeners('end').at(-1) as () => void;
  /** The request that is not complete, and the bytes of its body that are still to come, by Content-Length. */
  let request: IncomingMessage | undefined;
  let bodyLeft = 0;
  let isInChunks = false;
  let response: ServerResponse | undefined;
  let waiting: Buffer | undefined;
  /** Whether `advance` is going to be called, after an answer or in a later turn. */
  let isScheduled = false;
  let isOver = false;
  let refusedBytes = 0;
  let blankBytes = 0;
  /** Whether the caller has closed its half of the connection. */
  let isEnded = false;

  /** Whether a request was parsed whose answer has not left. */
  const isAnswering = () => response !== undefined && !response.writableFinished && !response.destroyed;

  /** Parses nothing more. A little more is read and dropped, so that the caller can read its answer. */
  function end(): void {
    isOver = true;
    waiting = undefined;
    if (socket.isPaused()) socket.resume();
  }

  /** A fault ends this connection, and no other. */
  function fail(error: unknown): void {
    onFault(error);
    end();
    socket.destroy();
  }

  /** Parses one slice; true where a message ends with it. */
  function feed(bytes: Buffer): boolean {
    const before = request;
    if (bodyLeft > 0) bodyLeft -= bytes.length;
    parse!.call(socket, bytes);
    if (!request && bytes.every((byte) => byte === 10 || byte === 13)) blankBytes += bytes.length;
    if (blankBytes > mostBlank) {
      end();
      socket.destroy();
    }
    if (request?.complete) {
      request = undefined;
      return true;
    }
    // It would resume the connection while bytes of the body wait for their turn.
    if (request && request !== before && bodyLeft === 0) request._read = () => {};
    return false;
  }

  function waitForAnswer(): void {
    isScheduled = true;
    if (waiting) socket.pause();
    response!.once('close', advance);
  }

  function waitForTurn(): void {
    isScheduled = true;
    socket.pause();
    Promise.resolve(takeTurn()).then(advance).catch(fail);
  }

  /** Parses the bytes that wait: one message, or less of it where that takes longer than a turn. */
  function advance(): void {
    isScheduled = false;
    if (!request && response?.shouldKeepAlive === false && !isAnswering()) end();
    const until = performance.now() + turnMs;
    while (waiting && !isOver) {
      if (!request && isAnswering()) {
        waitForAnswer();
        return;
      }
      const bytes: Buffer = waiting;
      const length = bodyLeft > 0 ? Math.min(bodyLeft, bytes.length) : toSliceLength(bytes);
      if (length === 0) break;
      waiting = length < bytes.length ? bytes.subarray(length) : undefined;
      const isLast = feed(waiting ? bytes.subarray(0, length) : bytes) || performance.now() > until;
      if ((isLast && waiting) || (bodyLeft > largeBody && !isOver)) {
        waitForTurn();
        return;
      }
    }
    if (isOver) return;
    if (isEnded) {
      if (!request && isAnswering()) waitForAnswer();
      else {
        end();
        finish.call(socket);
      }
    } else if (socket.isPaused()) socket.resume();
  }

  function take(bytes: Buffer): void {
    if (isOver) {
      refusedBytes += bytes.length;
      if (refusedBytes > mostRefused) socket.pause();
      return;
    }
    waiting = waiting ? Buffer.concat([waiting, bytes]) : bytes;
    if (waiting.length > mostWaiting) socket.destroy();
    else if (isScheduled) socket.pause();
    else advance();
    // The next read overwrites the shared buffer, and a piece of Node's pool would keep the whole pool.
    if (waiting?.buffer === bytes.buffer) waiting = Buffer.from(new Uint8Array(waiting).buffer);
  }

  socket.removeListener('data', parse!);
  socket.removeListener('end', finish);
  socket.once('close', end);
  socket.on('data', take);
  readShared(socket, take);
  socket.on('end', () => {
    isEnded = true;
    if (!isOver && !isScheduled) advance();
  });

  return {
    /** Reports a request as soon as its head is parsed. */
    begin(begun: IncomingMessage, answer: ServerResponse): void {
      request = begun;
      response = answer;
      bodyLeft = Number(begun.headers['content-length'] ?? 0);
      isInChunks = begun.headers['transfer-encoding'] !== undefined;
      blankBytes = 0;
    },
    /**
     * Decides whether the connection goes on after the answer whose head is about to be written, so that the head says
     * so. It ends if more of the request's body may follow than is read after an answer.
     */
    prepareAnswer(): void {
      const isUnread = request !== undefined && (bodyLeft > 0 || isInChunks);
      if (!isUnread || !response) return;
      if (isInChunks || bodyLeft > mostRefused) response.shouldKeepAlive = false;
      if (response.shouldKeepAlive) return;
      // Node would close at once: the rest of the body would then reset the connection, and the answer be lost.
      socket.destroySoon = () => closeAfter(socket);
      response.once('finish', end);
    },
    /** Whether a request is incomplete or not answered to the end. */
    isBusy: () => request !== undefined || isAnswering(),
    isAnswering,
    /** Closes the connection after the answer that is being made, if there is one. */
    endWithAnswer(): void {
      if (response && !response.headersSent) response.shouldKeepAlive = false;
    },
    end,
  };
}
