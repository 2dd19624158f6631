/**
 * All that this host takes from Node beneath what Node documents. Each has a fallback: where a version of Node differs,
 * the host serves the same bytes, and slower.
 */
import type { ServerResponse as Response } from 'node:http';
import type { Socket } from 'node:net';

/** An import of node:http reads every export, and with WebSocket loads all of fetch: 30 ms and 16 MB for nothing. */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');

interface Handle {
  writeQueueSize?: number;
  useUserBuffer?(buffer: Uint8Array): void;
}

const handleOf = (socket: Socket) => (socket as unknown as { _handle: Handle | null })._handle;

/** Bytes of an answer that the system has not taken: Node reports a write only when all of it is taken. */
export function countUnread(socket: Socket): number {
  return socket.writableLength === 0 ? 0 : handleOf(socket)?.writeQueueSize || socket.writableLength;
}

/** What every connection is read into, one read after the other: as many bytes as Node reads at once. */
const shared = Buffer.allocUnsafeSlow(65_536);

/**
 * Reads what arrives on a socket into a buffer that all share, as the option `onread` of `net.Socket` does, which
 * Node offers for the sockets of clients only: new memory for each read takes an eighth of the time of an answer from
 * memory. `take` must keep none of the bytes. Where this Node cannot do so, all arrives as 'data' as before.
 */
export function readShared(socket: Socket, take: (bytes: Buffer) => void): void {
  const symbols = Object.getOwnPropertySymbols(socket);
  const find = (name: string) => symbols.find(({ description }) => description === name);
  const [buffer, callback] = [find('kBuffer'), find('kBufferCb')];
  const handle = handleOf(socket);
  if (!buffer || !callback || !handle?.useUserBuffer) return;
  const onRead = (length: number) => take(shared.subarray(0, length));
  Object.assign(socket, { [buffer]: shared, [callback]: onRead });
  handle.useUserBuffer(shared);
}

/** The status and header fields of an answer. Where it may have a body, the fields must have its length. */
export interface Head {
  status: number;
  /** Names and values in turn, as node:http takes them. */
  list: string[];
  /** Whether it is sent again: the text that Node makes of it is kept. */
  isReused: boolean;
  /** What Node wrote of it the first time, before and after its field Date. */
  written?: readonly [string, string];
}

interface Written {
  _header?: string | null;
}

const dateField = /^Date: .*\r\n/m;

let second = 0;
let date = '';

/** The time as the field Date has it (RFC 9110 section 5.6.7). */
function toDate(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) date = new Date(now * 1000).toUTCString();
  second = now;
  return date;
}

/**
 * Writes the head of a response, and `own` of this one alone: names and values in turn, of printable ASCII. One that
 * is sent again, to HTTP/1.1 on a connection that stays open, is the text that Node made of it the first time, with the
 * time of now: making it again takes a twentieth of the time of an answer from memory.
 */
export function writeHead(response: Response, head: Head, own: readonly string[] = []): void {
  const { status, list, isReused, written } = head;
  const isUsual = isReused && response.shouldKeepAlive && response.req.httpVersionMinor === 1;
  let lines = '';
  if (isUsual)
    for (let index = 0; index < own.length; index += 2) lines += `${own[index]}: ${own[index + 1]}\r\n`;
  if (isUsual && written) {
    response.statusCode = status;
    (response as Written)._header = `${written[0] + lines}Date: ${toDate()}\r\n${written[1]}`;
    return;
  }
  response.writeHead(status, own.length > 0 ? [...list, ...own] : list);
  const text = (response as Written)._header;
  if (!isUsual || !text) return;
  const [before = '', after] = text.split(dateField);
  if (after !== undefined && before.endsWith(lines))
    head.written = [before.slice(0, before.length - lines.length), after];
}
