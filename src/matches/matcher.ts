import { type Closeness, createCloseness } from '../occupations/closeness.ts';
import type { ClosenessTable } from '../occupations/closeness-table.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import type { Match } from './match.ts';
import { compareMetros, type Metro } from './metro.ts';
import { type Matchable, type Profile, toProfile } from './profile.ts';
import { createRank, type Rank } from './rank.ts';
import type { SignTable } from './signs.ts';
import { type Quarters, toMatch } from './tell.ts';
import { toAsked, toSigns, type Wanted } from './wanted.ts';
import type { Matching } from './weights.ts';

/** What the build knows of occupations together. JSON as it stands. */
export interface MatchTables {
  closeness: ClosenessTable;
  signs: SignTable;
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

/** Makes a matcher of the tables, which are of these occupations in the order of their codes. */
export function createMatcher(
  { closeness: table, signs }: MatchTables,
  { points, sameState, skillsForAll }: Matching,
  occupations: readonly OccupationRow[],
): Matcher {
  const closeness = createCloseness(
    occupations.map(({ id }) => id),
    table,
  );
  const places = new Map(occupations.map(({ id }, place) => [id, place]));
  const titleOf = (code: string) => occupations[places.get(code) ?? -1]?.title ?? code;
  const ofOccupation = new Map<string, Wanted>();
  const ofOrder = new WeakMap<Profile, Wanted>();

  function toSignsOf(code: string): Wanted {
    const place = places.get(code) ?? -1;
    const told = (list: number[] = []) => list.map((term) => signs.terms[term]!);
    return toSigns(told(signs.words[place]), told(signs.technologies[place]), skillsForAll);
  }

  function ofCode(code: string): Wanted {
    const known = ofOccupation.get(code);
    if (known) return known;
    const made = toSignsOf(code);
    if (places.has(code)) ofOccupation.set(code, made);
    return made;
  }

  function toWanted(order: Profile): Wanted {
    if (order.skills.length === 0) return ofCode(order.onetCode);
    let wanted = ofOrder.get(order);
    if (!wanted) {
      wanted = toAsked(order.skills);
      ofOrder.set(order, wanted);
    }
    return wanted;
  }

  function rateMetro(order: Metro | undefined, candidate: Metro | undefined): number {
    if (!order) return points.metro;
    if (!candidate) return 0;
    return { same: points.metro, state: sameState, other: 0 }[compareMetros(order, candidate)];
  }

  function rate(order: Profile, candidate: Profile): Quarters {
    const wanted = toWanted(order);
    const had = candidate.skills.length === 0 ? 0 : wanted.count(candidate.skills);
    return {
      occupation: Math.round((points.occupation * 4 * closeness(order.onetCode, candidate.onetCode)) / 100),
      skills: Math.round((points.skills * 4 * had) / wanted.all),
      metro: rateMetro(order.metro, candidate.metro) * 4,
    };
  }

  function match(order: Matchable, candidate: Matchable): Match {
    const pair = { order: toProfile(order), candidate: toProfile(candidate) };
    const quarters = rate(pair.order, pair.candidate);
    const near = closeness(pair.order.onetCode, pair.candidate.onetCode);
    return toMatch({ ...pair, wanted: toWanted(pair.order), closeness: near, titleOf }, quarters);
  }

  function quarters(order: Matchable, candidate: Matchable): number {
    const { occupation, skills, metro } = rate(toProfile(order), toProfile(candidate));
    return occupation + skills + metro;
  }

  return {
    closeness,
    match,
    rankCandidates: createRank({ quarters, match }, true),
    rankOrders: createRank({ quarters, match }, false),
  };
}
