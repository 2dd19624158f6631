import type { Call } from './call.ts';
import type { Catalogue, OccupationEntry } from './catalogue.ts';
import { createSearch, type Search } from './occupation-search.ts';
import type { Operation } from './operation.ts';
import type { SearchIndex } from './search-index.ts';
import type { Store } from './store.ts';
import { toSeedView, type View } from './view.ts';

/** What the core asks of the machine it runs on. */
export interface Platform {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Fresh unguessable bytes. */
  randomBytes(count: number): Uint8Array;
  /** SHA-256 in lower-case hex. */
  sha256(text: string): string | Promise<string>;
}

/** What an operator decides. */
export interface Settings {
  /** The published origin, without a trailing slash. */
  baseUrl: string;
  /** Seconds a workspace lives after its last write. */
  retentionSeconds: number;
  /** Records a workspace may hold. */
  recordCeiling: number;
  /** `mailto:` or `https:` address for security reports, or undefined. */
  contact: string | undefined;
  /** Origins beside our own that may call /mcp from a page. */
  allowedOrigins: readonly string[];
  /** Whether the card declares the executable suite, for judges that can run one. */
  declareTestSuite: boolean;
  /** false in a build for static hosting only: nothing answers a POST. */
  live: boolean;
}

/** A call that may make a workspace was let through: what to tell the caller, and to tell how it ended. */
export interface Admission {
  headers: Record<string, string>;
  /** Called once: whether a workspace was made. */
  settle(made: boolean): void;
}

/** What a host may add: limits and sight that the core itself has no part in. */
export interface Watch {
  /** Asked before a workspace is made for the caller at this address. Throws a Refusal. */
  admitMint?(client: string | undefined): Admission;
  /** Told of every fault behind a refusal, and of the call that met it. */
  report?(error: unknown, call?: Call): void;
  /** Whether new work should be sent here; true where a host does not say. */
  isReady?(): boolean;
}

/** The whole service: the table, the facts, the store and the machine. */
export interface Service {
  operations: readonly Operation[];
  catalogue: Catalogue;
  settings: Settings;
  platform: Platform;
  store: Store;
  watch: Watch;
  seed: View;
  occupationByCode: ReadonlyMap<string, OccupationEntry>;
  /** Made at the first search; a promise while a host that fetches its index waits for it. */
  search(): Search | Promise<Search>;
}

/** Puts a service together from what a host provides; what can be decided once is decided here. */
export function createService(
  parts: Pick<Service, 'operations' | 'catalogue' | 'settings' | 'platform' | 'store'> & { watch?: Watch },
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
    seed: toSeedView(catalogue),
    occupationByCode: new Map(catalogue.occupations.map((entry) => [entry.id, entry])),
    search() {
      search ??= load();
      return search;
    },
  };
}
