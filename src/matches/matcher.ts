import { type ClosenessTable, createCloseness, toClosenessTable } from '../occupations/closeness-table.ts';
import type { OccupationFact, RatingsFile } from '../occupations/content-files.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import type { Matchable } from '../records/factor.ts';
import { explainGate, type Gated, meets, readGate } from '../records/gate.ts';
import { factors, type Match, type Matching, type Reason } from './match.ts';
import { type OccupationSkills, toOccupationSkills } from './occupation-skills.ts';

/** What the build knows of occupations together. JSON as it stands. */
export interface MatchTables {
  closeness: ClosenessTable;
  skills: OccupationSkills;
}

export const toMatchTables = (
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { closeness }: Matching,
): MatchTables => ({
  closeness: toClosenessTable(facts, ratings, closeness),
  skills: toOccupationSkills(facts, ratings),
});

interface RankOptions {
  limit: number;
  /** The position of the last that was answered before. */
  after?: number | undefined;
  /** From 0 to 100: those below, and those with score 0, are neither answered nor counted. */
  minScore?: number | undefined;
  onlyMeets?: boolean | undefined;
  /** Awaited after each pair, so that others have their turn. */
  pause(): Promise<void> | undefined;
}

interface Ranked<T> {
  other: T;
  match: Match;
  /** Its place: a whole number below 10^15, the same as long as the two records are. A smaller one is better. */
  position: number;
}

/** Ranks `others` for `one`, best first; `total` reach `minScore`. Records are not changed afterwards: what was read of one is kept. */
type Rank = <T extends { record: Matchable }>(
  one: Matchable,
  others: readonly T[],
  options: RankOptions,
) => Promise<{ matches: Ranked<T>[]; total: number }>;

/** Compares orders and candidates. Every score is the same, whichever of the two it is asked for. */
export type Matcher = ReturnType<typeof createMatcher>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    matching: Matching;
    /** What `createMatcher` makes a matcher of, or a promise of it; asked for at the first match. */
    matchTables(): unknown;
  }
  interface Service {
    /** Made at the first match; a promise while a host that fetches its tables waits for them. */
    matcher(): Matcher | Promise<Matcher>;
  }
}

interface Profile {
  id: string;
  /** What each factor compares of it, in their order. */
  parts: readonly unknown[];
  gate: Gated;
}

/** The most quarters of a score, and what meeting all must-haves adds to a rank: those who do come first. */
const most = 400;
const best = 2 * most;
const ties = 2 ** 40;

/**
 * The place of a pair among pairs of the same score: a whole number below `ties` that follows from the two ids alone
 * and looks like chance, so that it favours no id. Two lanes of multiply and rotate (as in MurmurHash3).
 */
