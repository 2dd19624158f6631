import type { OccupationFact, RatingsFile } from '../occupations/content-files.ts';
import { toWords } from '../occupations/titles/words.ts';

/** What shows that a skill goes with an occupation, in the order of the codes: places in `terms`. JSON as it stands. */
export interface OccupationSkills {
  /** Words of titles, and names of technologies. */
  terms: string[];
  /** The words that set the titles of each occupation apart, at most 30. */
  words: number[][];
  /** Its technologies that are often named in job postings, all of them. */
  technologies: number[][];
}

const mostWords = 30;

/**
 * The words that set the titles of an occupation apart: those that most of its titles hold and the fewest other
 * occupations have. A word counts that the occupation's own title has, or two of its alternate titles.
 */
function toTitleWords({ title, alternateTitles = [] }: OccupationFact, rarityOf: (word: string) => number) {
  const counts = new Map<string, number>();
  for (const text of alternateTitles) {
    for (const word of toWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  for (const word of toWords(title)) counts.set(word, (counts.get(word) ?? 0) + 2);
  const rated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([word, count]) => ({ word, weight: Math.sqrt(count) * rarityOf(word) }));
  rated.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  return rated.slice(0, mostWords).map(({ word }) => word);
}

export function toOccupationSkills(
  facts: readonly OccupationFact[],
  { hotTechnologies, occupations }: RatingsFile,
): OccupationSkills {
  const having = new Map<string, number>();
  for (const { title, alternateTitles = [] } of facts) {
    for (const word of new Set([title, ...alternateTitles].flatMap(toWords))) {
      having.set(word, (having.get(word) ?? 0) + 1);
    }
  }
  const places = new Map<string, number>();
  const place = (term: string) => places.getOrInsertComputed(term, () => places.size);
  const rarityOf = (word: string) => Math.log(facts.length / having.get(word)!);
  const words = facts.map((fact) => toTitleWords(fact, rarityOf).map(place));
  const technologies = facts.map(({ id }) =>
    (occupations[id]?.hot ?? []).map((at) => place(hotTechnologies[at]!)),
  );
  return { terms: [...places.keys()], words, technologies };
}
