import { toClosenessTable } from '../occupations/closeness-table.ts';
import type { OccupationFact } from '../occupations/content-files.ts';
import type { RatingsFile } from '../occupations/ratings.ts';
import type { MatchTables } from './matcher.ts';
import { toSignTable } from './signs.ts';
import type { Matching } from './weights.ts';

/** Makes what `createMatcher` takes, of all occupations in the order of their codes. */
export function toMatchTables(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { closeness }: Matching,
): MatchTables {
  return { closeness: toClosenessTable(facts, ratings, closeness), signs: toSignTable(facts, ratings) };
}
