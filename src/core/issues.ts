import type { Issue } from '../model/envelope.ts';

/** Places that one answer names at most, and the bytes of JSON that they may take; the rest are counted. */
const mostPlaces = 20;
const mostBytes = 3000;
/** Characters of a caller's own name for a place that are said back. */
const longestName = 100;

const utf8 = new TextEncoder();

/** The first characters of what a caller wrote, safe to say back: no half of a surrogate pair is left at the end. */
export function toShown(text: string, longest = longestName): string {
  return text.slice(0, longest).toWellFormed();
}

/** At most 20 of the places at fault, in their order, and then how many more there are: `and 31,980 more`. */
export function toTold(issues: readonly Issue[]): Issue[] {
  let left = mostBytes;
  const told = issues.slice(0, mostPlaces).filter((issue) => {
    left -= left < 0 ? 0 : utf8.encode(JSON.stringify(issue)).length;
    return left >= 0;
  });
  const more = issues.length - told.length;
  return more === 0 ? told : [...told, { path: '', message: `and ${more.toLocaleString('en-US')} more` }];
}
