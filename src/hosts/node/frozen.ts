import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import type { Guide } from '../../documents/guides.ts';
import type { CallHeaders } from '../../kernel/call.ts';
import { namesTag } from '../../kernel/entity-tag.ts';
import { type FrozenAddress, type Manifest, type Slice, toAddressHeaders } from '../../kernel/freeze.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { toHomeRepresentation } from '../../kernel/representation.ts';
import type { Catalogue } from '../../kernel/service.ts';
import type { Occupation } from '../../occupations/occupation.ts';
import { compress, type Encoded, toHash } from '../files.ts';
import { namesAddresses, withOrigin } from '../with-origin.ts';
import { type Encoding, longestText, toEncoding } from './encode.ts';
import { type Head, writeHead } from './node-internals.ts';
import { findHeader } from './request.ts';

interface Variant {
  etag: string;
  /** The bytes, or a string with a character for each. */
  body: Uint8Array | string;
  head: Head;
  notModified: Head;
}

/** What is sent in a coding or, where a body is not held in that, as it is. Each is made when it is first asked for. */
type Variants = (encoding: Encoding) => Variant;

const suffixes = { identity: '', br: '-br', gzip: '-gzip' };

/** The bytes of a file in each coding, and what tells them from others. */
interface Body {
  encoded: Encoded;
  hash: string;
}

/** What an address sends in each coding; `headers` are those of the address. */
function toVariants({ encoded, hash }: Body, type: string, headers: Record<string, string>): Variants {
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

/** An address that is answered from memory. */
export interface FrozenAnswer {
  file: string;
  toHeaders(): Record<string, string>;
  /** What is sent: made when it is first asked for, because most addresses of a build never are. */
  variants: Variants | undefined;
  perWorkspace: boolean;
  ignoresQuery: boolean;
}

/** Every frozen address, and the pack behind it. */
export interface Frozen {
  /** What caches know this build by. */
  tag: string;
  addresses: Map<string, FrozenAnswer>;
  home(headers: CallHeaders): FrozenAnswer | undefined;
  variantsOf(answer: FrozenAnswer): Variants;
  /** The identity bytes of the one file whose name fits; throws where there is none. */
  bytes(name: RegExp): Uint8Array;
  /** The identity bytes of a file, as text. */
  text(file: string): string | undefined;
  /** What is answered at an address now, as text. */
  textAt(path: string): string | undefined;
  /** The files that hold what an operator sets, or a date: each is also an address. */
  atStart: string[];
  /** Puts what the core answers now in the place of a file of the build. */
  replace(file: string, body: string): Promise<void>;
}

/** Brotli quality of what is compressed while a server starts: fast, and within a tenth of the densest. */
const startQuality = 5;

/**
 * The bytes of a gzip file, whose number stands at its end (RFC 1952 section 2.3.1), in one buffer: those that zlib
 * takes by itself are of 16 KB, held whole with what is in them. With one byte left zlib takes no second.
 */
function inflate(packed: Buffer): Buffer {
  const length = packed.readUInt32LE(packed.length - 4);
  return gunzipSync(packed, { chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK) });
}

/**
 * Loads `manifest.json` and `pack.bin` from the folder `host`; `isBypassed` where a CDN passes by what carries
 * X-Workspace. Pages and Markdown name `origin`, where it is known. Throws where there is no build.
 */
