import { fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import type { Guide } from '../../documents/service.ts';
import type { CallHeaders } from '../../kernel/call.ts';
import { hasTag } from '../../kernel/entity-tag.ts';
import { type FrozenAddress, findAddressHeaders, type Manifest } from '../../kernel/freeze.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { negotiateHome } from '../../kernel/representation.ts';
import type { Occupation } from '../../occupations/occupation.ts';
import type { Catalogue } from '../../service.ts';
import { hashBytes, worthwhile } from '../files.ts';
import { hasAddresses, withOrigin } from '../with-origin.ts';
import { chooseEncoding, type Encoding } from './choose-encoding.ts';
import type { Connection } from './connection.ts';
import { longestText } from './encode-text.ts';
import type { RawReply } from './raw-reply.ts';
import { respond } from './write-reply.ts';

interface Variant {
  etag: string;
  size: number;
  /** The body is bytes, or a string with a character for each byte. */
  whole: RawReply;
  notModified: RawReply;
}

/**
 * Returns the reply in a coding, or the plain one if the file has no such coding. It is made at the first request, and
 * compressed off the main thread if the build did not.
 */
type Variants = (encoding: Encoding) => Variant | Promise<Variant>;

const suffixes = { identity: '', br: '-br', gzip: '-gzip' };

/** A file: the hash of its bytes, and its bytes by coding. */
interface Body {
  hash: string;
  isEncoded: boolean;
  read(encoding: Encoding): Buffer | undefined | Promise<Buffer>;
}

/** Brotli quality of what is compressed while a server runs: fast, and within a tenth of the densest. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** A file that differs from the build. `loadText` is called for each coding, so that its text is not held in memory. */
function createBody(loadText: () => string): Body {
  const loadBytes = () => Buffer.from(loadText());
  const encoders = {
    identity: loadBytes,
    br: () => toBrotli(loadBytes(), { params }),
    gzip: () => toGzip(loadBytes()),
  };
  const bytes = loadBytes();
  const isEncoded = bytes.length >= worthwhile;
  return {
    hash: hashBytes(bytes),
    isEncoded,
    read: (encoding) => (isEncoded || encoding === 'identity' ? encoders[encoding]() : undefined),
  };
}

/** Creates the replies of an address in each coding. `headers` are those of the address. */
function createVariants(
  { hash, isEncoded, read }: Body,
  type: string,
  headers: Record<string, string>,
): Variants {
  const vary = [headers.Vary, isEncoded && 'Accept-Encoding'].filter(Boolean).join(', ');
  const make = (encoding: Encoding, bytes: Buffer): Variant => {
    const etag = `"${hash}${suffixes[encoding]}"`;
    const validators = Object.entries({ ...headers, ...(vary && { Vary: vary }), ETag: etag }).flat();
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const length = String(bytes.length);
    return {
      etag,
      size: bytes.length,
      whole: {
        status: 200,
        fields: ['Content-Type', type, 'Content-Length', length, ...coding, ...validators],
        body: bytes.length > longestText ? bytes : bytes.toString('latin1'),
        encoding: 'latin1',
      },
      notModified: { status: 304, fields: validators, body: '' },
    };
  };
  const cache: Partial<Record<Encoding, Variant | Promise<Variant>>> = {};
  const findVariant: Variants = (encoding) => {
    const cached = cache[encoding];
    if (cached) return cached;
    const bytes = read(encoding);
    if (!(bytes instanceof Promise)) {
      const variant = bytes ? make(encoding, bytes) : findVariant('identity');
      cache[encoding] = variant;
      return variant;
    }
    const making = bytes.then((compressed) => {
      const variant = make(encoding, compressed);
      cache[encoding] = variant;
      return variant;
    });
    cache[encoding] = making;
    making.catch(() => delete cache[encoding]);
    return making;
  };
  return findVariant;
}

/** An address that is answered from memory. */
export interface FrozenAnswer {
  address: FrozenAddress;
  /** Set if they differ from those of the address. */
  headers?: Record<string, string>;
  /** Made at the first request, because most addresses of a build never get one. */
  variants?: Variants;
}

/** Another build has replaced the one that is served, so no address can be answered from it any more. */
export class BuildReplaced extends Error {}

/** Every frozen address, and the pack with their bytes. */
export type FrozenPack = ReturnType<typeof loadFrozen>;

/**
 * Unpacks a gzip file into one buffer. Its length is at its end (RFC 1952 section 2.3.1). By default zlib uses chunks
 * of 16 KB and keeps each whole. With one byte to spare, it needs no second chunk.
 */
function inflate(packed: Buffer): Buffer {
  const length = packed.readUInt32LE(packed.length - 4);
  return gunzipSync(packed, { chunkSize: Math.max(length + 1, constants.Z_MIN_CHUNK) });
}

/**
 * Opens the pack of the build. Returns a function that reads a file in a coding, or undefined if it has no such coding.
 */
function openPack(host: string, { files }: Manifest) {
  const pack = openSync(join(host, 'pack.bin'), 'r');
  const { mtimeMs } = fstatSync(pack);
  function readPacked(file: string, encoding: Encoding): Buffer | undefined {
    const { slices } = files[file]!;
    const [offset, length] = slices[encoding] ?? [];
    if (offset !== undefined) {
      if (fstatSync(pack).mtimeMs !== mtimeMs)
        throw new BuildReplaced(`${host} was written over while it is served`);
      const bytes = Buffer.allocUnsafeSlow(length!);
      readSync(pack, bytes, { position: offset });
      return bytes;
    }
    return encoding === 'identity' ? inflate(readPacked(file, 'gzip')!) : undefined;
  }
  return readPacked;
}

/**
 * Loads `manifest.json` from the folder `host`, and reads `pack.bin` in it on demand. `isBypassed` says whether a CDN
 * bypasses its cache for X-Workspace. Pages and Markdown name `origin`, unless it is empty.
 *
 * Throws if there is no build. Reads throw later if another build has replaced it.
 */
export function loadFrozen(host: string, isBypassed: boolean, origin: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(host, 'manifest.json'), 'utf8'));
  const readPacked = openPack(host, manifest);
  /** Current texts of stale files, by file. */
  const replaced = new Map<string, string>();

  function bodyOf(file: string): Body {
    const { hash, slices } = manifest.files[file]!;
    const loadText = () => replaced.get(file) ?? readPacked(file, 'identity')!.toString();
    if (origin !== '' && hasAddresses(file)) return createBody(() => withOrigin(file, loadText(), origin));
    if (replaced.has(file)) return createBody(loadText);
    const isEncoded = slices.br !== undefined || slices.gzip !== undefined;
    return { hash, isEncoded, read: (encoding) => readPacked(file, encoding) };
  }

  function findHeaders(address: FrozenAddress): Record<string, string> {
    const headers = findAddressHeaders(manifest, address);
    if (!isBypassed || !address.perWorkspace) return headers;
    return withCacheTag({ ...headers, ...bypassedCache }, manifest.tag);
  }

  const entries = Object.entries(manifest.addresses);
  const stale = new Set(entries.flatMap(([, { file, atStart }]) => (atStart ? [file] : [])));
  const addresses = new Map<string, FrozenAnswer>(entries.map(([path, address]) => [path, { address }]));
  const createHomeAnswer = (representation: keyof Manifest['home']): FrozenAnswer => ({
    address: manifest.addresses[`/index.${representation}`]!,
    headers: manifest.home[representation],
  });
  const homes = {
    json: createHomeAnswer('json'),
    md: createHomeAnswer('md'),
    html: createHomeAnswer('html'),
  };
  return {
    /** The tag of this build in caches. */
    tag: manifest.tag,
    addresses,
    home: (headers: CallHeaders) => homes[negotiateHome(headers)],
    variantsOf(answer: FrozenAnswer): Variants {
      const { address, headers } = answer;
      const { type } = manifest.files[address.file]!;
      answer.variants ??= createVariants(bodyOf(address.file), type, headers ?? findHeaders(address));
      return answer.variants;
    },
    /** The bytes of the file at an address. For a stale file these are the bytes of the build. */
    bytesAt(path: string): Buffer | undefined {
      const answer = addresses.get(path);
      return answer && (bodyOf(answer.address.file).read('identity') as Buffer | undefined);
    },
    /** Files with a date or a setting in them. None of them is sent before it is replaced. */
    stale,
    /** Replaces a stale file by what the core answers now. */
    replace(file: string, text: string): void {
      stale.delete(file);
      if (hashBytes(Buffer.from(text)) !== manifest.files[file]!.hash) replaced.set(file, text);
    },
  };
}

