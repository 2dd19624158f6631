import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { keepByText } from '../../kernel/cache.ts';
import type { Pieces, Reply } from '../../kernel/call.ts';
import { parsePreferences } from '../../kernel/representation.ts';
import type { RawReply } from './respond.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** The best coding that Accept-Encoding takes, by name or by `*` (RFC 9110 section 12.5.3): brotli before gzip. */
export const chooseEncoding = keepByText((header): Encoding => {
  const taken = new Map(parsePreferences(header));
  const takes = (coding: string) => (taken.get(coding) ?? taken.get('*') ?? 0) > 0;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
});

/** Bytes at most of a body that goes out as a string: node:http sends that in one write with the headers. */
export const longestText = 8192;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Characters of a body below which it goes out as it is: it fits the first round trip of a connection, and to compress
 * it takes longer than all else. What is kept is compressed once, so less is worthwhile there.
 */
const worthwhile = 14_336;
const worthwhileIfKept = 1024;

/** The fastest of each: the denser ones were measured to take two to four times as long for a tenth less. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };

/** The bytes of a text in a coding, made off the main thread. */
const encoders: Record<Exclude<Encoding, 'identity'>, (body: string) => Promise<Buffer>> = {
  br: (body) => toBrotli(body, { params }),
  gzip: (body) => toGzip(body, { level: 1 }),
};

/**
 * Whether what stands at an address is sent compressed to who takes that. A strong tag tells bytes, and is sent back
 * with a change; what is made for one write may hold a secret beside what its caller wrote.
 */
function canEncode({ method }: IncomingMessage, { status, headers }: Reply): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && (status === 200 || status === 304) && headers.ETag?.startsWith('"') !== true;
}

/** A reply that says what it depends on, in whichever coding it goes out. */
function addVary(reply: Reply): Reply {
  const { Vary: before } = reply.headers;
  const Vary = before ? `${before}, Accept-Encoding` : 'Accept-Encoding';
  return { ...reply, headers: { ...reply.headers, Vary } };
}

/** A reply as it is sent. */
export interface Message extends RawReply {
  /** Whether a cache may give it to others: it must tell of no caller. */
  isForAll: boolean;
  /** Bytes of the body. */
  size: number;
}

/** What was sent of replies that are kept, and of bodies that are part of others. */
const sent = new WeakMap<Reply, Partial<Record<Encoding, Message>>>();
const written = new WeakMap<object, Buffer>();

/** The bytes of what is shared are made once. */
const encodePieces = ({ before, shared }: Pieces) => [
  before,
  written.getOrInsertComputed(shared, () => Buffer.from(shared.text)),
];

type Body = string | readonly (string | Buffer)[];

const measurePart = (part: string | Buffer) =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** Makes of replies what is sent; `share` gives the headers of a reply as shared caches are to see them. */
export function createMessages(share: (request: IncomingMessage, reply: Reply) => Reply['headers']) {
  function createMessage(request: IncomingMessage, reply: Reply, body: Body): Message {
    const size =
      typeof body === 'string' ? measurePart(body) : body.reduce((sum, part) => sum + measurePart(part), 0);
    const headers = share(request, reply);
    const isForAll = 'Cache-Tag' in headers || !headers['Cache-Control']!.includes('no-store');
    const hasNone = reply.status === 204 || reply.status === 304;
    const length = hasNone ? [] : ['Content-Length', String(size)];
    const fields = [...Object.entries(headers).flat(), ...length];
    // ASCII, where every character is a byte: node:http writes that without a copy in UTF-8.
    const encoding = typeof body === 'string' && size === body.length ? 'latin1' : 'utf8';
    return { status: reply.status, fields, body, encoding, isForAll, size };
  }

  function createPlainMessage(request: IncomingMessage, reply: Reply): Message {
    const { body, pieces } = reply;
    if (pieces) return createMessage(request, reply, encodePieces(pieces));
    return createMessage(request, reply, body.length > longestText ? [Buffer.from(body)] : body);
  }

  /** What is sent of a reply, compressed where its caller takes that; one that cannot be goes out as it is. */
  return (request: IncomingMessage, reply: Reply): Message | Promise<Message> => {
    if (!canEncode(request, reply)) return createPlainMessage(request, reply);
    const takes = String(request.headers['accept-encoding'] ?? '');
    const least = reply.isKept ? worthwhileIfKept : worthwhile;
    const coding = reply.body.length < least ? 'identity' : chooseEncoding(takes);
    const known = reply.isKept ? sent.get(reply)?.[coding] : undefined;
    if (known) return known;
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
