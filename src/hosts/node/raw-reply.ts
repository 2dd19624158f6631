import type { Socket } from 'node:net';
import { toRefusalReply } from '../../kernel/answer.ts';
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';

/**
 * An import of node:http from an ES module reads every export, and with WebSocket loads the whole of fetch: 30 ms
 * and 16 MB that are not used here.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');

/** Milliseconds a caller has to read the answer and close. */
export const farewellMs = 1000;

/**
 * Ends a connection after these bytes. Its caller may be gone, which nobody else may be listening for: Node listens no
 * more on one that sent CONNECT.
 */
export function endRaw(socket: Socket, bytes = ''): void {
  socket.on('error', () => socket.destroy());
  socket.end(bytes);
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

/** Answers a connection on which no request was parsed with an envelope like any other, and ends it. */
export function refuseRaw(socket: Socket, code: RefusalCode): void {
  const { status, headers, body } = toRefusalReply(new Refusal(code));
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  endRaw(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`);
}

/** The boundary that an error of node's HTTP parser stands for. */
export function toRefusalCode({ code }: NodeJS.ErrnoException): RefusalCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_http';
}
