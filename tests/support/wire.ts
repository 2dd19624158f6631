import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Body } from './http.ts';

/** A reply as it came over the wire, not decoded and without following redirects. */
export interface WireReply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** What is sent: these headers and no others but Host, Connection and the length of a body. */
export interface Sent {
  method?: string;
  headers?: object;
  body?: string;
  /** The connections to use. By default all calls share them; `false` opens a new one. */
  agent?: Agent | false;
}

const shared = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends one request. Rejects if the connection is refused, reset, or silent for 10 s. */
export function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body, agent = shared }: Sent = {},
): Promise<WireReply> {
  const { hostname, port } = new URL(origin);
  // node:http would send the body of a DELETE or an OPTIONS without a length, as bytes of the next request.
  const isSized = body !== undefined || method === 'POST';
  const length = isSized ? { 'Content-Length': Buffer.byteLength(body ?? '') } : {};
  const options = { agent, hostname, port, path, method, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers: { ...length, ...headers } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server ended an idle connection when the request was on its way (Node, `request.reusedSocket`).
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
      const again = { method, headers, agent: false as const, ...(body !== undefined && { body }) };
      if (isStale) send(origin, path, again).then(resolve, reject);
      else reject(error);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path} within 10 s`)));
    sent.end(body);
  });
}

/** Returns the bytes of a body without its content encoding. */
export function decode({ headers, bytes }: WireReply): Buffer {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  throw new Error(`Content-Encoding ${encoding} was never asked for`);
}

/** A connection that reads only as the test says. */
interface Wire {
  socket: Socket;
  /** Everything received so far, in Latin-1: one character per byte. */
  text(): string;
  /** Resolves once it is connected, or has failed. */
  opened: Promise<Wire>;
  /** The seconds from its opening to its end. */
  closed: Promise<number>;
}

/** Opens a connection and sends these bytes (Latin-1) on it. */
export function openWire({ port }: { port: number }, bytes = ''): Wire {
  const start = performance.now();
  let text = '';
  const socket = connect(port, '127.0.0.1', () => bytes && socket.write(bytes, 'latin1'));
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {});
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve((performance.now() - start) / 1000)),
  );
  const opened = new Promise<Wire>((resolve) => {
    for (const event of ['connect', 'close']) socket.once(event, () => resolve(wire));
  });
  const wire: Wire = { socket, text: () => text, opened, closed };
  return wire;
}

/**
 * Sends these bytes and reads until the server ends the connection. Rejects if it is reset, or silent for a
 * minute.
 */
export async function sendRaw(
  port: number,
  bytes: string,
): Promise<{ status: number; head: string; text: string; body: Body }> {
  const wire = openWire({ port }, bytes);
  const failed = new Promise<never>((_, reject) => wire.socket.once('error', reject));
  wire.socket.setTimeout(60_000, () => wire.socket.destroy(new Error(`no end to ${bytes.slice(0, 80)}`)));
  await Promise.race([wire.closed, failed]);
  const answer = Buffer.from(wire.text(), 'latin1').toString();
  const [head = '', text = ''] = answer.split(/\r\n\r\n(.*)/s);
  const isJson = /content-type: application\/json/i.test(head) && text !== '';
  return { status: Number(head.split(' ')[1]), head, text, body: isJson ? JSON.parse(text) : undefined };
}
