import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { addVary, canEncode, chooseCoding, type Encoding } from './choose-encoding.ts';
import { type Compression, compressPieces } from './compression.ts';
import { type EncodedText, encodeText } from './encode-text.ts';
import { listHeaderFields, measureBody, type RawReply } from './raw-reply.ts';
import type { ReplyHead, Sharing } from './sharing.ts';

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
  /** Whether the caller is gone. */
  isGone(): boolean;
  /** Counts the bytes of the body, before it is compressed. Throws a Refusal if there is no room for it. */
  count(bytes: number): void;
}

/** Returns a reply as it is sent to its caller alone, as it is. */
export function toPlainMessage({ status, headers, body }: Reply): Message {
  const size = Buffer.byteLength(body);
  return { status, fields: listHeaderFields(status, headers, size), body, size, isForAll: false };
}

const toBuffer = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part);
const pickHead = ({ status, headers, logFields }: Reply): ReplyHead => ({ status, headers, logFields });

/** Encodes live replies, for their callers and for shared caches. */
export class ReplyEncoder {
  readonly #sharing: Sharing;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
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

  #create(request: IncomingMessage, head: ReplyHead, body: EncodedText): Message {
    const { status } = head;
    const size = measureBody(body);
    const headers = this.#sharing.addHeaders(request, head);
    const isForAll = 'Cache-Tag' in headers || !headers['Cache-Control']!.includes('no-store');
    // If every character is one byte, node:http can write the text without a copy in UTF-8.
    const encoding = size === body.length && typeof body === 'string' ? 'latin1' : 'utf8';
    return { status, fields: listHeaderFields(status, headers, size), body, encoding, isForAll, size };
  }
}