function toTieBreak(order: { id: string }, candidate: { id: string }): number {
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

/** Makes a matcher of the tables, which are of these occupations in the order of their codes. */
export function createMatcher(
  tables: MatchTables,
  { points, settings }: Matching,
  occupations: readonly OccupationRow[],
) {
  const codes = occupations.map(({ id }) => id);
  const closeness = createCloseness(codes, tables.closeness);
  const places = new Map(codes.map((code, place) => [code, place]));
  const placeOf = (code: string) => places.get(code) ?? -1;
  const { terms, words, technologies } = tables.skills;
  const toTerms = (list: readonly number[] = []) => list.map((term) => terms[term]!);
  const known = {
    closeness,
    titleOf: (code: string) => occupations[placeOf(code)]?.title ?? code,
    skillsOf: (code: string) => ({
      words: toTerms(words[placeOf(code)]),
      technologies: toTerms(technologies[placeOf(code)]),
    }),
  };
  const compared = factors.map(({ name, create }) => ({
    name,
    ...create({ points: points[name]!, settings }, known),
  }));

  const profiles = new WeakMap<Matchable, Profile>();
  /** The profile of a record, which does not change any more: made once. */
  function toProfile(record: Matchable): Profile {
    let profile = profiles.get(record);
    if (!profile) {
      const parts = factors.map((factor) => factor.read(record));
      profile = { id: record.id, parts, gate: readGate(record) };
      profiles.set(record, profile);
    }
    return profile;
  }

  function rate(order: Profile, candidate: Profile): number {
    let sum = 0;
    for (let at = 0; at < compared.length; at += 1)
      sum += compared[at]!.rate(order.parts[at], candidate.parts[at]);
    return sum;
  }

  /** The match of a pair in words. A factor that gives nothing is a gap alone. */
  function match(order: Profile, candidate: Profile): Match {
    const reasons: Reason[] = [];
    const gaps: string[] = [];
    for (const [at, { name, explain, ...factor }] of compared.entries()) {
      const pair = [order.parts[at], candidate.parts[at]] as const;
      const points = factor.rate(...pair) / 4;
      const { reason, gap } = explain(...pair);
      if (points > 0) reasons.push({ factor: name, points, text: reason! });
      if (gap !== undefined) gaps.push(gap);
    }
    const { met, unmet, gaps: untold } = explainGate(order.gate, candidate.gate);
    return {
      score: rate(order, candidate) / 4,
      meets: unmet.length === 0,
      unmet: unmet.map(({ text }) => text),
      met,
      reasons,
      gaps: [...gaps, ...untold],
    };
  }

  /** Ranks candidates for an order or, where `orderFirst` is false, orders for a candidate. */
  const createRank =
    (orderFirst: boolean): Rank =>
    async (record, others, { limit, after = -1, minScore = 0, onlyMeets = false, pause }) => {
      const one = toProfile(record);
      const pairWith = (other: Profile) => (orderFirst ? ([one, other] as const) : ([other, one] as const));
      const leastQuarters = Math.max(1, Math.ceil(minScore * 4));
      // From 1 on; 0 where one is not asked for.
      const ranks = new Uint16Array(others.length);
      const counts = new Uint32Array(best + 2);
      for (let at = 0; at < others.length; at += 1) {
        const other = toProfile(others[at]!.record);
        const order = orderFirst ? one : other;
        const candidate = orderFirst ? other : one;
        const quarters = rate(order, candidate);
        const isMet = quarters >= leastQuarters && meets(order.gate, candidate.gate);
        if (quarters >= leastQuarters && (isMet || !onlyMeets)) {
          const rank = isMet ? quarters + most : quarters;
          ranks[at] = rank;
          counts[rank]! += 1;
        }
        const paused = pause();
        if (paused) await paused;
      }
      const first = after < 0 ? best + 1 : best - Math.floor(after / ties);
      // The worst rank that the next `limit` and one more can have: only those near it are put in order.
      let last = first;
      for (let found = 0; last > 1 && found <= limit; found += counts[last]!) last -= 1;
      const near: { at: number; position: number }[] = [];
      for (let at = 0; at < ranks.length; at += 1) {
        const rank = ranks[at]!;
        if (rank > first || rank < last) continue;
        const position = (best - rank) * ties + toTieBreak(...pairWith(toProfile(others[at]!.record)));
        if (position > after) near.push({ at, position });
      }
      const bound = Float64Array.from(near, ({ position }) => position).sort()[limit] ?? Infinity;
      const page = near.filter(({ position }) => position < bound).sort((a, b) => a.position - b.position);
      const matches = [];
      for (const { at, position } of page) {
        const other = toProfile(others[at]!.record);
        matches.push({ other: others[at]!, match: match(...pairWith(other)), position });
        const paused = pause();
        if (paused) await paused;
      }
      return { matches, total: counts.reduce((sum, count) => sum + count, 0) };
    };

  return {
    closeness,
    match: (order: Matchable, candidate: Matchable) => match(toProfile(order), toProfile(candidate)),
    rankCandidates: createRank(true),
    rankOrders: createRank(false),
  };
}
