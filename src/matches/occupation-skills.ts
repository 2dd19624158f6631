import type { OccupationFact, RatingsFile, SkillNames } from '../occupations/content-files.ts';
import { stemTitle } from '../occupations/titles/words.ts';

/**
 * The terms that show that a skill goes with an occupation: for each occupation, by code, a list of places in `terms`. Plain
 * JSON.
 */
export interface OccupationSkills {
  /** Words of titles, and names of technologies and skills. */
  terms: string[];
  /** The words that set the titles of each occupation apart, at most 30. */
  words: number[][];
  /** Its technologies that job postings often name and that are particular to it or to its minor group. */
  technologies: number[][];
  /** Names of skills from content/skill-names.json. */
  names: number[][];
}

const mostWords = 30;
/** The characters of a code that it shares with its minor group. */
const minorGroup = 4;
/** A technology that at most this many occupations list is particular to each of them. */
const fewOccupations = 60;
/** Any other technology must be this many times as frequent in the minor group as in all occupations. */
const leastLift = 1.5;

/**
 * Returns a function that decides whether a technology is particular to an occupation that lists it. O*NET lists SAP for
 * drivers too, and Excel for nearly everyone, which says nothing about the work.
 */
function createParticular({ occupations }: RatingsFile) {
  const rated = Object.entries(occupations).filter(([, { hot }]) => hot);
  const all = new Map<number, number>();
  const inGroup = new Map<string, number>();
  const sizes = new Map<string, number>();
  const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [id, { hot = [] }] of rated) {
    const group = id.slice(0, minorGroup);
    add(sizes, group);
    for (const technology of hot) {
      add(all, technology);
      add(inGroup, `${group} ${technology}`);
    }
  }
  return (id: string, technology: number): boolean => {
    const group = id.slice(0, minorGroup);
    const share = inGroup.get(`${group} ${technology}`)! / sizes.get(group)!;
    const everywhere = all.get(technology)! / rated.length;
    return all.get(technology)! <= fewOccupations || share >= leastLift * everywhere;
  };
}

/**
 * Returns the words that set the titles of an occupation apart: frequent in its titles, and rare in other occupations. A
 * word must be in the occupation's own title, or in two of its alternate titles.
 */
function pickTitleWords({ title, alternateTitles = [] }: OccupationFact, rarityOf: (word: string) => number) {
  const counts = new Map<string, number>();
  for (const text of alternateTitles) {
    for (const word of stemTitle(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  for (const word of stemTitle(title)) counts.set(word, (counts.get(word) ?? 0) + 2);
  const rated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([word, count]) => ({ word, weight: Math.sqrt(count) * rarityOf(word) }));
  rated.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  return rated.slice(0, mostWords).map(({ word }) => word);
}

export function collectOccupationSkills(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { families }: SkillNames,
): OccupationSkills {
  const { hotTechnologies, occupations } = ratings;
  const isParticular = createParticular(ratings);
  const occupationCounts = new Map<string, number>();
  for (const { title, alternateTitles = [] } of facts) {
    for (const word of new Set([title, ...alternateTitles].flatMap(stemTitle))) {
      occupationCounts.set(word, (occupationCounts.get(word) ?? 0) + 1);
    }
  }
  const places = new Map<string, number>();
  const place = (term: string) => places.getOrInsertComputed(term, () => places.size);
  const rarityOf = (word: string) => Math.log(facts.length / occupationCounts.get(word)!);
  const words = facts.map((fact) => pickTitleWords(fact, rarityOf).map(place));
  const technologies = facts.map(({ id }) =>
    (occupations[id]?.hot ?? [])
      .filter((technology) => isParticular(id, technology))
      .map((at) => place(hotTechnologies[at]!)),
  );
  const names = facts.map(({ id }) => {
    const ofFamily = families.filter(({ codes }) => codes.some((code) => id.startsWith(code)));
    return [...new Set(ofFamily.flatMap((family) => family.names))].map(place);
  });
  return { terms: [...places.keys()], words, technologies, names };
}
