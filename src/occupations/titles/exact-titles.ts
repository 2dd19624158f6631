import { isKnownPair } from './network.ts';
import { noTitle, ownTitle, type Postings, type TitleIndex } from './title-index.ts';
import { toTitleKey } from './title-parts.ts';

/** The occupations that have exactly this title. They are places in the order of codes. */
export interface ExactMatch {
  /** Occupations whose own title, or a part of it, is this title. */
  own: number[];
  /** Whether it is a whole own title. */
  isWhole: boolean;
  /** Whether it is a whole own title, or an alternate title of one of `own` too. */
  isGiven: boolean;
  /** Other occupations that have it as an alternate title. */
  alternate: number[];
}

/** Looks up the words of titles. A word has a number. */
export interface TitleWords {
  numberOf: ReadonlyMap<string, number>;
  postings: Postings;
  /** Returns how many titles have a word, by its number. */
  howOften(word: number): number;
  /** Returns how many titles have both words, or 0 if the network does not know them as a pair. */
  countPair(first: string, second: string): number;
}

/** Creates the look-up of words. `features` are the hashes of the words and pairs that the network knows, ascending. */
export function createTitleWords(
  vocabulary: readonly string[],
  postings: Postings,
  features: Uint32Array,
): TitleWords {
  const { starts, entries } = postings;
  const numberOf = new Map(vocabulary.map((word, number) => [word, number]));

  function countPair(first: string, second: string): number {
    const [firstWord, secondWord] = [numberOf.get(first), numberOf.get(second)];
    if (firstWord === undefined || secondWord === undefined || !isKnownPair(first, second, features))
      return 0;
    let often = 0;
    // Both lists are in ascending order.
    for (
      let at = starts[firstWord]!, otherAt = starts[secondWord]!;
      at < starts[firstWord + 1]! && otherAt < starts[secondWord + 1]!;
    ) {
      const difference = entries[at]! - entries[otherAt]!;
      if (difference === 0) often += 1;
      if (difference <= 0) at += 1;
      if (difference >= 0) otherAt += 1;
    }
    return often;
  }

  return { numberOf, postings, countPair, howOften: (word) => starts[word + 1]! - starts[word]! };
}

interface KnownTitles {
  index: TitleIndex;
  /** Occupations by a part of their own title; see `collectTitleParts`. */
  parts: ReadonlyMap<string, readonly number[]>;
}

export const noExactMatch: ExactMatch = { own: [], isWhole: false, isGiven: false, alternate: [] };

/** Merges the matches of several spellings of a title. If one is a whole own title, only such matches count. */
export function mergeExactMatches(all: readonly ExactMatch[]): ExactMatch {
  if (all.length === 1) return all[0]!;
  const isWhole = all.some((one) => one.isWhole);
  const own = new Set(all.filter((one) => !isWhole || one.isWhole).flatMap((one) => one.own));
  const alternate = new Set(isWhole ? [] : all.flatMap((one) => one.alternate));
  const isGiven = all.some((one) => one.isGiven);
  return { own: [...own], isWhole, isGiven, alternate: [...alternate].filter((one) => !own.has(one)) };
}

/** Creates functions that find the occupations with a title of these words, and the numbers of words. */
export function createExactSearch(
  { index, parts }: KnownTitles,
  { numberOf, howOften, postings }: TitleWords,
) {
  const { ownerStarts, owners, titles, wordStarts, words } = index;
  const { starts, entries } = postings;

  /** Returns the numbers of the words that some title has. */
  function toNumbers(titleWords: ReadonlySet<string>): number[] {
    const numbers: number[] = [];
    for (const word of titleWords) {
      const number = numberOf.get(word);
      if (number !== undefined) numbers.push(number);
    }
    return numbers;
  }

  /** Returns the entry that has exactly these words, or undefined. */
  function findEntry(numbers: readonly number[]): number | undefined {
    const wanted = numbers.toSorted((a, b) => a - b);
    const rarest = wanted.reduce((best, word) => (howOften(word) < howOften(best) ? word : best));
    for (let at = starts[rarest]!; at < starts[rarest + 1]!; at += 1) {
      const entry = entries[at]!;
      const from = wordStarts[entry]!;
      const isAsLong = wordStarts[entry + 1]! - from === wanted.length;
      if (isAsLong && wanted.every((word, place) => words[from + place] === word)) return entry;
    }
    return undefined;
  }

  /** Occupations by the entry whose words are a part of their own title. Parts without an entry are found by key. */
  const partsOf = new Map<number, readonly number[]>();
  for (const [key, places] of parts) {
    const keyWords = key.split(' ');
    const numbers = toNumbers(new Set(keyWords));
    const entry = numbers.length === keyWords.length ? findEntry(numbers) : undefined;
    if (entry !== undefined) partsOf.set(entry, places);
  }

  function find(titleWords: readonly string[]): ExactMatch {
    const different = new Set(titleWords);
    const numbers = toNumbers(different);
    const isKnown = numbers.length > 0 && numbers.length === different.size;
    const entry = isKnown ? findEntry(numbers) : undefined;
    const [own, alternate]: [number[], number[]] = [[], []];
    for (let at = entry === undefined ? 0 : ownerStarts[entry]!; entry !== undefined; at += 1) {
      if (at === ownerStarts[entry + 1]!) break;
      if (titles[at] === ownTitle) own.push(owners[at]!);
      else if (titles[at] !== noTitle) alternate.push(owners[at]!);
    }
    if (own.length > 0) return { own, isWhole: true, isGiven: true, alternate: [] };
    const part =
      (entry === undefined ? isKnown && parts.get(toTitleKey(titleWords)) : partsOf.get(entry)) || [];
    const isGiven = alternate.some((one) => part.includes(one));
    const others = alternate.filter((one) => !part.includes(one));
    return { own: [...part], isWhole: false, isGiven, alternate: others };
  }

  return { find, toNumbers };
}
