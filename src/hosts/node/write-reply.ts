import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { createRefusalReply } from '../../kernel/create-reply.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';
import { parsePreferences } from '../../kernel/representation.ts';
import { getOffer } from '../../pricing/offer.ts';
import { operations } from '../../table.ts';
import { type Compression, compressPieces } from './compression.ts';
import type { Connection } from './connection.ts';
import { type EncodedText, encodeText } from './encode-text.ts';

/** An import of node:http reads every export, and so loads WebSocket and all of fetch: 30 ms and 16 MB for nothing. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

type Body = EncodedText | Uint8Array;

/** A reply without its body. */
type Head = Pick<Reply, 'status' | 'headers' | 'logFields'>;

/** An answer as it is sent. */
export interface RawReply {
  status: number;
  /** Names and values of its header fields in turn. They include the length of the body, if it has one. */
  fields: readonly string[];
  /** Whole, or in pieces. A string in Latin-1 has one character for each byte. */
  body: Body;
  encoding?: 'latin1' | 'utf8';
}

const isPieces = (body: Body): body is readonly (string | Buffer)[] => Array.isArray(body);

/** Larger bodies, in bytes, are written piece by piece, each when the caller has read the ones before. */
const mostAtOnce = 262_144;

const measurePart = (part: string | Uint8Array) =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;
const measureBody = (body: Body) =>
  isPieces(body) ? body.reduce((sum, part) => sum + measurePart(part), 0) : measurePart(body);

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

/** Lists names and values of header fields in turn, and the length of the body unless the status has none. */
function listFields(status: number, headers: Reply['headers'], size: number): string[] {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  if (status !== 204 && status !== 304) fields.push('Content-Length', String(size));
  return fields;
}

/** Sends a reply of the core as it is. */
export function respondWith(connection: Connection, response: ServerResponse, reply: Reply): void {
  const { status, headers, body } = reply;
  const fields = listFields(status, headers, Buffer.byteLength(body));
  respond(connection, response, { status, fields, body });
}

