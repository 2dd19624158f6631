import type { OccupationFact, RatingsFile, SkillNames } from '../occupations/content-files.ts';
import { stemTitle } from '../occupations/titles/words.ts';

/** What shows that a skill goes with an occupation, in the order of the codes: places in `terms`. JSON as it stands. */
export interface OccupationSkills {
  /** Words of titles, names of technologies and of skills. */
  terms: string[];
  /** The words that set the titles of each occupation apart, at most 30. */
  words: number[][];
  /** Its technologies that are often named in job postings, and more often in its group than in others. */
  technologies: number[][];
  /** Names of skills from content/skill-names.json. */
  names: number[][];
}

const mostWords = 30;
/** Occupations whose codes begin with the same so many characters are a minor group. */
const minorGroup = 4;
/** A technology that so few occupations list is particular to each of them. */
const fewOccupations = 60;
/** How many times as often as everywhere a minor group must list any other technology. */
const leastLift = 1.5;

/**
 * Makes a function that tells whether a technology has to do with an occupation that lists it. O*NET lists SAP for
 * drivers too, and Excel for nearly everyone: that says nothing about the work.
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
 * The words that set the titles of an occupation apart: those that most of its titles hold and the fewest other
 * occupations have. A word counts that the occupation's own title has, or two of its alternate titles.
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
  const having = new Map<string, number>();
  for (const { title, alternateTitles = [] } of facts) {
    for (const word of new Set([title, ...alternateTitles].flatMap(stemTitle))) {
      having.set(word, (having.get(word) ?? 0) + 1);
    }
  }
  const places = new Map<string, number>();
  const place = (term: string) => places.getOrInsertComputed(term, () => places.size);
  const rarityOf = (word: string) => Math.log(facts.length / having.get(word)!);
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
