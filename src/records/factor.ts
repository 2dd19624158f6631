import type * as v from 'valibot';

/** A record as matches read it; `id` only breaks ties. */
export interface Matchable {
  id: string;
  onetCode: string;
  [member: string]: unknown;
}

export interface OccupationFacts {
  /** How close two codes are, in hundredths: 100 for a code and itself. */
  closeness(a: string, b: string): number;
  titleOf(code: string): string;
  /** Words of an occupation's job titles, names of its technologies and of skills: what shows that a skill goes with it. */
  skillsOf(code: string): {
    words: readonly string[];
    technologies: readonly string[];
    names: readonly string[];
  };
}

export interface Explanation {
  reason?: string;
  gap?: string;
}

/** One factor for given weights. `P` is what `read` of it returns. */
interface Comparison<P> {
  /** Quarters of a point for a pair: a whole number from 0 to four times the points of the factor. */
  rate(order: P, candidate: P): number;
  explain(order: P, candidate: P): Explanation;
}

/** One thing that counts when a job order is matched with a candidate. Both kinds have the member that declares it. */
export interface Factor<P = unknown> {
  /** Its name in content/matching.json and in the reasons of a match. */
  name: string;
  /** What it compares, in the words of the statement about scores. */
  compares: string;
  /** What its points mean, in the words of the guide that scripts/matching.ts writes. */
  points: string;
  /** What content/matching.json says for it beside its points. */
  settings?: v.ObjectEntries;
  /** The part of a record that it compares; made once for each record. */
  read(record: Matchable): P;
  create(
    weights: { points: number; settings: Readonly<Record<string, number>> },
    occupations: OccupationFacts,
  ): Comparison<P>;
}