export function loadFrozen(host: string, isBypassed = false, origin = ''): Frozen {
  const manifest: Manifest = JSON.parse(readFileSync(join(host, 'manifest.json'), 'utf8'));
  const pack = readFileSync(join(host, 'pack.bin'));
  const slice = ([offset, length]: Slice) => pack.subarray(offset, offset + length);
  const isTold = (file: string) => origin !== '' && namesAddresses(file);
  const toIdentity = (file: string): Uint8Array => {
    const { identity, gzip } = manifest.files[file]!.slices;
    const bytes = identity ? slice(identity) : inflate(slice(gzip!));
    return isTold(file) ? Buffer.from(withOrigin(file, Buffer.from(bytes).toString(), origin)) : bytes;
  };
  const replaced = new Map<string, Body>();
  /** Of a file that names the origin; each coding is made when it is first asked for. */
  const toToldBody = (file: string): Body => ({
    hash: toHash(toIdentity(file)),
    encoded: {
      get identity() {
        return toIdentity(file);
      },
      get br() {
        const params = { [constants.BROTLI_PARAM_QUALITY]: startQuality };
        return brotliCompressSync(toIdentity(file), { params });
      },
      get gzip() {
        return gzipSync(toIdentity(file));
      },
    },
  });
  const toBody = (file: string): Body => {
    if (isTold(file)) return toToldBody(file);
    const { hash, slices } = manifest.files[file]!;
    const { br, gzip } = slices;
    return {
      hash,
      encoded: {
        get identity() {
          return toIdentity(file);
        },
        ...(br && { br: slice(br) }),
        ...(gzip && { gzip: slice(gzip) }),
      },
    };
  };
  const toShared = (address: FrozenAddress) => {
    const headers = toAddressHeaders(manifest, address);
    if (!isBypassed || !address.perWorkspace) return headers;
    return withCacheTag({ ...headers, ...bypassedCache }, manifest.tag);
  };
  const make = (address: FrozenAddress, toHeaders = () => toShared(address)): FrozenAnswer => {
    const { file, perWorkspace, ignoresQuery } = address;
    return {
      file,
      toHeaders,
      variants: undefined,
      perWorkspace: perWorkspace === true,
      ignoresQuery: ignoresQuery === true,
    };
  };
  const entries = Object.entries(manifest.addresses);
  const addresses = new Map(entries.map(([path, address]) => [path, make(address)]));
  const representations = new Map(
    (['json', 'md', 'html'] as const).flatMap((representation) => {
      const index = manifest.addresses[`/index.${representation}`];
      return index ? [[representation, make(index, () => manifest.home[representation])]] : [];
    }),
  );
  return {
    tag: manifest.tag,
    addresses,
    home: (headers) => representations.get(toHomeRepresentation(headers)) ?? representations.get('json'),
    variantsOf(answer) {
      const { file } = answer;
      answer.variants ??= toVariants(
        replaced.get(file) ?? toBody(file),
        manifest.files[file]!.type,
        answer.toHeaders(),
      );
      return answer.variants;
    },
    bytes(name) {
      const file = Object.keys(manifest.files).find((one) => name.test(one));
      if (!file) throw new Error(`this build has no file ${name}`);
      return toIdentity(file);
    },
    text: (file) => (manifest.files[file] ? Buffer.from(toIdentity(file)).toString('utf8') : undefined),
    textAt(path) {
      const { file = '' } = addresses.get(path) ?? {};
      const bytes = replaced.get(file)?.encoded.identity ?? (file && toIdentity(file));
      return bytes ? Buffer.from(bytes).toString('utf8') : undefined;
    },
    atStart: [...new Set(entries.flatMap(([, { file, atStart }]) => (atStart ? [file] : [])))],
    async replace(file, body) {
      const bytes = Buffer.from(isTold(file) ? withOrigin(file, body, origin) : body);
      const hash = toHash(bytes);
      if (hash === (replaced.get(file) ?? manifest.files[file]!).hash) return;
      replaced.set(file, { hash, encoded: await compress(bytes, startQuality) });
      for (const answer of [...addresses.values(), ...representations.values()]) {
        if (answer.file === file) answer.variants = undefined;
      }
    },
  };
}

/** The catalogue as the build left it in the folder `host`; whole occupations and guides come from the frozen files. */
export function loadCatalogue(host: string, frozen: Frozen): Catalogue {
  const read = (name: string) => JSON.parse(readFileSync(join(host, name), 'utf8'));
  const readFrozen = (file: string) => JSON.parse(frozen.text(file) ?? '{}');
  return {
    ...read('catalogue.json'),
    occupation: (code: string): Occupation | undefined => readFrozen(`/occupations/${code}.json`).occupation,
    guide: (name: string): Guide | undefined => readFrozen(`/guides/${name}.json`).guide,
    searchFile: () => frozen.bytes(/^\/worker\/search\.\w+\.bin$/),
    matchTables: () => read('match-tables.json'),
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
