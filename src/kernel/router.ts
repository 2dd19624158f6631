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

/** An address of the table that a path can be, and the id in it. */
interface Address {
  address: string;
  id: string | undefined;
}

/** Cuts a path before its last segment. */
function cutLast(path: string): [before: string, last: string] {
  const start = path.lastIndexOf('/') + 1;
  return [path.slice(0, start), path.slice(start)];
}

const readId = (sent: string) => trimText(decodeURIComponent(sent));

/** Lists the addresses that a path can be: itself, or one with an id in one of its last two segments. */
function* listAddresses(path: string, decoded: string): Generator<Address> {
  yield { address: decoded, id: undefined };
  const [sentBefore, sentLast] = cutLast(path);
  const [before, last] = cutLast(decoded);
  const { name, suffix } = splitSuffix(readId(sentLast));
  yield { address: `${before}${suffix ? `{id}.${suffix}` : '{id}'}`, id: name };
  const [, sentId] = cutLast(sentBefore.slice(0, -1));
  const [start] = cutLast(before.slice(0, -1));
  const below = suffix ? `${name}.${suffix}` : last;
  yield { address: `${start}{id}/${below}`, id: readId(sentId) };
}

/** Compiles the table into a lookup. It returns undefined for an unknown path, and for one that cannot be decoded. */
export function createRouter(operations: readonly Operation[]): (path: string) => Route | undefined {
  const routes = new Map<string, { byMethod: Map<string, Operation>; representation: Representation }>();
  const add = (address: string, representation: Representation, row: Operation) => {
    const route = routes.getOrInsertComputed(address, () => ({ byMethod: new Map(), representation }));
    route.byMethod.set(row.method, row);
  };
  for (const row of operations) {
    for (const representation of ['own', ...listSuffixes(row)] as const)
      add(formatRepresentationPath(row.path, representation), representation, row);
    if (row.alias) add(row.alias, 'own', row);
  }
  return (path) => {
    const decoded = decodePath(path);
    if (decoded === undefined) return undefined;
    for (const { address, id } of listAddresses(path, decoded)) {
      const route = routes.get(address);
      if (route && id !== '') return { ...route, id };
    }
    return undefined;
  };
}

export function createFind(operations: readonly Operation[]) {
  const route = createRouter(operations);
  return (method: string, path: string) => route(path)?.byMethod.get(method === 'HEAD' ? 'GET' : method);
}
