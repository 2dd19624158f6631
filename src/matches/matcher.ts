import { type Closeness, createCloseness } from '../occupations/closeness.ts';
import { type ClosenessTable, toClosenessTable } from '../occupations/closeness-table.ts';
import type { OccupationFact, RatingsFile } from '../occupations/content-files.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import type { Matchable } from '../records/factor.ts';
import { explainGate, meets, readGate } from '../records/gate.ts';
import { factors, type Match, type Matching, type Reason } from './match.ts';
import { type OccupationSkills, toOccupationSkills } from './occupation-skills.ts';
import { createRank, type Profile, type Rank } from './rank.ts';

/** What the build knows of occupations together. JSON as it stands. */
export interface MatchTables {
  closeness: ClosenessTable;
  skills: OccupationSkills;
}

/** Makes what `createMatcher` takes, of all occupations in the order of their codes. */
export function toMatchTables(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { closeness }: Matching,
): MatchTables {
  return {
    closeness: toClosenessTable(facts, ratings, closeness),
    skills: toOccupationSkills(facts, ratings),
  };
}

/** Compares orders and candidates. Every score is the same, whichever of the two it is asked for. */
export interface Matcher {
  closeness: Closeness;
  match(order: Matchable, candidate: Matchable): Match;
  /** The candidates that fit an order, best first. */
  rankCandidates: Rank;
  /** The orders that fit a candidate, best first. */
  rankOrders: Rank;
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** content/matching.json. */
    matching: Matching;
    /** What `createMatcher` makes a matcher of, or a promise of it; asked for at the first match. */
    matchTables(): unknown;
  }
  interface Service {
    /** Made at the first match; a promise while a host that fetches its tables waits for them. */
    matcher(): Matcher | Promise<Matcher>;
  }
}

/** Makes a matcher of the tables, which are of these occupations in the order of their codes. */
export function createMatcher(
  tables: MatchTables,
  { points, settings }: Matching,
  occupations: readonly OccupationRow[],
): Matcher {
  const closeness = createCloseness(
    occupations.map(({ id }) => id),
    tables.closeness,
  );
  const places = new Map(occupations.map(({ id }, place) => [id, place]));
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
      const sizes = factors.map(({ sizeOf }, at) => sizeOf?.(parts[at]) ?? 0);
      const gate = readGate(record);
      profile = { id: record.id, parts, gate, size: sizes.reduce((sum, size) => sum + size, gate.size) };
      profiles.set(record, profile);
    }
    return profile;
  }

  /** Quarters of a point, from 0 to 400. */
  function score(order: Profile, candidate: Profile): number {
    let sum = 0;
    for (let at = 0; at < compared.length; at += 1) {
      sum += compared[at]!.rate(order.parts[at], candidate.parts[at]);
    }
    return sum;
  }

  /** The match of a pair in words. A factor that gives nothing is a gap alone. */
  function match(order: Profile, candidate: Profile): Match {
    const reasons: Reason[] = [];
    const gaps: string[] = [];
    for (const [at, { name, rate, explain }] of compared.entries()) {
      const pair = [order.parts[at], candidate.parts[at]] as const;
      const quarters = rate(...pair);
      const { reason, gap } = explain(...pair);
      if (quarters > 0) reasons.push({ factor: name, points: quarters / 4, text: reason! });
      if (gap !== undefined) gaps.push(gap);
    }
    const { met, unmet, gaps: untold } = explainGate(order.gate, candidate.gate);
    return {
      score: score(order, candidate) / 4,
      meets: unmet.length === 0,
      unmet: unmet.map(({ text }) => text),
      met,
      reasons,
      gaps: [...gaps, ...untold],
    };
  }

  const compare = {
    toProfile,
    score,
    meets: (order: Profile, candidate: Profile) => meets(order.gate, candidate.gate),
    match,
  };
  return {
    closeness,
    match: (order, candidate) => match(toProfile(order), toProfile(candidate)),
    rankCandidates: createRank(compare, true),
    rankOrders: createRank(compare, false),
  };
}
