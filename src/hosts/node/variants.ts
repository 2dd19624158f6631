import type { Encoded } from '../compress.ts';
import type { Encoding } from './encoding.ts';

/**
 * Bytes of a body that goes out as a string at most: node:http puts the headers before a string, and sends both in
 * one write; bytes it sends as a second piece.
 */
const longestText = 8192;

export interface Variant {
  etag: string;
  /** The bytes, or a string with a character for each. */
  body: Uint8Array | string;
  /** Names and values in turn, as node:http takes them. */
  headers: string[];
  notModified: string[];
}

/** The codings that a body is held in. */
export type Variants = Partial<Record<Encoding, Variant>> & { identity: Variant };

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
      headers: ['Content-Type', type, 'Content-Length', String(bytes.length), ...coding, ...validators],
      notModified: validators,
    };
  };
  return {
    identity: make('identity', encoded.identity),
    ...(encoded.br && { br: make('br', encoded.br) }),
    ...(encoded.gzip && { gzip: make('gzip', encoded.gzip) }),
  };
}
