import { distance } from 'fastest-levenshtein';
import * as v from 'valibot';
import { compose, Wording } from './wording.ts';

/** content/near-misses.json: what callers write for what the service has. */
export const NearMisses = v.strictObject({
  /** Our words for a word or a whole name of theirs, in lower case; of several the first that fits. */
  words: v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1))),
  /** What to add to a name of ours. */
  notes: v.record(v.string(), Wording),
  /** What to say of a name that nothing like it is there for. */
  absent: v.record(v.string(), Wording),
  /** Names that MCP clients add to every call, in lower case without `_` and `-`. None of ours is meant by them. */
  fillers: v.array(v.string()),
});
export type NearMisses = v.InferOutput<typeof NearMisses>;

/** Characters and words of a name that are read. */
const [longest, mostWords] = [80, 12];
const of = <T>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The words of a name or a path, in lower case and singular: `line_items` and `LineItem` are both line and item. */
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

/** How much of what was sent is in a name, and the other way round: 0 to 1. */
function rate(sent: readonly (readonly string[])[], name: readonly string[]): number {
  const found = sent.filter((words) => words.some((word) => name.some((one) => isSame(word, one))));
  const covered = name.filter((one) => sent.some((words) => words.some((word) => isSame(word, one))));
  return found.length === 0 ? 0 : (found.length / sent.length + covered.length / name.length) / 2;
}

/** Those of `names` that a caller most likely meant by `sent`, at most three, the likeliest first. */
function findNearest(sent: string, names: readonly string[], { words }: NearMisses, least: number): string[] {
  const wanted = splitName(sent).map((word) => [word, ...(of(words, word) ?? []).flatMap(splitName)]);
  const rated = names.map((name) => ({ name, rating: rate(wanted, splitName(name)) }));
  const best = Math.max(least, ...rated.map(({ rating }) => rating - 0.05));
  return rated
    .filter(({ rating }) => rating >= best)
    .sort((a, b) => b.rating - a.rating)
    .slice(0, 3)
    .map(({ name }) => name);
}

const normalizeName = (sent: string) => sent.slice(0, longest).toLowerCase().replaceAll(/[_-]/g, '');

/** The one of `names` that a table has for the whole of `sent`. */
const findUsual = (sent: string, names: readonly string[], { words }: NearMisses) =>
  of(words, normalizeName(sent))?.find((name) => names.includes(name));

export function findNearName(sent: string, names: readonly string[], misses: NearMisses): string | undefined {
  const plain = normalizeName(sent);
  const near = findUsual(sent, names, misses) ?? findNearest(sent, names, misses, 0.7)[0];
  return near ?? names.find((name) => distance(plain, name.toLowerCase()) <= plain.length / 3);
}

/** Whether a name is one of ours with a few wrong letters, at most a quarter of them. */
export const isMisspelled = (sent: string, name: string) =>
  distance(normalizeName(sent), name.toLowerCase()) <= name.length / 4;

/** What to say of a name that is not known: the one that was meant, or why there is none. */
export function suggestName(sent: string, names: readonly string[], misses: NearMisses): Wording {
  const near = findNearName(sent, names, misses);
  const absent = of(misses.absent, normalizeName(sent));
  if (near === undefined) return absent ? compose`; ${absent}` : '';
  const note = of(misses.notes, near);
  return compose`; did you mean ${near}${note ? compose` (${note})` : ''}?`;
}

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A question for those that were probably meant, or nothing. */
export const formatSuggestion = (meant: readonly string[]) =>
  meant.length === 0 ? '' : ` Did you mean ${listed.format(meant)}?`;

export function findNearTools(sent: string, tools: readonly string[], misses: NearMisses): string[] {
  const usual = findUsual(sent, tools, misses);
  return usual ? [usual] : findNearest(sent, tools, misses, 0.5);
}

/**
 * The addresses that were probably meant by one where nothing is, with the id that was sent. What begins with one of
 * `prefixes` is a secret, and is not repeated.
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
  return findNearest(asked, paths, misses, 0.6).map((path) => path.replace('{id}', id ?? '{id}'));
}
