import { listEndsDuring } from '../job-orders/gate/ending.ts';
import { explainGate, type GateOptions, meets } from '../job-orders/gate/gate.ts';
import { readNeed } from '../job-orders/gate/need.ts';
import { readOffer } from '../job-orders/gate/offer.ts';
import { listMissing } from '../job-orders/gate/rules.ts';
import {
  type ClosenessTable,
  createCloseness,
  createClosenessTable,
} from '../occupations/closeness-table.ts';
import type { OccupationFact, RatingsFile, SkillNames } from '../occupations/content-files.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import { noHolds } from '../placements/period.ts';
import type { Matchable } from '../records/kind/factor.ts';
import type { Context, RecordService } from '../records/service.ts';
import { factors, type Matching } from './match.ts';
import { collectOccupationSkills, type OccupationSkills } from './occupation-skills.ts';
import { PairComparer, Profile } from './pairs.ts';
import { createRank } from './ranking.ts';

/** What the build computes from all occupations. Plain JSON. */
export interface MatchTables {
  closeness: ClosenessTable;
  skills: OccupationSkills;
}

export const buildMatchTables = (
  facts: readonly OccupationFact[],
  { ratings, skillNames }: { ratings: RatingsFile; skillNames: SkillNames },
  { closeness }: Matching,
): MatchTables => ({
  closeness: createClosenessTable(facts, ratings, closeness),
  skills: collectOccupationSkills(facts, ratings, skillNames),
});

/** Compares orders and candidates. A pair has the same score, whichever of the two is matched. */
export type Matcher = ReturnType<typeof createMatcher>;

export interface MatchService extends RecordService {
  matcher(): Matcher | Promise<Matcher>;
}

export type MatchContext = Context<MatchService>;

/** Creates the comparison of each factor. The tables have the occupations in the same order, by code. */
function createComparisons(
  tables: MatchTables,
  { points, settings }: Matching,
  occupations: readonly OccupationRow[],
) {
  const codes = occupations.map(({ id }) => id);
  const closeness = createCloseness(codes, tables.closeness);
  const places = new Map(codes.map((code, place) => [code, place]));
  const placeOf = (code: string) => places.get(code) ?? -1;
  const { terms, words, technologies, names } = tables.skills;
  const listTerms = (list: readonly number[] = []) => list.map((term) => terms[term]!);
  const knowledge = {
    closeness,
    titleOf: (code: string) => occupations[placeOf(code)]?.title ?? code,
    skillsOf: (code: string) => ({
      words: listTerms(words[placeOf(code)]),
      technologies: listTerms(technologies[placeOf(code)]),
      names: listTerms(names[placeOf(code)]),
    }),
  };
  const comparisons = factors.map(({ name, create }) =>
    create({ points: points[name]!, settings }, knowledge),
  );
  return { closeness, comparisons };
}

/** Returns functions that compare candidates with one order. The caller reads each candidate, once. */
const createComparer = (pairComparer: PairComparer, record: Matchable) => {
  const order = new Profile(record);
  return {
    /** Returns the score of a candidate in quarters of a point. */
    rate: (candidate: Profile) => pairComparer.rate({ order, candidate }),
    meets: ({ offer }: Profile, options: GateOptions) => meets(order.need, offer, options),
    /** Counts what ends during the work. */
    countEnding: ({ offer }: Profile, { held = noHolds }: GateOptions) =>
      listEndsDuring(order.need, offer, held).length,
    /** Says in words which gates are not compared, and what ends during the work. */
    explain({ offer }: Profile, options: GateOptions) {
      const { unknown, endsDuring } = explainGate(order.need, offer, options);
      return { unknown, endsDuring };
    },
  };
};

/** Creates a matcher. The tables have the occupations in the same order, by code. */
export function createMatcher(
  tables: MatchTables,
  matching: Matching,
  occupations: readonly OccupationRow[],
) {
  const { closeness, comparisons } = createComparisons(tables, matching, occupations);
  const pairComparer = new PairComparer(comparisons, matching.points);
  return {
    closeness,
    match: (order: Matchable, candidate: Matchable, options: GateOptions = {}) =>
      pairComparer.match({ order: new Profile(order), candidate: new Profile(candidate) }, options),
    /** Lists the must-haves that are not met. The texts of `unmet` of the match begin with these, in the same order. */
    listMissing: (order: Matchable, candidate: Matchable, { held }: GateOptions = {}) =>
      listMissing(readNeed(order), readOffer(candidate), held),
    compareWith: (order: Matchable) => createComparer(pairComparer, order),
    rankCandidates: createRank(pairComparer, true),
    rankOrders: createRank(pairComparer, false),
  };
}
