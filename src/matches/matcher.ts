import { type CandidateHolds, explainGate, type Gate, meets, noHolds, readGate } from '../job-orders/gate.ts';
import { createBest } from '../kernel/best.ts';
import { keepByObject } from '../kernel/cache.ts';
import {
  type ClosenessTable,
  createCloseness,
  createClosenessTable,
} from '../occupations/closeness-table.ts';
import type { OccupationFact, RatingsFile, SkillNames } from '../occupations/content-files.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import type { Matchable } from '../records/factor.ts';
import type { Context, RecordService } from '../records/service.ts';
import { factors, type Match, type Matching, type Reason } from './match.ts';
import { collectOccupationSkills, type OccupationSkills } from './occupation-skills.ts';

/** What the build knows of occupations together. JSON as it stands. */
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

interface RankOptions {
  limit: number;
  /** The position of the last that was answered before. */
  after?: number | undefined;
  /** From 0 to 100: those below, and those with score 0, are neither answered nor counted. */
  minScore?: number | undefined;
  onlyMeets?: boolean | undefined;
  /** What holds the candidate with an id, as of today; nothing if it is left out. */
  readHeld?: (candidateId: string) => CandidateHolds;
}

interface Ranked<T> {
  other: T;
  match: Match;
  /** Its place: a whole number below 10^15, the same as long as the two records are. A smaller one is better. */
  position: number;
}

/** The ranking of records that are added one by one. No more than `limit` of them are in memory. */
export interface Ranking<T> {
  add(other: T): void;
  /** How many of those added reach `minScore`. */
  total(): number;
  /** Returns the best of those added, best first, each once it is asked for: to explain one takes a while. */
  explain(): Iterable<Ranked<T>>;
}

/** Begins to rank others for `one`. */
type Rank = <T extends { record: Matchable }>(one: Matchable, options: RankOptions) => Ranking<T>;

/** Compares orders and candidates. Every score is the same, whichever of the two it is asked for. */
export type Matcher = ReturnType<typeof createMatcher>;

/** What matches need of the service. */
export interface MatchService extends RecordService {
  matcher(): Matcher | Promise<Matcher>;
}

export type MatchContext = Context<MatchService>;

interface Profile {
  id: string;
  /** What each factor compares of it, in their order. */
  parts: readonly unknown[];
  gate: Gate;
}

/** The most quarters of a score, and what meeting all must-haves adds to a rank: those who do come first. */
const most = 400;
const best = 2 * most;
const ties = 2 ** 40;

/** Profiles that are kept: one of a record with fifty skills takes up to 200 KB. */
const mostProfiles = 200;

/**
 * The place of a pair among pairs of the same score: a whole number below `ties` that follows from the two ids alone
 * and looks like chance, so that it favours no id. Two lanes of multiply and rotate (as in MurmurHash3).
 */
function computeTieBreak(order: { id: string }, candidate: { id: string }): number {
  let [one, other] = [0x9e3779b9, 0x85ebca6b];
  const text = `${order.id} ${candidate.id}`;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
    one ^= one >>> 15;
    other ^= other >>> 13;
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  one ^= one >>> 16;
  return (other >>> 24) * 2 ** 32 + (one >>> 0);
}

/** Makes the factors that compare two profiles, from tables of these occupations in the order of their codes. */
function createComparers(
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
  const known = {
    closeness,
    titleOf: (code: string) => occupations[placeOf(code)]?.title ?? code,
    skillsOf: (code: string) => ({
      words: listTerms(words[placeOf(code)]),
      technologies: listTerms(technologies[placeOf(code)]),
      names: listTerms(names[placeOf(code)]),
    }),
  };
  const compared = factors.map(({ name, create }) => ({
    name,
    ...create({ points: points[name]!, settings }, known),
  }));
  return { closeness, compared };
}

/** Rates and explains pairs of profiles. */
class Pairs {
  readonly #compared: ReturnType<typeof createComparers>['compared'];

  constructor(compared: ReturnType<typeof createComparers>['compared']) {
    this.#compared = compared;
  }

  readonly readProfile = keepByObject(mostProfiles, (record: Matchable): Profile => {
    const parts = factors.map((factor) => factor.read(record));
    return { id: record.id, parts, gate: readGate(record) };
  });

  /** The score of a pair, in quarters. */
  rate(order: Profile, candidate: Profile): number {
    const compared = this.#compared;
    let sum = 0;
    for (let at = 0; at < compared.length; at += 1)
      sum += compared[at]!.rate(order.parts[at], candidate.parts[at]);
    return sum;
  }

  /** The match of a pair in words. A factor that gives nothing is a gap alone. */
  match(order: Profile, candidate: Profile, held: CandidateHolds): Match {
    const reasons: Reason[] = [];
    const gaps: string[] = [];
    for (const [at, { name, explain, ...factor }] of this.#compared.entries()) {
      const pair = [order.parts[at], candidate.parts[at]] as const;
      const points = factor.rate(...pair) / 4;
      const { reason, gap } = explain(...pair);
      if (points > 0) reasons.push({ factor: name, points, text: reason! });
      if (gap !== undefined) gaps.push(gap);
    }
    const { met, unmet, gaps: untold } = explainGate(order.gate, candidate.gate, held);
    return {
      score: this.rate(order, candidate) / 4,
      meets: unmet.length === 0,
      unmet: unmet.map(({ text }) => text),
      met,
      reasons,
      gaps: [...gaps, ...untold],
    };
  }
}

/** Ranks candidates for an order or, if `orderFirst` is false, orders for a candidate. */
const createRank =
  (pairs: Pairs, orderFirst: boolean): Rank =>
  <T extends { record: Matchable }>(
    record: Matchable,
    { limit, after = -1, minScore = 0, onlyMeets = false, ...options }: RankOptions,
  ) => {
    const readHeld = (other: T) => options.readHeld?.((orderFirst ? other.record : record).id) ?? noHolds;
    const one = pairs.readProfile(record);
    const pairWith = (other: Profile) => (orderFirst ? ([one, other] as const) : ([other, one] as const));
    const leastQuarters = Math.max(1, Math.ceil(minScore * 4));
    const ranked = createBest<T>(limit, after);
    let total = 0;
    return {
      add(other: T): void {
        const [order, candidate] = pairWith(pairs.readProfile(other.record));
        const quarters = pairs.rate(order, candidate);
        if (quarters < leastQuarters) return;
        const isMet = meets(order.gate, candidate.gate, readHeld(other));
        if (onlyMeets && !isMet) return;
        total += 1;
        const ahead = (best - (isMet ? quarters + most : quarters)) * ties;
        if (ranked.hasPlaceFor(ahead)) ranked.add(ahead + computeTieBreak(order, candidate), other);
      },
      total: () => total,
      *explain() {
        for (const { position, item: other } of ranked.list()) {
          const match = pairs.match(...pairWith(pairs.readProfile(other.record)), readHeld(other));
          yield { other, match, position };
        }
      },
    };
  };

/** Makes a matcher of the tables, which are of these occupations in the order of their codes. */
export function createMatcher(
  tables: MatchTables,
  matching: Matching,
  occupations: readonly OccupationRow[],
) {
  const { closeness, compared } = createComparers(tables, matching, occupations);
  const pairs = new Pairs(compared);
  return {
    closeness,
    match: (order: Matchable, candidate: Matchable, held: CandidateHolds = noHolds) =>
      pairs.match(pairs.readProfile(order), pairs.readProfile(candidate), held),
    rankCandidates: createRank(pairs, true),
    rankOrders: createRank(pairs, false),
  };
}
