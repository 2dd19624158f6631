import {
  type CandidateHolds,
  explainGate,
  type Gate,
  type GateOptions,
  listMissing,
  meets,
  noHolds,
  readGate,
} from '../job-orders/gate.ts';
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

interface RankOptions {
  limit: number;
  /** The position of the last match on the previous page. */
  after?: number | undefined;
  /** From 0 to 100. Matches below it, and those with score 0, are neither listed nor counted. */
  minScore?: number | undefined;
  onlyMeets?: boolean | undefined;
  /** Whether what is not stated is unmet. */
  isUnstatedUnmet?: boolean | undefined;
  /** Returns what holds a candidate today. If it is left out, nothing does. */
  readHeld?: (candidateId: string) => CandidateHolds;
}

interface Ranked<T> {
  other: T;
  match: Match;
  /** A whole number below 10^15; smaller is better. It is the same until one of the two records changes. */
  position: number;
}

/** Ranks records that are added one by one, and keeps at most `limit` of them in memory. */
export interface Ranking<T> {
  add(other: T): void;
  /** How many of the added records pass `minScore` and `onlyMeets`. */
  total(): number;
  /** Yields the best records, best first. Each is explained only when it is read, because that takes a while. */
  explain(): Iterable<Ranked<T>>;
}

/** Starts a ranking of other records for `record`. */
type Rank = <T extends { record: Matchable }>(record: Matchable, options: RankOptions) => Ranking<T>;

/** Compares orders and candidates. A pair has the same score, whichever of the two is matched. */
export type Matcher = ReturnType<typeof createMatcher>;

export interface MatchService extends RecordService {
  matcher(): Matcher | Promise<Matcher>;
}

export type MatchContext = Context<MatchService>;

interface Profile {
  id: string;
  /** What each factor compares of the record, in the order of `factors`. */
  parts: readonly unknown[];
  gate: Gate;
}

/** The most quarters of a point in a score. Candidates with nothing unmet get as many more, so they come first. */
const most = 400;
const best = 2 * most;
/** How many positions pairs of the same score share. */
const ties = 2 ** 40;

/** The most profiles that are cached. That of a record with fifty skills takes up to 200 KB. */
const mostProfiles = 200;

/**
 * Returns the place of a pair among pairs of the same score, a whole number below `ties`. It is a hash of the two ids, so
 * that it favours no id. Two lanes multiply and shift, as in MurmurHash3.
 */
function computeTieBreak(order: { id: string }, candidate: { id: string }): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  const text = `${order.id} ${candidate.id}`;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low ^= low >>> 16;
  return (high >>> 24) * 2 ** 32 + (low >>> 0);
}

/** Creates the comparer of each factor. The tables have the occupations in the same order, by code. */
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
  const knowledge = {
    closeness,
    titleOf: (code: string) => occupations[placeOf(code)]?.title ?? code,
    skillsOf: (code: string) => ({
      words: listTerms(words[placeOf(code)]),
      technologies: listTerms(technologies[placeOf(code)]),
      names: listTerms(names[placeOf(code)]),
    }),
  };
  const comparers = factors.map(({ name, create }) => ({
    name,
    ...create({ points: points[name]!, settings }, knowledge),
  }));
  return { closeness, comparers };
}

/** Rates and explains pairs of profiles. */
class Pairs {
  readonly #comparers: ReturnType<typeof createComparers>['comparers'];

  constructor(comparers: ReturnType<typeof createComparers>['comparers']) {
    this.#comparers = comparers;
  }

  readonly readProfile = keepByObject(mostProfiles, (record: Matchable): Profile => {
    const parts = factors.map((factor) => factor.read(record));
    return { id: record.id, parts, gate: readGate(record) };
  });

  /** Returns the score of a pair in quarters of a point. */
  rate(order: Profile, candidate: Profile): number {
    const comparers = this.#comparers;
    let sum = 0;
    for (let at = 0; at < comparers.length; at += 1)
      sum += comparers[at]!.rate(order.parts[at], candidate.parts[at]);
    return sum;
  }

