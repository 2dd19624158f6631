import type { IncomingMessage } from 'node:http';
import { usualBody } from '../../kernel/effect.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createTurns } from '../node-platform.ts';
import { ByteBudget } from './byte-budget.ts';

/**
 * Bytes of request bodies that may be on their way or wait for their turn at once: in all, and of one client. Large ones
 * grow only while fewer than half of all are taken, so that there is room for usual ones.
 */
const mostBytes = 67_108_864;
const mostOfClient = mostBytes / 4;
const budget = new ByteBudget();

/** Pieces in which a body in chunks may arrive: each costs as much as many bytes. */
const mostPieces = 4096;

const empty = Buffer.alloc(0);
const takeTurn = createTurns();

/** The room that one body of a client takes, until it is released. */
class Room {
  readonly #client: string;
  #bytes = 0;

  constructor(client: string) {
    this.#client = client;
  }

  /** Takes as much as a body of so many bytes needs; false where there is no more. */
  grow(bytes: number): boolean {
    const more = bytes - this.#bytes;
    const most = bytes > usualBody ? mostBytes / 2 : mostBytes;
    const isFull = budget.bytes + more > most || budget.of(this.#client) + more > mostOfClient;
    if (more > 0 && isFull) return false;
    budget.add(this.#client, more);
    this.#bytes = bytes;
    return true;
  }

  release(): void {
    this.grow(0);
  }
}

/** The room for a body that outgrew its own: twice that, or as much as is needed. */
const toRoom = (has: number, needed: number, limit: number) =>
  needed <= has ? has : Math.min(Math.max(2 * has, needed), limit);

/** A buffer with more room that begins with the first `size` bytes. */
function enlarge(bytes: Buffer, size: number, room: number): Buffer {
  const larger = Buffer.allocUnsafe(room);
  bytes.copy(larger, 0, 0, size);
  return larger;
}

const tooManyPieces = `The body is in more than ${mostPieces.toLocaleString('en-US')} pieces. Send it in larger chunks, or with Content-Length.`;

function toTooLarge(limit: number): Refusal {
  if (limit === usualBody) return new Refusal('body_too_large');
  const reason = `The body is larger than ${limit / 1024} KiB (${limit.toLocaleString('en-US')} bytes). Send less.`;
  return new Refusal('body_too_large', { reason });
}

/** Reads a body whole, in one buffer: what came in small chunks would take many times its size. */
function read(request: IncomingMessage, limit: number, room: Room): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let body: Buffer = empty;
    let size = 0;
    let pieces = 0;
    let isRefused = false;
    /** What is still to come is not known of a body in chunks. */
    const length = Number(request.headers['content-length'] ?? 0);
    const isInChunks = request.headers['transfer-encoding'] !== undefined;
    const refuse = (refusal: Refusal) => {
      isRefused = true;
      body = empty;
      room.release();
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      const before = size;
      size += chunk.length;
      if (size > limit) return refuse(toTooLarge(limit));
      if (isInChunks && ++pieces > mostPieces)
        return refuse(new Refusal('body_too_large', { reason: tooManyPieces }));
      const held = length || (before === 0 ? size : toRoom(body.length, size, limit));
      if (!room.grow(held)) return refuse(new Refusal('too_busy'));
      if (size === held && before === 0) body = chunk;
      else {
        if (held > body.length) body = enlarge(body, before, held);
        chunk.copy(body, before);
      }
    });
    request.on('end', () => resolve(body.subarray(0, size)));
    request.on('error', reject);
    const giveUp = () => {
      if (!request.readableEnded) reject(new Error('The body ended early.'));
    };
    // Its caller may have gone while something else was waited for.
    if (request.destroyed) giveUp();
    request.on('close', giveUp);
    if (length > limit) refuse(toTooLarge(limit));
    else if (!room.grow(length)) refuse(new Refusal('too_busy'));
  });
}

/**
 * Gives the whole body of a request of a client, of at most `limit` bytes, to `use`. Rejects with body_too_large as
 * soon as that is known, and with too_busy where too many bytes of bodies are on their way. A body of more than a usual
 * one waits for a turn of the event loop of its own, since its parse alone takes milliseconds.
 */
export async function withBody<T>(
  request: IncomingMessage,
  { limit, client }: { limit: number; client: string },
  use: (body: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const room = new Room(client);
  try {
    const body = await read(request, limit, room);
    if (body.length > usualBody) await takeTurn(client);
    return await use(body);
  } finally {
    room.release();
  }
}
