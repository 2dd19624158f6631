import { toForms, toWords } from './words.ts';

/** A title before it is indexed, with the weight of each occupation that it may be. */
export interface TitleFact {
  title: string;
  occupations: readonly number[];
  weights: readonly number[];
  /** Number of the published title that a hit names; `noTitle` where it is not one to name. */
  number: number;
}

/** Stand for titles without a number: those that are not O*NET's, and occupations' own. */
export const noTitle = 65_535;
export const ownTitle = 65_534;

/**
 * Sets of words that titles are made of, each set once. A word is told by its number; `ends` say where the list of
 * an entry ends in the array that they are of.
 */
export interface TitleIndex {
  /** Every word, by number, with line feeds between: UTF-8. */
  vocabulary: Uint8Array;
  wordEnds: Uint32Array;
  /** Ascending in an entry. */
  words: Uint16Array;
  ownerEnds: Uint32Array;
  /** Occupations of an entry, their weights in 1/255, and the titles that name them. */
  owners: Uint16Array;
  weights: Uint8Array;
  titles: Uint16Array;
}

/** An index as it is packed: how long the list of each entry is, in the place of where it ends. */
export type PackedIndex = Omit<TitleIndex, 'wordEnds' | 'ownerEnds'> & {
  wordCounts: Uint16Array;
  ownerCounts: Uint16Array;
};

function toEnds(counts: Uint16Array): Uint32Array {
  let sum = 0;
  return Uint32Array.from(counts, (count) => {
    sum += count;
    return sum;
  });
}

/** The index that was packed. */
export function unpackIndex<T extends PackedIndex>(packed: T): T & TitleIndex {
  return { ...packed, wordEnds: toEnds(packed.wordCounts), ownerEnds: toEnds(packed.ownerCounts) };
}

/** Where the list of an entry begins in the array that `ends` are of. */
export const startOf = (ends: Uint32Array, entry: number) => (entry === 0 ? 0 : ends[entry - 1]!);

/** The entries that have each word: those of a word stand in `entries` from `starts[word]` up to `starts[word + 1]`. */
export interface Postings {
  starts: Uint32Array;
  entries: Uint32Array;
}

/** Turns the words of entries into the entries of words. */
export function toPostings(
  { wordEnds, words }: Pick<TitleIndex, 'wordEnds' | 'words'>,
  wordCount: number,
): Postings {
  const starts = new Uint32Array(wordCount + 1);
  for (const word of words) starts[word + 1]! += 1;
  for (let word = 0; word < wordCount; word += 1) starts[word + 1]! += starts[word]!;
  const entries = new Uint32Array(words.length);
  const next = starts.slice();
  for (let entry = 0, at = 0; entry < wordEnds.length; entry += 1)
    for (; at < wordEnds[entry]!; at += 1) entries[next[words[at]!]!++] = entry;
  return { starts, entries };
}

interface Entry {
  words: number[];
  owners: Map<number, { weight: number; title: number }>;
}

/** Makes the index of some titles: each of their forms is an entry, or part of the one that has the same words. */
export function toTitleIndex(facts: Iterable<TitleFact>): PackedIndex {
  const numbers = new Map<string, number>();
  const entries = new Map<string, Entry>();
  for (const { title, occupations, weights, number } of facts) {
    const keys = new Map<string, string[]>();
    for (const form of toForms(title)) {
      const words = [...new Set(toWords(form))].sort();
      if (words.length > 0) keys.set(words.join(' '), words);
    }
    for (const [key, words] of keys) {
      for (const word of words) if (!numbers.has(word)) numbers.set(word, numbers.size);
      const entry = entries.get(key) ?? {
        words: words.map((word) => numbers.get(word)!).sort((a, b) => a - b),
        owners: new Map(),
      };
      entries.set(key, entry);
      for (const [at, occupation] of occupations.entries()) {
        const before = entry.owners.get(occupation) ?? { weight: 0, title: number };
        entry.owners.set(occupation, { ...before, weight: before.weight + weights[at]! });
      }
    }
  }
  const all = [...entries.values()];
  const owners = all.flatMap((entry) => {
    const sum = [...entry.owners.values()].reduce((total, { weight }) => total + weight, 0);
    return [...entry.owners].map(([occupation, { weight, title }]) => ({
      occupation,
      title,
      weight: Math.max(1, Math.round((255 * weight) / Math.max(1, sum))),
    }));
  });
  return {
    vocabulary: new TextEncoder().encode([...numbers.keys()].join('\n')),
    wordCounts: Uint16Array.from(all, ({ words }) => words.length),
    words: Uint16Array.from(all.flatMap(({ words }) => words)),
    ownerCounts: Uint16Array.from(all, (entry) => entry.owners.size),
    owners: Uint16Array.from(owners, ({ occupation }) => occupation),
    weights: Uint8Array.from(owners, ({ weight }) => weight),
    titles: Uint16Array.from(owners, ({ title }) => title),
  };
}
