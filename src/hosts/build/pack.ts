import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswer } from '../../kernel/answer.ts';
import {
  type FrozenAddress,
  type Manifest,
  type PackedFile,
  type PackSlice,
  replay,
} from '../../kernel/freeze.ts';
import {
  chooseFileCache,
  commonHeaders,
  homeCache,
  pageHeaders,
  withCacheTag,
} from '../../kernel/headers.ts';
import { formatRepresentationLinks } from '../../kernel/representation.ts';
import { createRouter, formatRepresentationPath } from '../../kernel/router.ts';
import type { Service } from '../../service.ts';
import { compress, type Density, hashBytes } from '../files.ts';
import { findMediaType } from '../media-type.ts';

const hasSuffix = (path: string) => /\.(json|jsonld|txt|xml|md)$/.test(path);

/** Lists every file that is a replay of the core, with its addresses. `/pricing.json` is served at `/pricing` too. */
export function listFrozenFiles(service: Service) {
  return service.operations.flatMap((operation) =>
    (operation.caching.frozen?.(service) ?? []).flatMap((path) => {
      if (hasSuffix(path)) return [{ file: path, addresses: [path], operation }];
      const json = formatRepresentationPath(path, 'json');
      const markdown = formatRepresentationPath(path, 'md');
      return [
        { file: json, addresses: path === '/' ? [json] : [path, json], operation },
        ...(operation.markdown ? [{ file: markdown, addresses: [markdown], operation }] : []),
      ];
    }),
  );
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .sort();
}

type Headers = Record<string, string>;

/** Stores equal items once. `place` returns the index of an item. */
function createShelf<T>() {
  const items: T[] = [];
  const places = new Map<string, number>();
  const place = (item: T) => places.getOrInsertComputed(JSON.stringify(item), () => items.push(item) - 1);
  return { items, place };
}

function createHeaderShelf() {
  const [headers, links] = [createShelf<Headers>(), createShelf<string>()];
  const place = ({ Link, ...others }: Headers) => ({
    headers: headers.place(others),
    ...(Link !== undefined && { link: links.place(Link) }),
  });
  return { headers: headers.items, links: links.items, place };
}
type HeaderShelf = ReturnType<typeof createHeaderShelf>;

/** Freezes the addresses that the core answers. Also returns the media types of their files. */
async function freezeAddresses(service: Service, shelf: HeaderShelf) {
  const types = new Map<string, string>();
  const addresses: Record<string, FrozenAddress> = {};
  const answer = createAnswer(service);
  for (const { file, addresses: paths, operation } of listFrozenFiles(service)) {
    for (const path of paths) {
      const { 'Content-Type': type, ...headers } = (await replay(answer, path)).headers;
      types.set(file, type!);
      addresses[path] = {
        file,
        ...shelf.place(headers),
        ...(operation.caching.rule === 'record' &&
          (path !== file || hasSuffix(operation.path)) && { perWorkspace: true }),
        ...(operation.caching.atStart && { atStart: true }),
        ...(operation.caching.ignoresQuery && { ignoresQuery: true }),
      };
    }
  }
  return { addresses, types };
}

/** Returns a function that finds the Link header of a page that is the HTML representation of a resource. */
function createPageLinks({ operations }: Service) {
  const route = createRouter(operations);
  return (file: string): { Link?: string } => {
    const { byMethod, id = '' } = route(file) ?? {};
    const row = byMethod?.get('GET');
    return row ? formatRepresentationLinks(row, row.path.replace('{id}', id)) : {};
  };
}

/** Two builds with the same bytes have the same tag. */
function createBuildTag(files: Record<string, PackedFile>): string {
  const hashes = Object.entries(files).map(([name, { hash }]) => `${name} ${hash}`);
  return `careers-${hashBytes(Buffer.from(hashes.join('\n'))).slice(0, 12)}`;
}

/** Packs every file below `client`, compressed, into `pack.bin` and `manifest.json` in `host`. Returns the manifest. */
export async function writePack(
  service: Service,
  { client, host }: Record<'client' | 'host', string>,
  density: Density,
): Promise<Manifest> {
  const names = listFiles(client);
  const encoded = await Promise.all(names.map((name) => compress(readFileSync(join(client, name)), density)));
  const chunks: Uint8Array[] = [];
  let offset = 0;
  const keep = (bytes: Uint8Array): PackSlice => {
    chunks.push(bytes);
    offset += bytes.length;
    return [offset - bytes.length, bytes.length];
  };
  const shelf = createHeaderShelf();
  const { addresses, types } = await freezeAddresses(service, shelf);
  const findPageLinks = createPageLinks(service);
  const files: Record<string, PackedFile> = {};
  for (const [index, name] of names.entries()) {
    const { identity, br, gzip } = encoded[index]!;
    const type = types.get(name) ?? findMediaType(name);
    if (!type) throw new Error(`No media type is known for ${name}.`);
    files[name] = {
      type,
      hash: hashBytes(identity),
      slices: {
        ...(gzip ? { gzip: keep(gzip) } : { identity: keep(identity) }),
        ...(br && { br: keep(br) }),
      },
    };
    // The core does not know what the pages or the bundler wrote.
    const ofPage = name.endsWith('.html') && { ...pageHeaders, ...findPageLinks(name) };
    const headers = { ...commonHeaders, ...chooseFileCache(name), ...ofPage };
    addresses[name] ??= { file: name, ...shelf.place(headers), ignoresQuery: true };
  }
  const home = service.operations.find(({ path }) => path === '/')!;
  const ofHome = { ...commonHeaders, ...homeCache, ...formatRepresentationLinks(home, '/') };
  const tag = createBuildTag(files);
  const manifest: Manifest = {
    tag,
    files,
    headers: shelf.headers.map((headers) => withCacheTag(headers, tag)),
    links: shelf.links,
    addresses,
    home: { json: ofHome, md: ofHome, html: { ...ofHome, ...pageHeaders } },
  };
  mkdirSync(host, { recursive: true });
  writeFileSync(join(host, 'pack.bin'), Buffer.concat(chunks));
  writeFileSync(join(host, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}