/** Returns the bytes of a refusal, for when Node has no response because it parsed no request. */
export function encodeRefusal(code: RefusalCode): string {
  const { status, headers, body } = createRefusalReply(new Refusal(code));
  const fields = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

export type Encoding = 'identity' | Compression;

/**
 * Chooses the best coding that Accept-Encoding allows, by name or by `*` (RFC 9110 section 12.5.3): brotli, then gzip.
 */
export function chooseEncoding(header: string): Encoding {
  const preferences = new Map(parsePreferences(header));
  const accepts = (coding: string) => (preferences.get(coding) ?? preferences.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

/**
 * Shorter bodies, in characters, are not compressed. They fit the first round trip of a connection, and compressing
 * them takes longer than all the rest. A cached body is compressed once, so its limit is lower.
 */
const worthwhile = 14_336;
const worthwhileIfKept = 1024;

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

/**
 * Whether a reply may be compressed. A strong tag names bytes, and callers send it back with a change. A reply to a
 * write may hold a secret beside text of its caller: its compressed size could reveal the secret (BREACH).
 */
const canEncode = (request: IncomingMessage, { status, headers }: Reply): boolean =>
  isRead(request) && (status === 200 || status === 304) && headers.ETag?.startsWith('"') !== true;

/** Adds that a reply depends on Accept-Encoding, whichever coding it is sent in. */
function addVary(reply: Reply): Reply {
  const { Vary: before } = reply.headers;
  const Vary = before ? `${before}, Accept-Encoding` : 'Accept-Encoding';
  return { ...reply, headers: { ...reply.headers, Vary } };
}

/** The operations whose reply is the same for all callers without a workspace. */
const sharedOperations = new Set(
  operations
    .filter(({ caching, effect }) => caching.rule === 'record' && effect === 'read')
    .map((row) => row.operationId),
);

/** Whether every caller without a workspace or login gets this same reply: content, a 404 or the offer. */
function isForEveryone(request: IncomingMessage, { status, headers, logFields }: Head): boolean {
  const { headers: sent } = request;
  if (!isRead(request) || sent['x-workspace'] !== undefined || sent.authorization !== undefined) return false;
  // The next caller may prefer something else.
  if (!logFields || headers['Preference-Applied'] !== undefined) return false;
  if (logFields.operation === getOffer.operationId) return status === 402;
  return (
    sharedOperations.has(logFields.operation) &&
    logFields.code === undefined &&
    [200, 304, 404].includes(status)
  );
}

/** A live reply as it is sent. */
export interface Message extends RawReply {
  /** Whether a shared cache may give it to other callers. If so, it must hold nothing of one caller. */
  isForAll: boolean;
  /** Bytes of the body. */
  size: number;
}

/** Messages of cached replies. */
const sent = new WeakMap<Reply, Partial<Record<Encoding, Message>>>();

/** For whom a reply is encoded. */
interface EncodedFor {
  client: string;
  /** Whether nobody waits for the reply any more. */
  isGone(): boolean;
  /** Counts the bytes of the body, before it is compressed. Throws a Refusal if there is no room for it. */
  count(bytes: number): void;
}

/** Returns a reply as it is sent to its caller alone, as it is. */
export function toPlainMessage({ status, headers, body }: Reply): Message {
  const size = Buffer.byteLength(body);
  return { status, fields: listFields(status, headers, size), body, size, isForAll: false };
}

const toBuffer = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part);
const pickHead = ({ status, headers, logFields }: Reply): Head => ({ status, headers, logFields });

function chooseCoding({ headers }: IncomingMessage, { isKept, body }: Reply): Encoding {
  if (body.length < (isKept ? worthwhileIfKept : worthwhile)) return 'identity';
  return chooseEncoding(String(headers['accept-encoding'] ?? ''));
}

/** Encodes live replies, for their callers and for shared caches. */
export class ReplyEncoder {
  /** Whether a CDN bypasses its cache for X-Workspace. */
  readonly #isBypassed: boolean;
  /** The tag of this build in shared caches. */
  readonly #tag: string;

  constructor(isBypassed: boolean, tag: string) {
    this.#isBypassed = isBypassed;
    this.#tag = tag;
  }

  /**
   * Encodes a reply. Compresses it if the caller accepts that and there is room for it. Throws or rejects with what
   * `count` throws.
   */
  encode(request: IncomingMessage, reply: Reply, encodedFor: EncodedFor): Message | Promise<Message> {
    if (!canEncode(request, reply)) return this.#encodePlain(request, reply, encodedFor);
    const coding = chooseCoding(request, reply);
    const cached = reply.isKept ? sent.get(reply)?.[coding] : undefined;
    if (cached) return cached;
    const varied = addVary(reply);
    const message =
      coding === 'identity'
        ? this.#encodePlain(request, varied, encodedFor)
        : this.#encodeCompressed(request, varied, coding, encodedFor);
    if (!reply.isKept) return message;
    const keep = (kept: Message) => {
      sent.set(reply, { ...sent.get(reply), [coding]: kept });
      return kept;
    };
    return message instanceof Promise ? message.then(keep) : keep(message);
  }

  #encodePlain(
    request: IncomingMessage,
    reply: Reply,
    { client, count }: EncodedFor,
  ): Message | Promise<Message> {
    const head = pickHead(reply);
    const finish = (body: EncodedText) => {
      const message = this.#create(request, head, body);
      // A short one is sent at once, and counts if that fails.
      if (typeof body !== 'string') count(message.size);
      return message;
    };
    const text = encodeText(reply, client);
    return text instanceof Promise ? text.then(finish) : finish(text);
  }

  /** Keeps nothing of the text of the reply while its bytes wait to be compressed. */
  #encodeCompressed(
    request: IncomingMessage,
    reply: Reply,
    coding: Compression,
    { client, isGone, count }: EncodedFor,
  ): Promise<Message> {
    const head = pickHead(reply);
    const finish = async (text: EncodedText) => {
      const pieces = (typeof text === 'string' ? [text] : text).map(toBuffer);
      count(measureBody(pieces));
      const compressed = await compressPieces(pieces, { coding, client, isGone });
      if (!compressed) return this.#create(request, head, pieces);
      const headers = { ...head.headers, 'Content-Encoding': coding };
      return this.#create(request, { ...head, headers }, compressed);
    };
    const text = encodeText(reply, client);
    return text instanceof Promise ? text.then(finish) : finish(text);
  }

  #create(request: IncomingMessage, head: Head, body: EncodedText): Message {
    const { status } = head;
    const size = measureBody(body);
    const headers = this.#addSharing(request, head);
    const isForAll = 'Cache-Tag' in headers || !headers['Cache-Control']!.includes('no-store');
    // If every character is one byte, node:http can write the text without a copy in UTF-8.
    const encoding = size === body.length && typeof body === 'string' ? 'latin1' : 'utf8';
    return { status, fields: listFields(status, headers, size), body, encoding, isForAll, size };
  }

  /**
   * Returns the headers of a reply for shared caches. A reply that they may store has the tag of the build. If a CDN
   * bypasses its cache for X-Workspace, it may also store for a while what all other callers get.
   */
  #addSharing(request: IncomingMessage, reply: Head): Reply['headers'] {
    const { headers } = reply;
    if (!this.#isBypassed || !isForEveryone(request, reply)) return withCacheTag(headers, this.#tag);
    const { Vary = '' } = headers;
    const varies = /x-workspace/i.test(Vary) ? Vary : [Vary, 'X-Workspace'].filter(Boolean).join(', ');
    return withCacheTag({ ...headers, ...bypassedCache, Vary: varies }, this.#tag);
  }
}
