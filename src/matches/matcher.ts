import { type Closeness, createCloseness } from '../occupations/closeness.ts';
import type { ClosenessTable } from '../occupations/closeness-table.ts';
import type { OccupationRow } from '../occupations/occupation.ts';
import type { Match } from './match.ts';
import { compareMetros, type Metro } from './metro.ts';
import { type Matchable, type Profile, toProfile } from './profile.ts';
import { createRank, type Rank } from './rank.ts';
import type { SignTable } from './signs.ts';
import { toMatch } from './tell.ts';
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
    const how = compareMetros(order, candidate);
    return how === 'same' ? points.metro : how === 'state' ? sameState : 0;
  }

  const rateOccupation = (order: Profile, candidate: Profile) =>
    Math.round((points.occupation * 4 * closeness(order.onetCode, candidate.onetCode)) / 100);

  function rateSkills(order: Profile, candidate: Profile): number {
    if (candidate.skills.length === 0) return 0;
    const wanted = toWanted(order);
    return Math.round((points.skills * 4 * wanted.count(candidate.skills)) / wanted.all);
  }

  const rateMetros = (order: Profile, candidate: Profile) => 4 * rateMetro(order.metro, candidate.metro);

  function match(order: Profile, candidate: Profile): Match {
    const near = closeness(order.onetCode, candidate.onetCode);
    return toMatch(
      { order, candidate, wanted: toWanted(order), closeness: near, titleOf },
      {
        occupation: rateOccupation(order, candidate),
        skills: rateSkills(order, candidate),
        metro: rateMetros(order, candidate),
      },
    );
  }

  const compare = {
    match,
    quarters: (order: Profile, candidate: Profile) =>
      rateOccupation(order, candidate) + rateSkills(order, candidate) + rateMetros(order, candidate),
  };
  return {
    closeness,
    match: (order, candidate) => match(toProfile(order), toProfile(candidate)),
    rankCandidates: createRank(compare, true),
    rankOrders: createRank(compare, false),
  };
}