  /** Returns the match of a pair in words. A factor that gives no points can still have a gap. */
  match(order: Profile, candidate: Profile, options: GateOptions): Match {
    const reasons: Reason[] = [];
    const gaps: string[] = [];
    for (const [at, { name, explain, ...factor }] of this.#comparers.entries()) {
      const pair = [order.parts[at], candidate.parts[at]] as const;
      const points = factor.rate(...pair) / 4;
      const { reason, gap } = explain(...pair);
      if (points > 0) reasons.push({ factor: name, points, text: reason! });
      if (gap !== undefined) gaps.push(gap);
    }
    const gate = explainGate(order.gate, candidate.gate, options);
    return {
      score: this.rate(order, candidate) / 4,
      meets: meets(order.gate, candidate.gate, options),
      unmet: gate.unmet.map(({ text }) => text),
      unknown: gate.unknown,
      met: gate.met,
      ...gate.compared,
      reasons,
      gaps: [...gaps, ...gate.expiring, ...gate.gaps],
    };
  }
}

/** Ranks candidates for an order or, if `orderFirst` is false, orders for a candidate. */
const createRank =
  (pairs: Pairs, orderFirst: boolean): Rank =>
  <T extends { record: Matchable }>(
    record: Matchable,
    { limit, after = -1, minScore = 0, onlyMeets = false, isUnstatedUnmet = false, readHeld }: RankOptions,
  ) => {
    const readOptions = (other: T): GateOptions => ({
      held: readHeld?.((orderFirst ? other.record : record).id) ?? noHolds,
      isUnstatedUnmet,
    });
    const profile = pairs.readProfile(record);
    const pairWith = (other: Profile) =>
      orderFirst ? ([profile, other] as const) : ([other, profile] as const);
    const leastQuarters = Math.max(1, Math.ceil(minScore * 4));
    const ranked = createBest<T>(limit, after);
    let total = 0;
    return {
      add(other: T): void {
        const [order, candidate] = pairWith(pairs.readProfile(other.record));
        const quarters = pairs.rate(order, candidate);
        if (quarters < leastQuarters) return;
        const isMet = meets(order.gate, candidate.gate, readOptions(other));
        if (onlyMeets && !isMet) return;
        total += 1;
        const firstPosition = (best - (isMet === false ? quarters : quarters + most)) * ties;
        if (ranked.hasPlaceFor(firstPosition))
          ranked.add(firstPosition + computeTieBreak(order, candidate), other);
      },
      total: () => total,
      *explain() {
        for (const { position, item: other } of ranked.list()) {
          const match = pairs.match(...pairWith(pairs.readProfile(other.record)), readOptions(other));
          yield { other, match, position };
        }
      },
    };
  };

/** Returns functions that compare candidates with one order. The order is read once. */
const createComparer = (pairs: Pairs, record: Matchable) => {
  const order = pairs.readProfile(record);
  return {
    /** Returns the score of a candidate in quarters of a point. */
    rate: (candidate: Matchable) => pairs.rate(order, pairs.readProfile(candidate)),
    meets: (candidate: Matchable, options: GateOptions) =>
      meets(order.gate, pairs.readProfile(candidate).gate, options),
    /** Says in words which gates are not compared. */
    listUnknown: (candidate: Matchable, options: GateOptions) =>
      explainGate(order.gate, pairs.readProfile(candidate).gate, options).unknown,
  };
};

/** Creates a matcher. The tables have the occupations in the same order, by code. */
export function createMatcher(
  tables: MatchTables,
  matching: Matching,
  occupations: readonly OccupationRow[],
) {
  const { closeness, comparers } = createComparers(tables, matching, occupations);
  const pairs = new Pairs(comparers);
  return {
    closeness,
    match: (order: Matchable, candidate: Matchable, options: GateOptions = {}) =>
      pairs.match(pairs.readProfile(order), pairs.readProfile(candidate), options),
    /** Lists the must-haves that are not met. The texts of `unmet` of the match begin with these, in the same order. */
    listMissing: (order: Matchable, candidate: Matchable, { held }: GateOptions = {}) =>
      listMissing(pairs.readProfile(order).gate, pairs.readProfile(candidate).gate, held),
    compareWith: (order: Matchable) => createComparer(pairs, order),
    rankCandidates: createRank(pairs, true),
    rankOrders: createRank(pairs, false),
  };
}
