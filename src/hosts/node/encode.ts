import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { keepByText } from '../../kernel/cache.ts';
import type { Pieces, Reply } from '../../kernel/call.ts';
import { parsePreferences } from '../../kernel/representation.ts';
import type { RawReply } from './respond.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/**
 * Chooses the best coding that Accept-Encoding allows, by name or by `*` (RFC 9110 section 12.5.3): brotli, then gzip.
 */
export const chooseEncoding = keepByText((header): Encoding => {
  const preferences = new Map(parsePreferences(header));
  const accepts = (coding: string) => (preferences.get(coding) ?? preferences.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
});

/** Maximum bytes of a body that is sent as a string. node:http sends that in one write with the headers. */
export const longestText = 8192;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Shorter bodies, in characters, are not compressed. They fit the first round trip of a connection, and compressing
 * them takes longer than all the rest. A cached body is compressed once, so its limit is lower.
 */
const worthwhile = 14_336;
const worthwhileIfKept = 1024;

/** The fastest level of each. Denser ones were measured to take two to four times as long to save a tenth. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };

/** Compresses a text off the main thread. */
const encoders: Record<Exclude<Encoding, 'identity'>, (body: string) => Promise<Buffer>> = {
  br: (body) => toBrotli(body, { params }),
  gzip: (body) => toGzip(body, { level: 1 }),
};

/**
 * Whether a reply may be compressed. A strong tag names bytes, and callers send it back with a change. A reply to a
 * write may hold a secret beside text of its caller: its compressed size could reveal the secret (BREACH).
 */
function canEncode({ method }: IncomingMessage, { status, headers }: Reply): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && (status === 200 || status === 304) && headers.ETag?.startsWith('"') !== true;
}

/** Adds that a reply depends on Accept-Encoding, whichever coding it is sent in. */
function addVary(reply: Reply): Reply {
  const { Vary: before } = reply.headers;
  const Vary = before ? `${before}, Accept-Encoding` : 'Accept-Encoding';
  return { ...reply, headers: { ...reply.headers, Vary } };
}

/** A reply as it is sent. */
export interface Message extends RawReply {
  /** Whether a shared cache may give it to other callers. If so, it must hold nothing of one caller. */
  isForAll: boolean;
  /** Bytes of the body. */
  size: number;
}

/** Messages of cached replies, and the bytes of bodies that several replies share. */
const sent = new WeakMap<Reply, Partial<Record<Encoding, Message>>>();
const written = new WeakMap<object, Buffer>();

/** Encodes a shared part only once. */
const encodePieces = ({ before, shared }: Pieces) => [
  before,
  written.getOrInsertComputed(shared, () => Buffer.from(shared.text)),
];

type Body = string | readonly (string | Buffer)[];

const measurePart = (part: string | Buffer) =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** Creates a function that encodes replies. `share` returns the headers of a reply for shared caches. */
export function createMessages(share: (request: IncomingMessage, reply: Reply) => Reply['headers']) {
  function createMessage(request: IncomingMessage, reply: Reply, body: Body): Message {
    const size =
      typeof body === 'string' ? measurePart(body) : body.reduce((sum, part) => sum + measurePart(part), 0);
    const headers = share(request, reply);
    const isForAll = 'Cache-Tag' in headers || !headers['Cache-Control']!.includes('no-store');
    const hasNone = reply.status === 204 || reply.status === 304;
    const length = hasNone ? [] : ['Content-Length', String(size)];
    const fields = [...Object.entries(headers).flat(), ...length];
    // If every character is one byte, node:http can write the text without a copy in UTF-8.
    const encoding = typeof body === 'string' && size === body.length ? 'latin1' : 'utf8';
    return { status: reply.status, fields, body, encoding, isForAll, size };
  }

  function createPlainMessage(request: IncomingMessage, reply: Reply): Message {
    const { body, pieces } = reply;
    if (pieces) return createMessage(request, reply, encodePieces(pieces));
    return createMessage(request, reply, body.length > longestText ? [Buffer.from(body)] : body);
  }

  /** Encodes a reply, compressed if its caller accepts that. If compressing fails, it is sent as it is. */
  return (request: IncomingMessage, reply: Reply): Message | Promise<Message> => {
    if (!canEncode(request, reply)) return createPlainMessage(request, reply);
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const least = reply.isKept ? worthwhileIfKept : worthwhile;
    const coding = reply.body.length < least ? 'identity' : chooseEncoding(accepted);
    const cached = reply.isKept ? sent.get(reply)?.[coding] : undefined;
    if (cached) return cached;
    const varied = addVary(reply);
    const keep = (message: Message) => {
      if (reply.isKept) sent.set(reply, { ...sent.get(reply), [coding]: message });
      return message;
    };
    if (coding === 'identity') return keep(createPlainMessage(request, varied));
    const encoded = { ...varied, headers: { ...varied.headers, 'Content-Encoding': coding } };
    return encoders[coding](reply.body).then(
      (bytes) => keep(createMessage(request, encoded, [bytes])),
      () => createPlainMessage(request, varied),
    );
  };
}
