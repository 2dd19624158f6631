import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readShared } from './beneath-node.ts';
import { countBlank, toPart } from './message-parts.ts';
import { farewellMs } from './raw-reply.ts';

/** Bytes that may wait while an answer leaves: what was read before the connection was told to stop. */
const mostWaiting = 1_048_576;

/** Slices of one message that are parsed in one turn. */
const mostSlices = 200;
/** Turns that the rest of a body in chunks may take which was answered before it was whole. */
const mostRefused = 400;
/** Milliseconds for which those who wait have their turns before new bytes are read. */
const turnsMs = 4;

let turns: (() => void)[] = [];

function runTurns(): void {
  const end = performance.now() + turnsMs;
  let done = 0;
  while (done < turns.length && performance.now() < end) turns[done++]!();
  turns = turns.slice(done);
  if (turns.length > 0) setImmediate(runTurns);
}

/** Calls `advance` when all who asked before have had their turn, and what others sent was read in between. */
function takeTurn(advance: () => void): void {
  if (turns.push(advance) === 1) setImmediate(runTurns);
}

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

/**
 * Gives Node's HTTP parser one message of a connection at a time. The parser would take all that came in one
 * packet: the answers to a thousand pipelined requests would wait in memory for a reader who does not read, and
 * a refusal of what stands behind a request would go out before its answer. Here the next message is parsed only
 * when the answer to the one before has left, and the connection is not read until then.
 */
export function parseOneAtATime(socket: Socket): Exchange {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  const finish = socket.listeners('end').at(-1) as (() => void) | undefined;
  let request: IncomingMessage | undefined;
  let response: ServerResponse | undefined;
  /** Bytes of the body that are still to come, by Content-Length. */
  let bodyLeft = 0;
  let hasBegun = false;
  let refused = 0;
  let waiting: Buffer | undefined;
  /** Whether `advance` is called by itself, after an answer or in the next turn. */
  let isScheduled = false;
  let isOver = false;
  /** Whether the caller has said all. */
  let isEnded = false;

  /** Whether a body is on its way whose length nobody knows. */
  const isInChunks = () => request !== undefined && bodyLeft === 0;
  const isUnanswered = () => response !== undefined && !response.writableFinished && !response.destroyed;

  /** How much of `bytes` is of the message that is being parsed, at most; 0 where more has to come first. */
  function toSlice(bytes: Buffer): number {
    if (bodyLeft > 0) return Math.min(bodyLeft, bytes.length);
    return toPart(bytes, isInChunks());
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
      // It would have the connection read on while what was read of the body waits for its turn.
      if (isInChunks()) request!._read = () => {};
    }
  }

  /** What still comes is read and dropped, so that the caller can read what it was told. */
  function end(): void {
    isOver = true;
    waiting = undefined;
    if (socket.isPaused()) socket.resume();
  }

  /** What is left to do once no byte waits: to read on or, where the caller has said all, to end after the answer. */
  function settle(): void {
    if (!isEnded) {
      if (socket.isPaused()) socket.resume();
    } else if (!hasBegun && isUnanswered()) {
      isScheduled = true;
      response!.once('close', advance);
    } else {
      end();
      finish!.call(socket);
    }
  }

  /** Parses what waits, up to the end of a message and for a few milliseconds: then others have their turn. */
  function advance(): void {
    isScheduled = false;
    if (!hasBegun && waiting && isUnanswered()) {
      isScheduled = true;
      socket.pause();
      response!.once('close', advance);
      return;
    }
    if (!hasBegun && response?.shouldKeepAlive === false) end();
    // What was refused before it was whole is parsed on, so that the connection can go on, but not without end.
    if (isInChunks() && response?.writableFinished && ++refused > mostRefused) {
      end();
      setTimeout(() => socket.destroy(), farewellMs).unref();
    }
    for (let slices = 1; waiting && !isOver; slices += 1) {
      const blank = hasBegun ? 0 : countBlank(waiting);
      if (blank > 0) waiting = waiting.subarray(blank);
      const length = toSlice(waiting);
      const bytes = waiting;
      waiting = length < bytes.length ? bytes.subarray(length) : undefined;
      if (length === 0) break;
      feed(waiting ? bytes.subarray(0, length) : bytes);
      if (waiting && (!hasBegun || isInChunks() || slices === mostSlices)) {
        isScheduled = true;
        socket.pause();
        takeTurn(advance);
        return;
      }
    }
    if (!isOver) settle();
  }

  /**
   * Takes what was read. What waits of it gets memory of its own: the next read overwrites it, and a piece of Node's
   * pool would hold the whole of that.
   */
  function take(bytes: Buffer): void {
    if (isOver) return;
    waiting = waiting ? Buffer.concat([waiting, bytes]) : bytes;
    if (waiting.length > mostWaiting) socket.destroy();
    else if (isScheduled) socket.pause();
    else advance();
    if (waiting?.buffer === bytes.buffer) waiting = Buffer.from(new Uint8Array(waiting).buffer);
  }

  socket.removeListener('data', parse!);
  socket.removeListener('end', finish!);
  socket.once('close', end);
  socket.on('data', take);
  readShared(socket, take);
  socket.on('end', () => {
    isEnded = true;
    if (!isOver && !isScheduled) advance();
  });

  return {
    begin(begun, answer) {
      request = begun;
      response = answer;
      refused = 0;
    },
    isBusy: () => hasBegun || isUnanswered(),
    isAnswering: isUnanswered,
    endWithAnswer() {
      if (response && !response.headersSent) response.shouldKeepAlive = false;
    },
    end,
  };
}
