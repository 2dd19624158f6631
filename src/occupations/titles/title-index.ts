import { listTitleForms, stemTitle } from './words.ts';

/** A title before it is indexed, with the weight of each occupation that it may mean. */
export interface TitleFact {
  title: string;
  occupations: readonly number[];
  weights: readonly number[];
  /** The number of the title that a hit names, or `noTitle` or `ownTitle` if a hit does not name it. */
  number: number;
}

/** The numbers of titles that hits do not name: titles of the government, and occupations' own titles. */
export const noTitle = 65_535;
export const ownTitle = 65_534;

/**
 * An index of titles. An entry is a set of words that at least one title has. A word is its number in `vocabulary`.
 * The list of an entry is in its array from `starts[entry]` up to, but not including, `starts[entry + 1]`.
 */
export interface TitleIndex {
  /** Every word in the order of numbers, in UTF-8, separated by line feeds. */
  vocabulary: Uint8Array;
  wordStarts: Uint32Array;
  /** Word numbers, ascending in each entry. */
  words: Uint16Array;
  ownerStarts: Uint32Array;
  /** The occupations of an entry, their weights in 1/255, and the numbers of their titles. */
  owners: Uint16Array;
  weights: Uint8Array;
  titles: Uint16Array;
}

/** An index as it is packed: with the length of each list instead of its start. */
export type PackedIndex = Omit<TitleIndex, 'wordStarts' | 'ownerStarts'> & {
  wordCounts: Uint16Array;
  ownerCounts: Uint16Array;
};

/** Returns the start of each of several adjacent lists, and the end of the last one. */
function findStarts(counts: Uint16Array | Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!;
  return starts;
}

/** Returns the index with the starts of its lists. */
export function unpackIndex<T extends PackedIndex>(packed: T): T & TitleIndex {
  return {
    ...packed,
    wordStarts: findStarts(packed.wordCounts),
    ownerStarts: findStarts(packed.ownerCounts),
  };
}

/** The entries that have each word: in `entries` from `starts[word]` up to, but not including, `starts[word + 1]`. */
export interface Postings {
  starts: Uint32Array;
  entries: Uint32Array;
}

/** Returns the entries of each word, in ascending order. */
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

/** Packs the index of titles. Each form of a title becomes an entry; forms with the same words share one. */
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
        const owner = entry.owners.get(occupation) ?? { weight: 0, title: number };
        entry.owners.set(occupation, { ...owner, weight: owner.weight + weights[at]! });
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
