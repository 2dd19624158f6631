import { isKnownPair } from './network.ts';
import { noTitle, ownTitle, type Postings, type TitleIndex } from './title-index.ts';
import { toTitleKey } from './title-parts.ts';

/** The occupations that have this very title. */
export interface ExactMatch {
  /** Those that it is the own title of, or a part of that. */
  own: number[];
  /** Whether it is an own title as a whole. */
  isWhole: boolean;
  /** Whether O*NET gives it to one of those as an alternate title too, or as a whole. */
  isGiven: boolean;
  /** Others that O*NET gives it as an alternate title. */
  alternate: number[];
}

/** The words that titles have. */
export interface TitleWords {
  numberOf: ReadonlyMap<string, number>;
  postings: Postings;
  /** How many titles have a word, by its number. */
  howOften(word: number): number;
  /** How many titles have both words; 0 unless some have them side by side. */
  countPair(first: string, second: string): number;
}

/** Counts words, and pairs that the network knows by their names in `features`. */
export function createTitleWords(
  vocabulary: readonly string[],
  postings: Postings,
  features: Uint32Array,
): TitleWords {
  const { starts, entries } = postings;
  const numberOf = new Map(vocabulary.map((word, number) => [word, number]));

  function countPair(first: string, second: string): number {
    const [a, b] = [numberOf.get(first), numberOf.get(second)];
    if (a === undefined || b === undefined || !isKnownPair(first, second, features)) return 0;
    let often = 0;
    // Both lists ascend.
    for (let at = starts[a]!, other = starts[b]!; at < starts[a + 1]! && other < starts[b + 1]!; ) {
      const difference = entries[at]! - entries[other]!;
      if (difference === 0) often += 1;
      if (difference <= 0) at += 1;
      if (difference >= 0) other += 1;
    }
    return often;
  }

  return { numberOf, postings, countPair, howOften: (word) => starts[word + 1]! - starts[word]! };
}

/** The titles that are looked up. */
interface KnownTitles {
  index: TitleIndex;
  /** Occupations by a part of their own title; see `toTitleParts`. */
  parts: ReadonlyMap<string, readonly number[]>;
}

export const noExactMatch: ExactMatch = { own: [], isWhole: false, isGiven: false, alternate: [] };

/** What several ways to write a title have in common: the own titles of all, or else of none. */
export function mergeExactMatches(all: readonly ExactMatch[]): ExactMatch {
  if (all.length === 1) return all[0]!;
  const isWhole = all.some((one) => one.isWhole);
  const own = new Set(all.filter((one) => !isWhole || one.isWhole).flatMap((one) => one.own));
  const alternate = new Set(isWhole ? [] : all.flatMap((one) => one.alternate));
  const isGiven = all.some((one) => one.isGiven);
  return { own: [...own], isWhole, isGiven, alternate: [...alternate].filter((one) => !own.has(one)) };
}

/** Makes a function that finds the occupations that have a title of these words. */
export function createExactSearch(
  { index, parts }: KnownTitles,
  { numberOf, howOften, postings }: TitleWords,
) {
  const { ownerStarts, owners, titles, wordStarts, words } = index;
  const { starts, entries } = postings;

  const toNumbers = (said: readonly string[]): number[] =>
    [...new Set(said)].map((word) => numberOf.get(word)).filter((one) => one !== undefined);

  /** The entry that has these words and no others. */
  function findEntry(numbers: readonly number[]): number | undefined {
    const wanted = numbers.toSorted((a, b) => a - b);
    const rarest = wanted.reduce((best, word) => (howOften(word) < howOften(best) ? word : best));
    return entries.subarray(starts[rarest], starts[rarest + 1]).find((entry) => {
      const from = wordStarts[entry]!;
      const isAsLong = wordStarts[entry + 1]! - from === wanted.length;
      return isAsLong && wanted.every((word, at) => words[from + at] === word);
    });
  }

  /** Parts whose words some title has, by its entry; the others need their key. */
  const partsOf = new Map<number, readonly number[]>();
  for (const [key, places] of parts) {
    const numbers = toNumbers(key.split(' '));
    const entry = numbers.length === key.split(' ').length ? findEntry(numbers) : undefined;
    if (entry !== undefined) partsOf.set(entry, places);
  }

  function find(said: readonly string[]): ExactMatch {
    const numbers = toNumbers(said);
    const isKnown = numbers.length > 0 && numbers.length === new Set(said).size;
    const entry = isKnown ? findEntry(numbers) : undefined;
    const [own, alternate]: [number[], number[]] = [[], []];
    for (let at = entry === undefined ? 0 : ownerStarts[entry]!; entry !== undefined; at += 1) {
      if (at === ownerStarts[entry + 1]!) break;
      if (titles[at] === ownTitle) own.push(owners[at]!);
      else if (titles[at] !== noTitle) alternate.push(owners[at]!);
    }
    if (own.length > 0) return { own, isWhole: true, isGiven: true, alternate: [] };
    const part = (entry === undefined ? isKnown && parts.get(toTitleKey(said)) : partsOf.get(entry)) || [];
    const isGiven = alternate.some((one) => part.includes(one));
    const others = alternate.filter((one) => !part.includes(one));
    return { own: [...part], isWhole: false, isGiven, alternate: others };
  }

  return { find, toNumbers };
}
