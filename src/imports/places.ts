import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';

const countries = /^(?:usa|u\.s\.a?\.?|us|united states(?: of america)?)$/i;
const zip = /\b\d{5}(?:-\d{4})?$/;

const isState = (part: string) =>
  part.split(/[-/&]/).every((state) => stateByName.has(foldText(state.trim())));

/** Returns the parts from the city on. A street comes before the city, or begins with a number. */
function dropStreet(parts: readonly string[]): readonly string[] {
  const states = parts.length - 1 - parts.findLastIndex((part) => !isState(part));
  if (states > 0 && states < parts.length) return parts.slice(-states - 1);
  return /^\d/.test(parts[0] ?? '') ? parts.slice(1) : parts;
}

/**
 * Returns the city and state of a place, without a country, a ZIP code and a street: `12 Main St, Columbus, OH 43215,
 * USA` is `Columbus, OH`. `isShort` says whether a street or a ZIP code was left out. A place outside of the United
 * States keeps its parts.
 */
export function toCityAndState(text: string): { place: string; isShort: boolean } {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !countries.test(part));
  const named = parts.map((part) => part.replace(zip, '').trim()).filter((part) => part !== '');
  const kept = dropStreet(named);
  return { place: kept.join(', '), isShort: kept.join() !== parts.join() };
}
