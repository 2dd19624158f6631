import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { CallHeaders } from '../../core/call.ts';
import type { Manifest } from '../../core/manifest.ts';
import { toHomeFace } from '../../core/negotiate.ts';
import { compress, type Encoded } from '../compress.ts';
import { type Encoding, toEncoding } from './encoding.ts';

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
  /** The addresses that hold the published origin or a date. */
  atStart: string[];
  /** Puts new bytes behind an address: what holds the published origin is made when the server starts. */
  replace(address: string, body: string): Promise<void>;
}

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
  const make = (file: string, headers: Record<string, string>): Variants => {
    const { type, hash, slices } = manifest.files[file]!;
    const encoded = {
      identity: slice(slices.identity),
      ...(slices.br && { br: slice(slices.br) }),
      ...(slices.gzip && { gzip: slice(slices.gzip) }),
    };
    return toVariants(encoded, hash, type, headers);
  };
  const addresses = new Map(
    Object.entries(manifest.addresses).map(([path, { file, headers, perWorkspace, fileOnly }]) => [
      path,
      { variants: make(file, headers), perWorkspace: perWorkspace === true, fileOnly: fileOnly === true },
    ]),
  );
  const faces = new Map(
    (['json', 'md', 'html'] as const)
      .filter((face) => manifest.files[`/index.${face}`])
      .map((face) => [
        face,
        { variants: make(`/index.${face}`, manifest.home), perWorkspace: false, fileOnly: false },
      ]),
  );
  return {
    addresses,
    home: (headers) => faces.get(toHomeFace(headers)) ?? faces.get('json'),
    text(file) {
      const found = manifest.files[file];
      return found && slice(found.slices.identity).toString('utf8');
    },
    atStart: Object.keys(manifest.addresses).filter((address) => manifest.addresses[address]!.atStart),
    async replace(address, body) {
      const { file, headers } = manifest.addresses[address]!;
      const bytes = Buffer.from(body);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
      const variants = toVariants(await compress(bytes, 5), hash, manifest.files[file]!.type, headers);
      addresses.get(address)!.variants = variants;
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
  const encoding = toEncoding(request.headers['accept-encoding']);
  const variant = variants[encoding] ?? variants.identity;
  if (isMatch(request.headers['if-none-match'], variant.etag)) {
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
