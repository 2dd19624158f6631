import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../core/refusal.ts';

/** Bytes of a request body at most. */
export const maxBodyBytes = 65_536;

/**
 * The whole body. Rejects with body_too_large as soon as it is known. What still comes is read and thrown
 * away, so that a caller in the middle of sending can read the answer; the request time-out ends it.
 */
export function readBody(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const refuse = () => {
      chunks = [];
      reject(new Refusal('body_too_large'));
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) refuse();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
    if (Number(request.headers['content-length']) > maxBodyBytes) refuse();
  });
}
