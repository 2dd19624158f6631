import type { KernelService } from '../kernel/service.ts';
import type { OnetRelease } from './content-files.ts';
import type { Occupation, OccupationEntry } from './occupation.ts';
import type { Summaries } from './summaries.ts';
import type { Search } from './titles/search.ts';

/** What reading and searching occupations needs of the service. */
export interface OccupationService extends KernelService {
  catalogue: KernelService['catalogue'] & {
    onet: OnetRelease;
    successors: Readonly<Record<string, { title: string; codes: readonly string[] }>>;
    occupations: readonly OccupationEntry[];
    occupation(code: string): Occupation | undefined | Promise<Occupation | undefined>;
  };
  occupationByCode: ReadonlyMap<string, OccupationEntry>;
  search(): Promise<Search>;
  /** Returns all summaries. Read at the first search. */
  summaries(): Promise<Summaries>;
}
