import type { Occupation, OccupationRow } from '../model/occupation.ts';
import type { Ladder } from '../model/offer.ts';
import type { OnetRelease } from '../model/onet-release.ts';
import type { PricingDocument } from '../model/pricing/document.ts';
import type { CandidateFact, JobOrderFact, PlacementFact } from '../model/record.ts';
import type { ServiceFacts } from '../model/service-facts.ts';

/** One row of the occupation list, with what it can be filtered by. */
export interface OccupationEntry extends OccupationRow {
  majorGroup: string;
  jobZone?: number;
}

/** Everything that was known when the service was built. Each host loads it in its own way. */
export interface Catalogue {
  /** The commit that was built, where the host tells it. */
  commit?: string;
  service: ServiceFacts;
  pricing: PricingDocument;
  offers: Ladder;
  onet: OnetRelease;
  seed: {
    /** The day whose statuses the seed records show. */
    asOf: string;
    candidates: CandidateFact[];
    jobOrders: JobOrderFact[];
    placements: PlacementFact[];
  };
  /** The source of content/suites/executable.mjs, an ES module. */
  executableTests: string;
  /** In the order of their codes. */
  occupations: OccupationEntry[];
  /** The whole record of a code, or undefined. */
  occupation(code: string): Occupation | undefined | Promise<Occupation | undefined>;
  /** What `createSearch` makes a search of, or a promise of it; asked for at the first search. */
  searchIndex(): unknown;
}
