import { listTitleForms, stemTitle } from './words.ts';

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
 * Sets of words that titles are made of, each set once. A word is told by its number. The list of an entry is in its
 * array from `starts[entry]` up to `starts[entry + 1]`.
 */
export interface TitleIndex {
  /** Every word, by number, with line feeds between: UTF-8. */
  vocabulary: Uint8Array;
  wordStarts: Uint32Array;
  /** Ascending in an entry. */
  words: Uint16Array;
  ownerStarts: Uint32Array;
  /** Occupations of an entry, their weights in 1/255, and the titles that name them. */
  owners: Uint16Array;
  weights: Uint8Array;
  titles: Uint16Array;
}

/** An index as it is packed: how long the list of each entry is, in the place of where it starts. */
export type PackedIndex = Omit<TitleIndex, 'wordStarts' | 'ownerStarts'> & {
  wordCounts: Uint16Array;
  ownerCounts: Uint16Array;
};

/** Where each of some lists starts that stand one after the other; a last one is where they end. */
function findStarts(counts: Uint16Array | Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!;
  return starts;
}

/** The index that was packed. */
export function unpackIndex<T extends PackedIndex>(packed: T): T & TitleIndex {
  return {
    ...packed,
    wordStarts: findStarts(packed.wordCounts),
    ownerStarts: findStarts(packed.ownerCounts),
  };
}

/** The entries that have each word: those of a word stand in `entries` from `starts[word]` up to `starts[word + 1]`. */
export interface Postings {
  starts: Uint32Array;
  entries: Uint32Array;
}

/** Turns the words of entries into the entries of words. */
export function invertIndex({ wordStarts, words }: TitleIndex, wordCount: number): Postings {
  const counts = new Uint32Array(wordCount);
  for (const word of words) counts[word]! += 1;
  const starts = findStarts(counts);
  const entries = new Uint32Array(words.length);
  const next = starts.slice();
  for (let entry = 0, at = 0; at < words.length; entry += 1)
    for (; at < wordStarts[entry + 1]!; at += 1) entries[next[words[at]!]!++] = entry;
  return { starts, entries };
}

interface Entry {
  words: number[];
  owners: Map<number, { weight: number; title: number }>;
}

/** Makes the index of some titles: each of their forms is an entry, or part of the one that has the same words. */
export function packTitleIndex(facts: Iterable<TitleFact>): PackedIndex {
  const numbers = new Map<string, number>();
  const entries = new Map<string, Entry>();
  for (const { title, occupations, weights, number } of facts) {
    const keys = new Map<string, string[]>();
    for (const form of listTitleForms(title)) {
      const words = [...new Set(stemTitle(form))].sort();
      if (words.length > 0) keys.set(words.join(' '), words);
    }
    for (const [key, words] of keys) {
      for (const word of words) if (!numbers.has(word)) numbers.set(word, numbers.size);
      const entry = entries.getOrInsertComputed(key, () => ({
        words: words.map((word) => numbers.get(word)!).sort((a, b) => a - b),
        owners: new Map(),
      }));
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
