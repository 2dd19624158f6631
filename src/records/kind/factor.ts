import type * as v from 'valibot';

/** A record as matches read it. `id` only decides between equal matches. */
export interface Matchable {
  id: string;
  onetCode: string;
  [member: string]: unknown;
}

export interface OccupationFacts {
  /** How close two codes are, in hundredths: 100 for a code and itself. */
  closeness(a: string, b: string): number;
  titleOf(code: string): string;
  /** Words of an occupation's job titles, and the names of its technologies and skills. */
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

/** A factor with its weights. `P` is what the factor's `read` returns. */
export interface Comparison<P> {
  /** Returns quarters of a point: a whole number from 0 to four times the points of the factor. */
  rate(order: P, candidate: P): number;
  explain(order: P, candidate: P): Explanation;
}

/** One thing that counts when a job order is matched with a candidate. Both kinds have its member. */
export interface Factor<P = unknown> {
  /** Its name in content/matching.json and in the reasons of a match. */
  name: string;
  /** What it compares, in the words of the statement about scores. */
  compares: string;
  /** What its points mean, in the words of the guide that scripts/matching.ts writes. */
  points: string;
  /** Whether rating it is slow. A ranking rates it only if the place of a pair depends on it. */
  isSlow?: true;
  /** The schema of its members in content/matching.json beside its points. */
  settings?: v.ObjectEntries;
  /** Returns the part of a record that it compares. Called once for each record. */
  read(record: Matchable): P;
  create(
    weights: { points: number; settings: Readonly<Record<string, number>> },
    occupations: OccupationFacts,
  ): Comparison<P>;
}
