import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CallNotes } from '../../kernel/call.ts';
import { UseByClient } from '../../kernel/client-keys.ts';
import { eventLoop } from '../node-platform.ts';
import { createPause } from '../pause.ts';

/** Milliseconds for a caller to read its last answer and close the connection. */
const farewellMs = 1000;

/** Bytes of a body that are read after its answer, to keep the connection. If more may follow, the connection ends. */
const mostUnneeded = 65_536;

/**
 * How many requests may wait for earlier answers on their connections, in all and of one client. Each takes three
 * kilobytes, so all of them fit a heap of 256 MB.
 */
const mostWaiting = 20_000;
const mostWaitingOfClient = 5000;
const waitingRequests = new UseByClient();

/** How many requests may arrive after the last that is answered. Node keeps them until the connection has closed. */
const mostIgnored = 100;

/** Separate from the turns of the core: otherwise connections and searches would delay each other. */
const takeTurn = createPause(eventLoop);

/** Sends these bytes, ends the connection, and destroys it after a second. */
export function closeAfter(socket: Socket, bytes = ''): void {
  socket.end(bytes);
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

/** Whether the rest of a request's body may be longer than what is read after its answer. */
function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  const isInChunks = headers['transfer-encoding'] !== undefined;
  if (complete || (length === 0 && !isInChunks)) return false;
  // The caller may or may not send a body after `Expect`.
  return isInChunks || length > mostUnneeded || headers.expect !== undefined;
}

/** What a connection needs of its server. */
interface ConnectionServer {
  readonly isStopping: boolean;
  /** Called when a request arrives before earlier ones on its connection are answered, or after the last one. */
  onPipelined(): void;
}

/**
 * One connection and its requests. They are answered one after the other. Otherwise a thousand answers could wait in
 * memory for a caller who does not read, and two changes could be made in the wrong order.
 */
export class Connection {
  readonly socket: Socket;
  /** The address at the other end, in the form of `parseAddress`. */
  readonly peer: string;
  /** The client whose share the connection counts in, if any. */
  owner: string | undefined;
  /** Whether the connection ends after the current answer. */
  isEnding = false;
  /** How many requests on it were served, or are being served. */
  served = 0;
  #response: ServerResponse | undefined;
  /** What the core notes of the current call. */
  #noted: CallNotes | undefined;
  /** The requests after the current answer, in order. */
  #waiting: (() => void)[] = [];
  /** Ends the connection after the waiting requests. */
  #end: ((isAnswered: boolean) => void) | undefined;
  #isServing = false;
  #isHeld = false;
  #isStopped = false;
  /** How many requests arrived after the last that is answered. */
  #ignored = 0;
  #server: ConnectionServer;

