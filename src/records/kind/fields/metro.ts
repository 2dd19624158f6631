import * as v from 'valibot';
import { textSchema } from '../../../kernel/text.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import type { Factor, Matchable } from '../factor.ts';
import type { Member } from '../member.ts';
import { comparePlaces, isWithin, type Place, readPlace } from './places.ts';

/** Marks an order whose work is done from anywhere. */
const remote = Symbol('remote');

const factor: Factor<Place | typeof remote | undefined> = {
  name: 'metro',
  compares: 'the metro area',
  points: 'For the same metro area, or an order that names none or is remote.',
  /** Points for another metro area of the same state. */
  settings: { sameState: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)) },
  read: ({ metro, workplace }: Matchable & { metro?: string }) => {
    if (workplace === 'remote') return remote;
    return metro === undefined ? undefined : readPlace(metro);
  },
  create: ({ points, settings: { sameState } }) => ({
    rate(order, candidate) {
      if (!order || order === remote) return 4 * points;
      if (!candidate || candidate === remote) return 0;
      const nearness = comparePlaces(order, candidate);
      if (nearness === 'other') return 0;
      return 4 * (nearness === 'state' ? sameState! : points);
    },
    explain(order, candidate) {
      if (order === remote) return { reason: 'the work is remote' };
      if (!order) return { reason: 'the order names no metro area' };
      if (!candidate || candidate === remote)
        return { gap: `names no metro area; the order is in ${order.text}` };
      const nearness = comparePlaces(order, candidate);
      const reason = `is in ${candidate.text}, where the order is`;
      if (nearness === 'same') return { reason };
      if (nearness === 'unstated') return { reason, gap: 'state not stated' };
      return {
        reason: `is in ${candidate.text}, in the same state as the order (${order.text})`,
        gap: `is in ${candidate.text}; the order is in ${order.text}`,
      };
    },
  }),
};

export const metro = {
  schema: v.optional(textSchema(200, 'Metro', 'Metropolitan area, such as "Columbus, OH".')),
  filters: {
    metro: {
      title: 'Metro',
      description: 'Lies there: a city, a state or both.',
      createTest(value) {
        const wanted = readPlace(value);
        return ({ metro = '' }: StoredRecord & { metro?: string }) => isWithin(readPlace(metro), wanted);
      },
    },
  },
  factor,
  search: 'place',
  isSortable: true,
  isInSummary: true,
  client: 'shown',
  file: { form: 'place', parts: ['city', 'state', 'country'], separator: ', ' },
  column: { title: 'Metro' },
} satisfies Member;
