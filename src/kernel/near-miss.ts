import { distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { compose, Wording } from './wording.ts';

/** content/near-misses.json: names that callers use, and the names of this service that they mean. */
export const NearMisses = v.strictObject({
  /** Our words for a word or a whole name of a caller, in lower case. The first that fits counts. */
  words: v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1))),
  /** A note on a name of ours, for the hint. */
  notes: v.record(v.string(), Wording),
  /** What to say of a name for which we have nothing similar. */
  absent: v.record(v.string(), Wording),
  /** Names that MCP clients add to every call, in lower case without `_` and `-`. They mean none of our names. */
  fillers: v.array(v.string()),
});
export type NearMisses = v.InferOutput<typeof NearMisses>;

/** How many characters and how many words of a name are read. */
const [longest, mostWords] = [80, 12];
const of = <T>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Returns the words of a name or path in lower case and singular: both `line_items` and `LineItem` give line and item.
 */
const splitName = (text: string): string[] =>
  text
    .slice(0, longest)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9{}]+/)
    .filter(Boolean)
    .slice(0, mostWords)
    .map((word) =>
      word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<=ch|sh|x|s)es$|(?<=[^su])s$/, '') : word,
    );

const isSame = (a: string, b: string) =>
  a === b || (Math.min(a.length, b.length) > 4 && distance(a, b) <= Math.max(a.length, b.length) / 6);

/** How much two names have in common, 0 to 1: the mean of the shares of words that each finds in the other. */
function rate(sent: readonly (readonly string[])[], name: readonly string[]): number {
  const matched = sent.filter((words) => words.some((word) => name.some((part) => isSame(word, part))));
  const covered = name.filter((part) => sent.some((words) => words.some((word) => isSame(word, part))));
  return matched.length === 0 ? 0 : (matched.length / sent.length + covered.length / name.length) / 2;
}

/** Names of this service with their words. Made once for all names that a call sends, because splitting takes long. */
type SplitNames = readonly { name: string; words: readonly string[] }[];

const splitNames = (names: readonly string[]): SplitNames =>
  names.map((name) => ({ name, words: splitName(name) }));

/** Returns those of `names` that a caller most likely meant by `sent`, the likeliest first, at most three. */
function findNearest(sent: string, names: SplitNames, misses: NearMisses, least: number): string[] {
  const wanted = splitName(sent).map((word) => [word, ...(of(misses.words, word) ?? []).flatMap(splitName)]);
  const rated = names.map(({ name, words }) => ({ name, rating: rate(wanted, words) }));
  const best = Math.max(least, ...rated.map(({ rating }) => rating - 0.05));
  return rated
    .filter(({ rating }) => rating >= best)
    .sort((a, b) => b.rating - a.rating)
    .slice(0, 3)
    .map(({ name }) => name);
}

const normalizeName = (sent: string) => sent.slice(0, longest).toLowerCase().replaceAll(/[_-]/g, '');

/** Returns the one of `names` that the table has for the whole of `sent`. */
const findUsual = (sent: string, names: readonly string[], { words }: NearMisses) =>
  of(words, normalizeName(sent))?.find((name) => names.includes(name));

/** Finds the name that a caller most likely meant. */
export type FindNearName = (sent: string) => string | undefined;

/** Creates a search for the one of `names` that a caller most likely meant. */
export function createNearNameSearch(names: readonly string[], misses: NearMisses): FindNearName {
  let split: SplitNames | undefined;
  return (sent) => {
    const plain = normalizeName(sent);
    split ??= splitNames(names);
    const nearest = findUsual(sent, names, misses) ?? findNearest(sent, split, misses, 0.7)[0];
    return nearest ?? names.find((name) => distance(plain, name.toLowerCase()) <= plain.length / 3);
  };
}

/** Whether `sent` is `name` with at most a quarter of its letters wrong. */
export const isMisspelled = (sent: string, name: string) =>
  distance(normalizeName(sent), name.toLowerCase()) <= name.length / 4;

/** Returns a hint for an unknown name: the name that was probably meant, or why there is none. */
export function suggestName(sent: string, findNearName: FindNearName, misses: NearMisses): Wording {
  const nearest = findNearName(sent);
  const absent = of(misses.absent, normalizeName(sent));
  if (nearest === undefined) return absent ? compose`; ${absent}` : '';
  const note = of(misses.notes, nearest);
  return compose`; did you mean ${nearest}${note ? compose` (${note})` : ''}?`;
}

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Returns a question that offers what was probably meant, or nothing. */
export const formatSuggestion = (meant: readonly string[]) =>
  meant.length === 0 ? '' : ` Did you mean ${listed.format(meant)}?`;

export function findNearTools(sent: string, tools: readonly string[], misses: NearMisses): string[] {
  const usual = findUsual(sent, tools, misses);
  return usual ? [usual] : findNearest(sent, splitNames(tools), misses, 0.5);
}

/**
 * Returns the paths that were probably meant by an unknown one, with the id that was sent. A segment that begins with
 * one of `prefixes` is a secret, and is not repeated.
 */
export function findNearPaths(
  sent: string,
  paths: readonly string[],
  misses: NearMisses,
  prefixes: readonly string[],
): string[] {
  const isSecret = (one: string) => prefixes.some((prefix) => one.toLowerCase().startsWith(prefix));
  const segments = sent
    .slice(0, longest)
    .split('/')
    .filter((one) => one && !isSecret(one) && !/^(api|rest|v\d+)$/i.test(one));
  const id = segments.find((one, index) => index > 0 && /^[\w.-]+$/.test(one) && /\d/.test(one));
  const asked = segments.map((one) => (one === id ? '{id}' : one)).join('/');
  return findNearest(asked, splitNames(paths), misses, 0.6).map((path) => path.replace('{id}', id ?? '{id}'));
}
