import { stateByName } from './us-states.ts';

/** A metro area as it is compared. */
export interface Metro {
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
  const whole = stateByName.get(plain(text));
  if (whole !== undefined) return [whole];
  const states = plain(text)
    .split(' ')
    .map((part) => stateByName.get(part));
  return states.every((state) => state !== undefined) ? states : undefined;
}

/**
 * Reads `Columbus, OH`, `columbus oh` or `Columbus, Ohio`: what follows the last comma, or without one the last
 * word, tells the state. Case, accents, punctuation and spaces make no difference.
 */
export function toMetro(text: string): Metro {
  const comma = text.lastIndexOf(',');
  const trimmed = text.trimEnd();
  const end = comma < 0 ? trimmed.lastIndexOf(' ') : comma;
  const states = end < 0 ? undefined : toStates(text.slice(end + 1));
  const city = plain(states ? text.slice(0, end) : text) || text.trim();
  return { text, key: `${city}|${states?.toSorted().join() ?? ''}`, states: states ?? [] };
}

/** How two metro areas stand to each other. */
export function compareMetros(a: Metro, b: Metro): 'same' | 'state' | 'other' {
  if (a.key === b.key) return 'same';
  return a.states.some((state) => b.states.includes(state)) ? 'state' : 'other';
}