/** Loads the catalogue from the folder `host`. Whole occupations and guides come from the frozen files. */
export function loadCatalogue(host: string, frozen: FrozenPack): Catalogue {
  const read = (name: string) => JSON.parse(readFileSync(join(host, name), 'utf8'));
  const readFrozen = (path: string) => JSON.parse(frozen.bytesAt(path)?.toString() ?? '{}');
  /** Reads a file that the service worker reads too. Its name has a hash. */
  const readShared = (name: string) =>
    frozen.bytesAt([...frozen.addresses.keys()].find((path) => path.startsWith(`/worker/${name}.`))!)!;
  return {
    ...read('catalogue.json'),
    occupation: (code: string): Occupation | undefined => readFrozen(`/occupations/${code}.json`).occupation,
    guide: (name: string): Guide | undefined => readFrozen(`/guides/${name}.json`).guide,
    summaries: () => JSON.parse(readShared('summaries').toString()),
    searchFile: () => readShared('search'),
    brief: (id: string) => readFrozen(`/briefs/${id}.json`).brief,
    briefBook: () => read('briefs.json'),
    matchTables: () => JSON.parse(readShared('match-tables').toString()),
  };
}

/** Returns the variant of a file that a request accepts. */
export const chooseVariant = (variants: Variants, { headers }: IncomingMessage): ReturnType<Variants> =>
  variants(chooseEncoding(String(headers['accept-encoding'] ?? '')));

/** Answers a GET or HEAD with a variant. Returns the number of bytes of the body. */
export function serveVariant(variant: Variant, connection: Connection, response: ServerResponse): number {
  const { method, headers } = response.req;
  const ifNoneMatch = headers['if-none-match'];
  // Most callers that send it have exactly this tag.
  const isKnown = ifNoneMatch === variant.etag || hasTag(ifNoneMatch, variant.etag, 'weak');
  respond(connection, response, isKnown ? variant.notModified : variant.whole);
  return isKnown || method === 'HEAD' ? 0 : variant.size;
}
