import type { Service } from '../kernel/service.ts';
import type { Found } from './titles/search.ts';

/** Chance from which on another hit is a rival of the first. */
const leastRival = 0.1;
const mostRivals = 2;

/**
 * What would decide, in words, where the first hit is not sure; undefined where it is, and where nothing was found.
 * Rivals of different major groups are told apart by trade or industry, those of one by what is done all day.
 */
export function toAdvice({ certainty, hits }: Found, { occupationByCode }: Service): string | undefined {
  const [first, ...others] = hits;
  if (certainty === 'sure' || !first) return undefined;
  const titleOf = (id: string) => occupationByCode.get(id)!.title;
  const rivals = others.filter(({ confidence }) => confidence >= leastRival).slice(0, mostRivals);
  const groups = new Set([first, ...rivals].map(({ id }) => id.slice(0, 2)));
  const what =
    rivals.length === 0
      ? 'the trade, the industry or the main duties'
      : groups.size > 1
        ? 'the trade or the industry'
        : 'the main duties';
  const or = rivals.map(({ id }) => ` or ${titleOf(id)}`).join('');
  const how = certainty === 'likely' ? 'Likely' : 'Not sure: perhaps';
  return `${how} ${titleOf(first.id)}${or}. To decide, add ${what} to the title.`;
}

/** A chance as it is told: two decimals. */
export const toConfidence = (chance: number) => Math.round(chance * 100) / 100;
