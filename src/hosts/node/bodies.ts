import type { IncomingMessage, ServerResponse } from 'node:http';
import { UseByClient } from '../../kernel/client-keys.ts';
import { usualBody } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { oneStep } from '../../kernel/steps.ts';
import { nodePlatform } from '../node-platform.ts';

/**
 * Bytes of request bodies that may be in memory at once, in all and of one client. Large bodies may use half of it, so
 * that there is always room for usual ones.
 */
const mostReceived = 67_108_864;
const mostReceivedOfClient = mostReceived / 4;
const received = new UseByClient();

/** How many pieces a chunked body may have. Each piece costs as much as many bytes. */
const mostPieces = 4096;

const tooManyPieces = `The body is in more than ${mostPieces.toLocaleString('en-US')} pieces. Send it in larger chunks, or with Content-Length.`;

function createSizeRefusal(limit: number): Refusal {
  const reason = `The body is larger than ${limit / 1024} KiB (${limit.toLocaleString('en-US')} bytes). Send less.`;
  return new Refusal('body_too_large', { reason });
}

/** Whether the caller waits for `100 Continue` (RFC 9110 section 10.1.1). HTTP/1.0 does not have it. */
const hasContinueExpectation = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue';

/**
 * The bytes of a body that have arrived, in one buffer. A list of small chunks would take many times their size. The
 * buffer grows with what arrives and counts with its capacity, so that a body that is only announced takes no room.
 */
class ReceivedBody {
  readonly #client: string;
  readonly #limit: number;
  #buffer: Buffer = Buffer.alloc(0);
  /** Whether the memory of the buffer was allocated here, and holds nothing else. */
  #isOwn = false;
  #capacity = 0;
  #size = 0;

  constructor(client: string, limit: number) {
    this.#client = client;
    this.#limit = limit;
  }

  /** Throws body_too_large, or too_busy if there is no room for it. */
  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#limit) throw createSizeRefusal(this.#limit);
    if (size > this.#capacity) this.#grow(Math.min(this.#limit, Math.max(size, 2 * this.#capacity)));
    if (this.#size === 0 && chunk.length === this.#capacity) this.#buffer = chunk;
    else {
      if (this.#buffer.length < this.#capacity) this.#move();
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Frees the memory of the body at once. Its bytes cannot be read after that. */
  release(): void {
    received.add(this.#client, -this.#capacity);
    this.#capacity = 0;
    this.#replace(Buffer.alloc(0));
  }

  /** Throws too_busy if there is no room for a body of so many bytes now. */
  requireRoom(capacity: number): void {
    const most = capacity > usualBody ? mostReceived / 2 : mostReceived;
    const more = capacity - this.#capacity;
    if (received.all + more <= most && received.hasRoom(this.#client, more, mostReceivedOfClient)) return;
    throw new Refusal('too_busy');
  }

  #grow(capacity: number): void {
    this.requireRoom(capacity);
    received.add(this.#client, capacity - this.#capacity);
    this.#capacity = capacity;
  }

  #move(): void {
    const larger = Buffer.allocUnsafeSlow(this.#capacity);
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#replace(larger);
    this.#isOwn = true;
  }

  /**
   * Takes another buffer, and frees the memory of the one before. The garbage collector would let tens of megabytes of
   * large bodies wait. A chunk of a socket can hold bytes of other requests, so it is left to the collector.
   */
  #replace(buffer: Buffer): void {
    const { buffer: memory } = this.#buffer;
    if (this.#isOwn && memory instanceof ArrayBuffer) memory.transfer(0);
    this.#isOwn = false;
    this.#buffer = buffer;
  }
}

/** Reads a body to its end. Rejects with what `body.add` throws, or if the caller leaves before. */
function read(request: IncomingMessage, body: ReceivedBody, isInChunks: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let pieces = 0;
    let isRefused = false;
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      pieces += 1;
      try {
        if (isInChunks && pieces > mostPieces) throw new Refusal('body_too_large', { reason: tooManyPieces });
        body.add(chunk);
      } catch (error) {
        isRefused = true;
        reject(error);
      }
    });
    request.on('end', resolve);
    // The connection is gone, so this refusal is never read. Unlike a fault, a Refusal is not logged.
    const giveUp = () => {
      if (!request.readableEnded) reject(new Refusal('invalid_http', { reason: 'The body ended early.' }));
    };
    request.on('error', giveUp);
    // The caller may have gone before the body was read.
    if (request.destroyed) giveUp();
    request.on('close', giveUp);
  });
}

/** A body of at most this many bytes is parsed in microseconds, so it does not wait for its turn. */
const mostUsedAtOnce = 4096;

/** How a body is read. */
interface BodyReading {
  /** The most bytes that it may have. */
  limit: number;
  client: string;
  /** Called when all of it has arrived. It can wait for its turn after that. */
  onRead?(): void;
}

/**
 * Reads the body of a request, and passes it to `use`. Throws body_too_large as soon as the
 * body is known to be too large, and too_busy if there is no room for it. A body that is not small is used in the turn of
 * its client, because its parse can take milliseconds. Its memory is freed once `use` has settled.
 */
export async function withBody<T>(
  response: ServerResponse,
  { limit, client, onRead }: BodyReading,
  use: (body: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const { req: request } = response;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const announced = coding === undefined ? Number(length ?? 0) : 0;
  if (announced > limit) throw createSizeRefusal(limit);
  const body = new ReceivedBody(client, coding === undefined ? announced : limit);
  // A body that has no room now is refused before it is sent.
  if (announced > 0) body.requireRoom(announced);
  try {
    if (hasContinueExpectation(request)) response.writeContinue();
    await read(request, body, coding !== undefined);
    onRead?.();
    const { bytes } = body;
    if (bytes.length <= mostUsedAtOnce) return await use(bytes);
    return await nodePlatform.runSteps(
      oneStep(() => use(bytes)),
      { client, operation: 'parse' },
    );
  } finally {
    body.release();
  }
}
