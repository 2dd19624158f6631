import type { Issue } from './envelope.ts';

/** Places that one answer names at most, and the bytes of JSON that they may take; the rest are counted. */
export const mostPlaces = 20;
const mostBytes = 3000;
/** Places that a reason names at most, and the characters of each. */
const mostInReason = 5;
const longestInReason = 60;
/** Characters of a caller's own name for a place that are said back. */
const longestName = 100;

const encoder = new TextEncoder();

/** The first characters of what a caller wrote, safe to say back: no half of a surrogate pair is left at the end. */
export function toShown(text: string, longest = longestName): string {
  return text.slice(0, longest).toWellFormed();
}

/** At most 20 of the places at fault, in their order, and then how many more there are: `and 31,980 more`. */
export function toTold<T extends Issue>(issues: readonly T[]): T[] {
  let left = mostBytes;
  const told = issues.slice(0, mostPlaces).filter((issue) => {
    left -= left < 0 ? 0 : encoder.encode(JSON.stringify(issue)).length;
    return left >= 0;
  });
  const more = issues.length - told.length;
  return more === 0
    ? told
    : [...told, { ...issues[0]!, path: '', message: `and ${more.toLocaleString('en-US')} more` }];
}

const toName = ({ path }: Issue) => toShown(path, longestInReason) || 'the whole';

/** What is amiss, for a caller who reads nothing else: one place with what to send instead, or how many and which first. */
export function toReason(issues: readonly Issue[]): string {
  const [one] = issues as [Issue];
  if (issues.length === 1) {
    const said = `${toName(one)} ${toShown(one.message, 1000)}`;
    return /[\w"')]$/.test(said) ? `${said}.` : said;
  }
  const names = issues.slice(0, mostInReason).map(toName);
  const more = issues.length > names.length ? ', …' : '';
  return `${issues.length.toLocaleString('en-US')} members are not valid: ${[...new Set(names)].join(', ')}${more}; issues names each place.`;
}
