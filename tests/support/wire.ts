import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A reply as it came over the wire: nothing decoded, nothing followed. */
export interface WireReply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends one request with these headers and no others but Host and Connection. */
export function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<WireReply> {
  const { hostname, port } = new URL(origin);
  const length = method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {};
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, path, method, headers: { ...length, ...headers } },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The bytes below Content-Encoding. */
export function decode({ headers, bytes }: WireReply): Buffer {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  throw new Error(`Content-Encoding ${encoding} was never asked for`);
}
