import type { Service, Watch } from './kernel/service.ts';
import { createSearch, type Search } from './occupations/search.ts';
import type { SearchIndex } from './occupations/search-index.ts';
import { toSeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';

/** Puts a service together from what a host provides; what can be decided once is decided here. */
export function createService(
  parts: Pick<Service, 'operations' | 'catalogue' | 'settings' | 'platform' | 'store' | 'signer'> & {
    watch?: Watch;
  },
): Service {
  const { catalogue } = parts;
  let search: Search | Promise<Search> | undefined;

  function load(): Search | Promise<Search> {
    const index = catalogue.searchIndex();
    if (!(index instanceof Promise)) return createSearch(index as SearchIndex);
    const keep = (made: Search) => {
      search = made;
      return made;
    };
    const forget = (error: unknown) => {
      search = undefined;
      throw error;
    };
    return index.then((fetched: SearchIndex) => keep(createSearch(fetched))).catch(forget);
  }

  return {
    ...parts,
    watch: parts.watch ?? {},
    openWorkspace: (id) => openWorkspace(parts, id),
    seed: toSeedView(catalogue.seed),
    occupationByCode: new Map(catalogue.occupations.map((entry) => [entry.id, entry])),
    search() {
      search ??= load();
      return search;
    },
  };
}
