import MiniSearch from 'minisearch';
import type { OccupationFact } from './occupation.ts';
import { toWords } from './title-words.ts';

/** Every occupation's code, title and alternate titles, and how MiniSearch rates them. JSON as it stands. */
export interface SearchIndex {
  occupations: [id: string, title: string, alternateTitles: string[]][];
  /** By word, the place in `occupations` of each that has it, and its rating in millionths, in turn. */
  ratings: Record<string, number[]>;
}

/**
 * Makes the index that `createSearch` takes. One document an occupation; MiniSearch rates a document by the sum
 * over the query's words that it has, times their number, so what it says of each word alone, asked once at build
 * time, is all that a search needs.
 */
export function toSearchIndex(facts: readonly OccupationFact[]): SearchIndex {
  const words = new Set<string>();
  const engine = new MiniSearch({
    fields: ['title', 'alternates'],
    tokenize: (text) => text.split(' '),
    processTerm: (word) => {
      words.add(word);
      return word;
    },
    searchOptions: { boost: { title: 2 } },
  });
  for (const [id, { title, alternateTitles = [] }] of facts.entries()) {
    engine.add({
      id,
      title: toWords(title).join(' '),
      alternates: alternateTitles.flatMap(toWords).join(' '),
    });
  }
  const rate = (word: string) =>
    engine.search(word).flatMap(({ id, score }): number[] => [id, Math.round(score * 1e6)]);
  return {
    occupations: facts.map(({ id, title, alternateTitles = [] }) => [id, title, alternateTitles]),
    ratings: Object.fromEntries([...words].map((word) => [word, rate(word)])),
  };
}
