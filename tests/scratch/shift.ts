import * as v from 'valibot';
import type { Factor, Matchable } from '../../src/records/factor.ts';
import { equals } from '../../src/records/filters.ts';
import type { Member } from '../../src/records/kind.ts';

const factor: Factor<string | undefined> = {
  name: 'shift',
  compares: 'the shift',
  points: 'For the same shift, or an order that names none.',
  read: ({ shift }: Matchable & { shift?: string }) => shift,
  create: ({ points }) => ({
    rate: (order, candidate) => (order === undefined || order === candidate ? 4 * points : 0),
    explain: (order, candidate) =>
      order === undefined || order === candidate
        ? { reason: `works the ${order ?? 'usual'} shift` }
        : { gap: `does not work the ${order} shift` },
  }),
};

/** A field that the service does not have: lists are filtered by it, and it counts in matches. */
export const shift = {
  schema: v.optional(
    v.pipe(
      v.picklist(['day', 'night'], 'must be day or night'),
      v.title('Shift'),
      v.description('When the work is done.'),
    ),
  ),
  filters: { shift: equals('shift', 'Shift', 'Has this shift.') },
  factor,
} satisfies Member;
