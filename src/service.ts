import type { Service, Watch } from './kernel/service.ts';
import { createSearch, type Search } from './occupations/titles/search.ts';
import { toSeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';

/** Puts a service together from what a host provides; what can be decided once is decided here. */
export function createService(
  parts: Pick<Service, 'operations' | 'catalogue' | 'settings' | 'platform' | 'store'> & { watch?: Watch },
): Service {
  const { catalogue } = parts;
  let search: Search | Promise<Search> | undefined;

  function load(): Search | Promise<Search> {
    const file = catalogue.searchFile();
    if (!(file instanceof Promise)) return createSearch(file);
    const keep = (made: Search) => {
      search = made;
      return made;
    };
    const forget = (error: unknown) => {
      search = undefined;
      throw error;
    };
    return file.then((fetched) => keep(createSearch(fetched))).catch(forget);
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
