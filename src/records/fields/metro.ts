import * as v from 'valibot';
import { keepByText } from '../../kernel/cache.ts';
import { textSchema } from '../../kernel/text.ts';
import type { Factor, Matchable } from '../factor.ts';
import { toWordTest } from '../filters.ts';
import type { Member } from '../kind.ts';
import type { StoredRecord } from '../record.ts';
import { stateByName } from './must-haves.ts';

interface Metro {
  text: string;
  /** Its name and its states; equal for two texts of the same area. */
  key: string;
  /** Two-letter codes; none where the text tells no state of the United States. */
  states: readonly string[];
}

function plain(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** The states that the end of a text tells: `ohio`, `OH`, or several as `NY-NJ-PA`. Undefined where it is other text. */
function toStates(text: string): string[] | undefined {
  const name = plain(text);
  const parts = stateByName.has(name) ? [name] : name.split(' ');
  const states = parts.map((part) => stateByName.get(part));
  return states.every((state) => state !== undefined) ? states : undefined;
}

/**
 * Reads `Columbus, OH`, `columbus oh` or `Columbus, Ohio`: what follows the last comma, or without one the last
 * word, tells the state. Case, accents, punctuation and spaces make no difference.
 */
function toMetro(text: string): Metro {
  const comma = text.lastIndexOf(',');
  const trimmed = text.trimEnd();
  const end = comma < 0 ? trimmed.lastIndexOf(' ') : comma;
  const states = end < 0 ? undefined : toStates(text.slice(end + 1));
  const city = plain(states ? text.slice(0, end) : text) || text.trim();
  return { text, key: `${city}|${states?.toSorted().join() ?? ''}`, states: states ?? [] };
}

const readMetro = keepByText(toMetro);

function compareMetros(a: Metro, b: Metro): 'same' | 'state' | 'other' {
  if (a.key === b.key) return 'same';
  return a.states.some((state) => b.states.includes(state)) ? 'state' : 'other';
}

const factor: Factor<Metro | undefined> = {
  name: 'metro',
  compares: 'the metro area',
  points: 'For the same metro area, or an order that names none.',
  /** Points for another metro area of the same state. */
  settings: { sameState: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)) },
  read: ({ metro }: Matchable & { metro?: string }) => (metro === undefined ? undefined : readMetro(metro)),
  create: ({ points, settings: { sameState } }) => ({
    rate(order, candidate) {
      if (!order) return 4 * points;
      if (!candidate) return 0;
      const how = compareMetros(order, candidate);
      return how === 'same' ? 4 * points : how === 'state' ? 4 * sameState! : 0;
    },
    explain(order, candidate) {
      if (!order) return { reason: 'the order names no metro area' };
      if (!candidate) return { gap: `names no metro area; the order is in ${order.text}` };
      if (compareMetros(order, candidate) === 'same')
        return { reason: `is in ${candidate.text}, where the order is` };
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
      description: 'Is there: whole words, such as "Columbus".',
      toTest(value) {
        const hasWords = toWordTest(value);
        return ({ metro = '' }: StoredRecord & { metro?: string }) => hasWords(metro);
      },
    },
  },
  factor,
} satisfies Member;
