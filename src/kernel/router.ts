import type { Operation } from './operation.ts';
import { trimText } from './text.ts';

const suffixes = ['json', 'md', 'html'] as const;
export type Suffix = (typeof suffixes)[number];

/** Which address of a resource was requested: its own, or a file with a suffix. */
export type Representation = 'own' | Suffix;

export interface Route {
  byMethod: ReadonlyMap<string, Operation>;
  /** The decoded segment of the path's parameter without white space around it, if the path has one. */
  id: string | undefined;
  representation: Representation;
}

const isFile = (path: string) => /\.\w+$/.test(path);

/** Lists the suffixes of the files that a resource has. A path with a suffix is the only file of its own. */
export function listSuffixes({ method, path, caching, markdown, page }: Operation): Suffix[] {
  if (method !== 'GET' || !caching.frozen || isFile(path)) return [];
  return ['json', ...(markdown ? ['md' as const] : []), ...(page ? ['html' as const] : [])];
}

/** The path of a representation: `/pricing` and `md` give `/pricing.md`, `/` gives `/index.md`. */
export const formatRepresentationPath = (path: string, representation: Representation): string =>
  representation === 'own' ? path : `${path === '/' ? '/index' : path}.${representation}`;

/**
 * Decodes each segment of a path, or returns undefined if its percent-encoding is invalid. An encoded slash stays
 * encoded, so that it never becomes a separator.
 */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    const segments = path.split('/').map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
    return segments.join('/');
  } catch {
    return undefined;
  }
}

/** Returns a text without the suffix of a representation, trimmed, and that suffix if it has one. */
function splitSuffix(text: string): { name: string; suffix: Suffix | undefined } {
  const suffix = suffixes.find((ending) => text.endsWith(`.${ending}`));
  return { name: suffix ? trimText(text.slice(0, -suffix.length - 1)) : text, suffix };
}

/**
 * Returns the address of a file for a path that spells it otherwise: percent-encoded, or with white space around its
 * last name. Returns undefined if the path cannot be decoded.
 */
export function findFilePath(path: string): string | undefined {
  const decoded = decodePath(path);
  if (decoded === undefined) return undefined;
  const start = decoded.lastIndexOf('/') + 1;
  const { name, suffix } = splitSuffix(trimText(decoded.slice(start)));
  return decoded.slice(0, start) + name + (suffix ? `.${suffix}` : '');
}

/** Compiles the table into a lookup. It returns undefined for an unknown path, and for one that cannot be decoded. */
export function createRouter(operations: readonly Operation[]): (path: string) => Route | undefined {
  const fixed = new Map<string, { byMethod: Map<string, Operation>; representation: Representation }>();
  /** By path. `{id}` is its last segment, which may have a suffix as in `{id}.md`, or the one before. */
  const withId = new Map<string, Map<string, Operation>>();
  for (const row of operations) {
    if (row.path.includes('/{id}')) {
      withId.set(row.path, (withId.get(row.path) ?? new Map()).set(row.method, row));
      continue;
    }
    const addresses = (['own', ...listSuffixes(row)] as const).map(
      (representation) => [formatRepresentationPath(row.path, representation), representation] as const,
    );
    if (row.alias) addresses.push([row.alias, 'own']);
    for (const [address, representation] of addresses) {
      const entry = fixed.get(address) ?? { byMethod: new Map(), representation };
      entry.byMethod.set(row.method, row);
      fixed.set(address, entry);
    }
  }
  return (path) => {
    const decoded = decodePath(path);
    if (decoded === undefined) return undefined;
    const plain = fixed.get(decoded);
    if (plain) return { ...plain, id: undefined };
    const segments = decoded.split('/');
    const last = segments.length - 1;
    const readId = (place: number) => trimText(decodeURIComponent(path.split('/')[place]!));
    const fileBelow = withId.get(segments.with(last - 1, '{id}').join('/'));
    if (fileBelow && isFile(segments[last]!)) {
      const id = readId(last - 1);
      if (id !== '') return { byMethod: fileBelow, id, representation: 'own' };
    }
    const { name, suffix } = splitSuffix(readId(last));
    const file = suffix && name !== '' && withId.get(segments.with(last, `{id}.${suffix}`).join('/'));
    if (file) return { byMethod: file, id: name, representation: 'own' };
    if (suffix) segments[last] = name;
    for (const place of [last, last - 1]) {
      const byMethod = withId.get(segments.with(place, '{id}').join('/'));
      const id = place === last ? name : segments[place] && readId(place);
      if (!byMethod || !id) continue;
      if (!suffix) return { byMethod, id, representation: 'own' };
      const get = byMethod.get('GET');
      // A file can only be read. The other methods are those of the address without its suffix.
      if (get && listSuffixes(get).includes(suffix))
        return { byMethod: new Map([['GET', get]]), id, representation: suffix };
    }
    return undefined;
  };
}

export function createFind(operations: readonly Operation[]) {
  const route = createRouter(operations);
  return (method: string, path: string) => route(path)?.byMethod.get(method === 'HEAD' ? 'GET' : method);
}
