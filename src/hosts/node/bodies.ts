import type { IncomingMessage, ServerResponse } from 'node:http';
import { UseByClient } from '../../kernel/client-keys.ts';
import { usualBody } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { nodePlatform } from '../node-platform.ts';

/**
 * Bytes of request bodies that may arrive or wait at once, in all and of one client. Large bodies may use half of it,
 * so that there is always room for usual ones.
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

/** Reads a body of at most `room` bytes into one buffer. A list of small chunks would take many times their size. */
function read(request: IncomingMessage, room: number, isInChunks: boolean): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let body: Buffer | undefined;
    let size = 0;
    let pieces = 0;
    let isRefused = false;
    const refuse = (refusal: Refusal) => {
      isRefused = true;
      body = undefined;
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      pieces += 1;
      if (size + chunk.length > room) return refuse(createSizeRefusal(room));
      if (isInChunks && pieces > mostPieces)
        return refuse(new Refusal('body_too_large', { reason: tooManyPieces }));
      if (chunk.length === room) body = chunk;
      else {
        body ??= Buffer.allocUnsafe(room);
        chunk.copy(body, size);
      }
      size += chunk.length;
    });
    request.on('end', () => resolve(body ? body.subarray(0, size) : new Uint8Array()));
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

/**
 * Reads the body of a request, of at most `limit` bytes, and passes it to `use`. Throws body_too_large as soon as the
 * body is known to be too large, and too_busy if there is no room for it. A large body waits for its own turn of the
 * event loop, because its parse takes milliseconds.
 */
export async function withBody<T>(
  response: ServerResponse,
  { limit, client }: { limit: number; client: string },
  use: (body: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const { req: request } = response;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const room = coding === undefined ? Number(length ?? 0) : limit;
  if (room > limit) throw createSizeRefusal(limit);
  const most = room > usualBody ? mostReceived / 2 : mostReceived;
  const hasRoom = received.all + room <= most && received.hasRoom(client, room, mostReceivedOfClient);
  if (room > 0 && !hasRoom) throw new Refusal('too_busy');
  received.add(client, room);
  try {
    if (hasContinueExpectation(request)) response.writeContinue();
    const body = await read(request, room, coding !== undefined);
    if (body.length > usualBody) await nodePlatform.pause(client);
    return await use(body);
  } finally {
    received.add(client, -room);
  }
}

/** Bytes of large answers that may wait until their callers read them, in all and for one client. */
const mostUnread = 268_435_456;
const mostUnreadOfClient = mostUnread / 8;
/** Smaller answers, in bytes, are not counted: an unread connection takes about as much anyway. */
const large = 65_536;

/** Limits the answers that wait in memory until they are read. */
export function createUnreadBudget() {
  const unread = new UseByClient();
  return {
    /** Throws too_busy if the client left too much unread, or if all did and this client left some of it. */
    check(client: string): void {
      if (unread.hasRoom(client, 1, unread.all < mostUnread ? mostUnreadOfClient : 1)) return;
      const reason = 'Too many answers wait to be read. Read them, then ask again.';
      throw new Refusal('too_busy', { reason });
    },
    /** Counts an answer from when it is sent until it has left. */
    add(client: string, response: ServerResponse, size: number): void {
      if (size < large || response.writableFinished) return;
      unread.add(client, size);
      response.once('close', () => unread.add(client, -size));
    },
  };
}