  constructor(socket: Socket, peer: string, server: ConnectionServer) {
    this.socket = socket;
    this.peer = peer;
    this.#server = server;
    socket.once('close', () => this.#dropWaiting());
    socket.on('resume', () => this.#keepPaused());
  }

  /** Whether a request is being answered. */
  get isAnswering(): boolean {
    const response = this.#response;
    return response !== undefined && !response.writableFinished && !response.destroyed;
  }

  /** Whether a request is being answered that does not wait for a change. */
  get isBusy(): boolean {
    return this.isAnswering && !this.#noted?.isWaiting;
  }

  /** Whether we do not read because requests wait or are being answered. */
  get isWaiting(): boolean {
    return this.#isHeld || this.#waiting.length > 0;
  }

  /** Whether we do not read from the connection now. */
  get #isPaused(): boolean {
    return this.isWaiting || this.#isStopped;
  }

  /**
   * Pauses again, because Node resumes a connection after each message. If `pause` was called before a pending `resume`
   * ran, Node reads although the stream counts as paused, and `pause` does nothing. So we resume first; the next event
   * pauses.
   */
  #keepPaused(): void {
    if (!this.#isPaused) return;
    if (this.socket.readableFlowing) this.socket.pause();
    else this.socket.resume();
  }

  /** Runs `serve` when all earlier requests are answered, at once if there are none. */
  inTurn(serve: () => void): void {
    const isOver = this.isEnding || this.socket.destroyed;
    if (!isOver && !this.isWaiting && !this.isAnswering) {
      serve();
      return;
    }
    this.#server.onPipelined();
    if (isOver) {
      this.#ignored += 1;
      if (this.#ignored > mostIgnored) this.socket.destroy();
      return;
    }
    const isFull = waitingRequests.all >= mostWaiting;
    if (isFull || !waitingRequests.hasRoom(this.peer, 1, mostWaitingOfClient)) {
      this.socket.destroy();
      return;
    }
    waitingRequests.add(this.peer, 1);
    this.#waiting.push(serve);
    this.socket.pause();
    void this.#serveWaiting();
  }

  /**
   * Ends the connection because of bytes that are not a request. Runs `end` when the complete requests before them are
   * answered.
   *
   * If the bytes belong to the body of a request, `isAnswered` says whether that request already has its answer. A
   * second answer would be taken for the answer to another request.
   */
  afterAll(end: (isAnswered: boolean) => void): void {
    this.#end = end;
    void this.#serveWaiting();
  }

  /** Sets the response that is current from now on. */
  begin(response: ServerResponse): void {
    this.served += 1;
    this.#response = response;
    this.#noted = undefined;
  }

  /** Sets what the core notes of the call that is answered now. */
  follow(noted: CallNotes): void {
    this.#noted = noted;
  }

  /**
   * Stops reading until the answer has left or `release` is called. If a caller closes its half of the connection, Node
   * closes ours, and an answer that is not ready would be lost.
   */
  hold(): void {
    if (this.isEnding) return;
    this.#isHeld = true;
    this.socket.pause();
    const response = this.#response;
    response?.once('close', () => {
      if (this.#response === response) this.release();
    });
  }

  release(): void {
    this.#isHeld = false;
    this.#resume();
  }

  /** Reads nothing from the connection until `startReading` is called, whatever its requests do. */
  stopReading(): void {
    this.#isStopped = true;
    this.socket.pause();
  }

  startReading(): void {
    this.#isStopped = false;
    this.#resume();
  }

  #resume(): void {
    if (!this.#isPaused && !this.isEnding) this.socket.resume();
  }

  /**
   * Whether the connection must end after the answer to this request. Called before the head of the answer is written,
   * because the head says so. Later requests on the connection are not answered.
   */
  endsWith(request: IncomingMessage): boolean {
    if (this.#server.isStopping || hasLongRest(request)) this.isEnding = true;
    if (this.isEnding) this.#dropWaiting();
    return this.isEnding;
  }

  /** Ends the connection after an early answer, while its request may still arrive. */
  linger(request: IncomingMessage): void {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostUnneeded) request.pause();
    });
    closeAfter(this.socket);
  }

  #dropWaiting(): void {
    waitingRequests.add(this.peer, -this.#waiting.length);
    this.#waiting = [];
  }

  async #serveWaiting(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      await this.#answered();
      await takeTurn(this.peer);
      const serve = this.#waiting.shift();
      if (!serve) return;
      waitingRequests.add(this.peer, -1);
      serve();
    }
    this.#isServing = false;
    if (this.#end) await this.#finish(this.#end);
    else this.#resume();
  }

  /** Resolves when the current answer has left or its connection is closed. */
  async #answered(): Promise<void> {
    if (this.isAnswering) await new Promise((resolve) => this.#response!.once('close', resolve));
  }

  async #finish(end: (isAnswered: boolean) => void): Promise<void> {
    const response = this.#response;
    const isInBody = response !== undefined && !response.req.complete;
    if (!isInBody) await this.#answered();
    if (this.isEnding || this.socket.destroyed) return;
    this.isEnding = true;
    end(isInBody && response.headersSent);
  }
}
