import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { CallHeaders } from '../../core/call.ts';
import type { FrozenAddress, Manifest } from '../../core/manifest.ts';
import { toHomeFace } from '../../core/negotiate.ts';
import { compress, type Encoded } from '../compress.ts';
import { toHash } from '../hash.ts';
import { type Encoding, toEncoding } from './encoding.ts';
import { findHeader } from './find-header.ts';

interface Variant {
  etag: string;
  bytes: Uint8Array;
  /** Names and values in turn, as node:http takes them. */
  headers: string[];
  notModified: string[];
}

type Variants = Partial<Record<Encoding, Variant>> & { identity: Variant };

/** An address that is answered from memory. */
export interface FrozenAnswer {
  variants: Variants;
  perWorkspace: boolean;
  fileOnly: boolean;
}

/** Every frozen address, and the pack behind it. */
export interface Frozen {
  addresses: Map<string, FrozenAnswer>;
  home(headers: CallHeaders): FrozenAnswer | undefined;
  /** The identity bytes of a file, as text. */
  text(file: string): string | undefined;
  /** The files that hold what an operator sets, or a date: each is also an address. */
  atStart: string[];
  /** Puts what the core answers now in the place of a file of the build. */
  replace(file: string, body: string): Promise<void>;
}

/** Brotli quality of what is compressed while a server starts: fast, and within a tenth of the densest. */
const startQuality = 5;

const suffixes = { identity: '', br: '-br', gzip: '-gzip' };

function toVariants(encoded: Encoded, hash: string, type: string, headers: Record<string, string>): Variants {
  const vary = [headers.Vary, ...(encoded.br || encoded.gzip ? ['Accept-Encoding'] : [])]
    .filter(Boolean)
    .join(', ');
  const make = (encoding: Encoding, bytes: Uint8Array): Variant => {
    const etag = `"${hash}${suffixes[encoding]}"`;
    const validators = Object.entries({ ...headers, ...(vary && { Vary: vary }), ETag: etag }).flat();
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    return {
      etag,
      bytes,
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

/** Loads `manifest.json` and `pack.bin` from the folder `host`. Throws where there is no build. */
export function loadFrozen(host: string): Frozen {
  const manifest: Manifest = JSON.parse(readFileSync(join(host, 'manifest.json'), 'utf8'));
  const pack = readFileSync(join(host, 'pack.bin'));
  const slice = ([offset, length]: [number, number]) => pack.subarray(offset, offset + length);
  const stored = (file: string): Encoded => {
    const { identity, br, gzip } = manifest.files[file]!.slices;
    return { identity: slice(identity), ...(br && { br: slice(br) }), ...(gzip && { gzip: slice(gzip) }) };
  };
  const made: { file: string; headers: Record<string, string>; answer: FrozenAnswer }[] = [];
  const make = ({ file, headers, perWorkspace, fileOnly }: FrozenAddress): FrozenAnswer => {
    const { type, hash } = manifest.files[file]!;
    const variants = toVariants(stored(file), hash, type, headers);
    const answer = { variants, perWorkspace: perWorkspace === true, fileOnly: fileOnly === true };
    made.push({ file, headers, answer });
    return answer;
  };
  const entries = Object.entries(manifest.addresses);
  const addresses = new Map(entries.map(([path, address]) => [path, make(address)]));
  const faces = new Map(
    (['json', 'md', 'html'] as const).flatMap((face) => {
      const index = manifest.addresses[`/index.${face}`];
      return index ? [[face, make({ ...index, headers: manifest.home })]] : [];
    }),
  );
  return {
    addresses,
    home: (headers) => faces.get(toHomeFace(headers)) ?? faces.get('json'),
    text: (file) =>
      manifest.files[file] ? slice(manifest.files[file]!.slices.identity).toString('utf8') : undefined,
    atStart: [...new Set(entries.flatMap(([, { file, atStart }]) => (atStart ? [file] : [])))],
    async replace(file, body) {
      const bytes = Buffer.from(body);
      const hash = toHash(bytes);
      if (hash === manifest.files[file]!.hash) return;
      const encoded = await compress(bytes, startQuality);
      for (const one of made.filter((other) => other.file === file)) {
        one.answer.variants = toVariants(encoded, hash, manifest.files[file]!.type, one.headers);
      }
    },
  };
}

/** Whether If-None-Match (RFC 9110 section 13.1.2) names this entity tag; comparison is weak. */
function isMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Answers a GET or HEAD from memory. Answers the bytes of the body. */
export function serveFrozen(
  { variants }: FrozenAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): number {
  const encoding = toEncoding(findHeader(request.rawHeaders, 'accept-encoding'));
  const variant = variants[encoding] ?? variants.identity;
  if (isMatch(findHeader(request.rawHeaders, 'if-none-match'), variant.etag)) {
    response.writeHead(304, variant.notModified).end();
    return 0;
  }
  response.writeHead(200, variant.headers);
  if (request.method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(variant.bytes);
  return variant.bytes.length;
}
