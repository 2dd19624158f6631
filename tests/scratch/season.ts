import * as v from 'valibot';
import type { Factor, Matchable } from '../../src/records/factor.ts';
import { equals } from '../../src/records/filters.ts';
import type { Member } from '../../src/records/kind.ts';

const factor: Factor<string | undefined> = {
  name: 'season',
  compares: 'the season',
  points: 'For the same season, or an order that names none.',
  read: ({ season }: Matchable & { season?: string }) => season,
  create: ({ points }) => ({
    rate: (order, candidate) => (order === undefined || order === candidate ? 4 * points : 0),
    explain: (order, candidate) =>
      order === undefined || order === candidate
        ? { reason: `works in ${order ?? 'any season'}` }
        : { gap: `does not work in ${order}` },
  }),
};

/** A field that the service does not have: lists are filtered by it, and it counts in matches. */
export const season = {
  schema: v.optional(
    v.pipe(
      v.picklist(['summer', 'winter'], 'must be summer or winter'),
      v.title('Season'),
      v.description('When the work is done.'),
    ),
  ),
  filters: { season: equals('season', 'Season', 'Has this season.') },
  factor,
} satisfies Member;
