import type { Service, Watch } from './kernel/service.ts';
import { createMatcher, type MatchTables } from './matches/matcher.ts';
import { createSearch } from './occupations/titles/search.ts';
import { toSeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';

/** Makes one of what is read, at the first call; what could not be read is read again at the next. */
function toLazy<T>(read: () => unknown, create: (from: unknown) => T): () => T | Promise<T> {
  let made: T | Promise<T> | undefined;

  function load(): T | Promise<T> {
    const from = read();
    if (!(from instanceof Promise)) return create(from);
    const keep = (fetched: unknown) => {
      const created = create(fetched);
      made = created;
      return created;
    };
    const forget = (error: unknown) => {
      made = undefined;
      throw error;
    };
    return from.then(keep).catch(forget);
  }

  return () => {
    made ??= load();
    return made;
  };
}

/** Puts a service together from what a host provides; what can be decided once is decided here. */
export function createService(
  parts: Pick<Service, 'operations' | 'catalogue' | 'settings' | 'platform' | 'store'> & { watch?: Watch },
): Service {
  const { catalogue } = parts;
  const { matching, occupations } = catalogue;
  return {
    ...parts,
    watch: parts.watch ?? {},
    openWorkspace: (id) => openWorkspace(parts, id),
    seed: toSeedView(catalogue.seed),
    occupationByCode: new Map(occupations.map((entry) => [entry.id, entry])),
    search: toLazy(catalogue.searchFile, (file) => createSearch(file as Uint8Array)),
    matcher: toLazy(catalogue.matchTables, (tables) =>
      createMatcher(tables as MatchTables, matching, occupations),
    ),
  };
}
