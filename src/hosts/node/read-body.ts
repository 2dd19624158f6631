import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../kernel/refusal.ts';

/** Bytes of a request body at most. */
const maxBodyBytes = 65_536;

const empty = Buffer.alloc(0);

/** A buffer of twice the room, or as much as is needed, that begins with the first `size` bytes. */
function grow(bytes: Buffer, size: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * size, needed), maxBodyBytes));
  bytes.copy(larger, 0, 0, size);
  return larger;
}

/**
 * The whole body, in one buffer: what came in small chunks would take many times its size. Rejects with
 * body_too_large as soon as it is known. What still comes is read and thrown away, so that a caller in the middle
 * of sending can read the answer; the request time-out ends it.
 */
export function readBody(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let body: Buffer = empty;
    let size = 0;
    const refuse = () => {
      body = empty;
      reject(new Refusal('body_too_large'));
    };
    request.on('data', (chunk: Buffer) => {
      const before = size;
      size += chunk.length;
      if (size > maxBodyBytes) return refuse();
      if (before === 0) body = chunk;
      else if (size > body.length) body = grow(body, before, size);
      if (before > 0) chunk.copy(body, before);
    });
    request.on('end', () => resolve(body.subarray(0, size)));
    request.on('error', reject);
    if (Number(request.headers['content-length']) > maxBodyBytes) refuse();
  });
}
