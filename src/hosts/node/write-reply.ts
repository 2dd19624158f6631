import type { ServerResponse } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { createRefusalReply } from '../../kernel/create-reply.ts';
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';
import type { Connection } from './connection.ts';
import { isPieces, listHeaderFields, measureBody, type RawReply } from './raw-reply.ts';

/** An import of node:http reads every export, and so loads WebSocket and all of fetch: 30 ms and 16 MB for nothing. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Larger bodies, in bytes, are written piece by piece, each when the caller has read the ones before. */
const mostAtOnce = 262_144;

/** Writes the pieces at the caller's pace, and ends the response. Keeps none that was written. */
function writePaced(response: ServerResponse, pieces: readonly (string | Buffer)[]): void {
  const left = [...pieces];
  const goOn = () => {
    while (left.length > 1)
      if (!response.write(left.shift())) {
        response.once('drain', goOn);
        return;
      }
    response.end(left.shift());
  };
  goOn();
}

/** Writes a body, and ends the response unless `isOpen`. */
function writeBody(response: ServerResponse, { body, encoding = 'utf8' }: RawReply, isOpen: boolean): void {
  const pieces = isPieces(body) ? body : [body];
  if (isPieces(body) && !isOpen && body.length > 1 && measureBody(body) > mostAtOnce) {
    writePaced(response, body);
    return;
  }
  const last = isOpen ? pieces.length : pieces.length - 1;
  if (pieces.length > 1) response.cork();
  for (const piece of pieces.slice(0, last)) response.write(piece, encoding);
  if (isOpen) response.uncork();
  else response.end(pieces[last], encoding);
}

/**
 * Sends an answer, without its body to HEAD. It says `Connection: close` if the connection ends with it.
 *
 * If its request still arrives, we close the connection only after a moment. Bytes that arrive at a closed connection
 * reset it, and the answer would be lost.
 */
export function respond(connection: Connection, response: ServerResponse, answer: RawReply): void {
  const { req: request } = response;
  const isLast = connection.endsWith(request);
  const fields = isLast ? [...answer.fields, 'Connection', 'close'] : answer.fields;
  response.writeHead(answer.status, fields as string[]);
  const sent = request.method === 'HEAD' ? { ...answer, body: '' } : answer;
  const isEarly = isLast && !request.complete;
  if (isEarly) response.flushHeaders();
  writeBody(response, sent, isEarly);
  if (isEarly) connection.linger(request);
}

/** Sends a reply of the core as it is. */
export function respondWith(connection: Connection, response: ServerResponse, reply: Reply): void {
  const { status, headers, body } = reply;
  const fields = listHeaderFields(status, headers, Buffer.byteLength(body));
  respond(connection, response, { status, fields, body });
}

/** Returns the bytes of a refusal, for when Node has no response because it parsed no request. */
export function encodeRefusal(code: RefusalCode): string {
  const { status, headers, body } = createRefusalReply(new Refusal(code));
  const fields = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
