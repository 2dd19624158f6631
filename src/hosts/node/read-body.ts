import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../core/refusal.ts';

/** Bytes of a request body at most. */
export const maxBodyBytes = 65_536;
/** Bytes that are read and thrown away so that a caller who sends too much can read the answer. */
const maxDiscardedBytes = 16_777_216;

/**
 * The whole body. Rejects with body_too_large: once the body has passed by, so that the connection can be
 * used on, or at once where it is larger than 16 MiB.
 */
export function readBody(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Refusal('body_too_large', { headers: { Connection: 'close' } }));
    if (Number(request.headers['content-length']) > maxDiscardedBytes) return giveUp();
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else chunks = [];
      if (size > maxDiscardedBytes) giveUp();
    });
    request.on('end', () => {
      if (size > maxBodyBytes) reject(new Refusal('body_too_large'));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}
