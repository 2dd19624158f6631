import type { Operation } from './operation.ts';

/** Which address of a resource was asked for: its own, or a file with a suffix. */
export type Representation = 'own' | 'json' | 'md' | 'html';

/** What answers at an address, by method. */
export interface Route {
  byMethod: ReadonlyMap<string, Operation>;
  /** Decoded last segment where the path has a parameter. */
  id: string | undefined;
  representation: Representation;
}

type Router = (path: string) => Route | undefined;

const suffixes: readonly Exclude<Representation, 'own'>[] = ['json', 'md', 'html'];

function hasRepresentation(row: Operation, representation: Representation): boolean {
  if (row.method !== 'GET' || !row.frozen) return false;
  return (
    representation === 'json' || (representation === 'md' ? row.markdown !== undefined : row.page === true)
  );
}

/** The path of a representation: `/pricing` and `md` give `/pricing.md`, `/` gives `/index.md`. */
export function toRepresentationPath(path: string, representation: Representation): string {
  if (representation === 'own') return path;
  return `${path === '/' ? '/index' : path}.${representation}`;
}

/** Decodes each segment; an encoded slash stays encoded, so that it never becomes a separator. */
function decodeSegments(path: string): string {
  return path
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
    .join('/');
}

/** Compiles the table into a lookup. Undecodable percent-encoding throws URIError. */
export function createRouter(operations: readonly Operation[]): Router {
  const fixed = new Map<string, { byMethod: Map<string, Operation>; representation: Representation }>();
  const withId = new Map<string, Map<string, Operation>>();
  for (const row of operations) {
    if (row.path.endsWith('/{id}')) {
      const parent = row.path.slice(0, -'{id}'.length);
      withId.set(parent, (withId.get(parent) ?? new Map()).set(row.method, row));
      continue;
    }
    for (const representation of [
      'own',
      ...suffixes.filter((suffix) => hasRepresentation(row, suffix)),
    ] as const) {
      if (representation !== 'own' && /\.\w+$/.test(row.path)) continue;
      const address = toRepresentationPath(row.path, representation);
      const entry = fixed.get(address) ?? { byMethod: new Map(), representation };
      entry.byMethod.set(row.method, row);
      fixed.set(address, entry);
    }
  }
  return (path) => {
    const decoded = path.includes('%') ? decodeSegments(path) : path;
    const plain = fixed.get(decoded);
    if (plain) return { ...plain, id: undefined };
    const slash = decoded.lastIndexOf('/');
    const byMethod = withId.get(decoded.slice(0, slash + 1));
    if (!byMethod || slash === decoded.length - 1) return undefined;
    const last = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    const suffix = suffixes.find((ending) => last.endsWith(`.${ending}`));
    if (!suffix) return { byMethod, id: last, representation: 'own' };
    const get = byMethod.get('GET');
    if (!get || !hasRepresentation(get, suffix)) return undefined;
    return { byMethod, id: last.slice(0, -suffix.length - 1), representation: suffix };
  };
}
