import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesTag } from '../../kernel/entity-tag.ts';
import { toPreferences } from '../../kernel/representation.ts';
import type { Encoded } from '../files.ts';
import { type Head, writeHead } from './node-internals.ts';
import { findHeader } from './request.ts';

export type Encoding = 'identity' | 'br' | 'gzip';

/** What was read of a header before: clients send few different ones. */
const read = new Map<string, Encoding>();
const mostRead = 500;

/**
 * The best coding that Accept-Encoding takes (RFC 9110 section 12.5.3): brotli before gzip. A coding is
 * refused with q=0; `*` stands for those not named.
 */
export function toEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const known = read.get(header);
  if (known) return known;
  const encoding = readEncoding(header);
  if (read.size < mostRead) read.set(header, encoding);
  return encoding;
}

function readEncoding(header: string): Encoding {
  const taken = new Map(toPreferences(header));
  const takes = (coding: string) => (taken.get(coding) ?? taken.get('*') ?? 0) > 0;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/**
 * Bytes of a body that goes out as a string at most: node:http puts the headers before a string, and sends both in
 * one write; bytes it sends as a second piece.
 */
export const longestText = 8192;

interface Variant {
  etag: string;
  /** The bytes, or a string with a character for each. */
  body: Uint8Array | string;
  head: Head;
  notModified: Head;
}

/** What is sent in a coding or, where a body is not held in that, as it is. Each is made when it is first asked for. */
export type Variants = (encoding: Encoding) => Variant;

const suffixes = { identity: '', br: '-br', gzip: '-gzip' };

/** The bytes of a file in each coding, and what tells them from others. */
export interface Body {
  encoded: Encoded;
  hash: string;
}

/** What an address sends in each coding; `headers` are those of the address. */
export function toVariants({ encoded, hash }: Body, type: string, headers: Record<string, string>): Variants {
  const vary = [headers.Vary, ...(encoded.br || encoded.gzip ? ['Accept-Encoding'] : [])]
    .filter(Boolean)
    .join(', ');
  const make = (encoding: Encoding, bytes: Uint8Array): Variant => {
    const etag = `"${hash}${suffixes[encoding]}"`;
    const validators = Object.entries({ ...headers, ...(vary && { Vary: vary }), ETag: etag }).flat();
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    return {
      etag,
      body: bytes.length > longestText ? bytes : Buffer.from(bytes).toString('latin1'),
      head: {
        status: 200,
        list: ['Content-Type', type, 'Content-Length', String(bytes.length), ...coding, ...validators],
        isReused: true,
      },
      notModified: { status: 304, list: validators, isReused: true },
    };
  };
  const made: Partial<Record<Encoding, Variant>> = {};
  return (wanted) => {
    const encoding = wanted in encoded ? wanted : 'identity';
    made[encoding] ??= make(encoding, encoded[encoding]!);
    return made[encoding];
  };
}

/** Answers a GET or HEAD from memory. Answers the bytes of the body. */
export function serveFrozen(variants: Variants, request: IncomingMessage, response: ServerResponse): number {
  const encoding = toEncoding(findHeader(request.rawHeaders, 'accept-encoding'));
  const variant = variants(encoding);
  const ifNoneMatch = findHeader(request.rawHeaders, 'if-none-match');
  // Most callers who send it have this very tag.
  if (ifNoneMatch === variant.etag || namesTag(ifNoneMatch, variant.etag, 'weak')) {
    writeHead(response, variant.notModified);
    response.end();
    return 0;
  }
  writeHead(response, variant.head);
  if (request.method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(variant.body, 'latin1');
  return variant.body.length;
}
