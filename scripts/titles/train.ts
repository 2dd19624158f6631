import { packArrays } from '../../src/occupations/titles/arrays-file.ts';
import { createNetwork, encodeTitle, hashWords, pieceCount } from '../../src/occupations/titles/network.ts';
import type { OccupationTitle } from '../../src/occupations/titles/search-file.ts';
import { listTitleForms, stemTitle } from '../../src/occupations/titles/words.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { governmentTitles, onetTitles } from './read-titles.ts';
import { type Example, roundNetwork, trainNetwork, width } from './train-network.ts';

const governmentWeight = 0.5;

interface Lesson extends Omit<Example, 'features'> {
  words: string[];
}

/**
 * Returns a lesson for each form of O*NET's titles. Equal forms become one lesson with the share of each occupation.
 */
function toOnetLessons(titles: readonly OccupationTitle[]): Lesson[] {
  const ownersOf = new Map<string, number[]>();
  for (const { title, occupations } of titles) {
    for (const form of new Set(listTitleForms(title).map((text) => stemTitle(text).join(' ')))) {
      if (form !== '') ownersOf.getOrInsertComputed(form, () => []).push(...occupations);
    }
  }
  return [...ownersOf].map(([form, owners]) => {
    const occupations = [...new Set(owners)];
    const shares = occupations.map(
      (occupation) => owners.filter((owner) => owner === occupation).length / owners.length,
    );
    return { words: form.split(' '), occupations, shares, weight: 1 };
  });
}

function toGovernmentLessons(titles: readonly OccupationTitle[]): Lesson[] {
  return titles.flatMap(({ title, occupations }) => {
    const words = stemTitle(title);
    const shares = occupations.length === 1 ? { shares: [1] } : {};
    return words.length === 0 ? [] : [{ words, occupations, ...shares, weight: governmentWeight }];
  });
}

/**
 * Returns the examples, and the hashes that have their own input: of all words, and of pairs that occur at least
 * twice.
 */
function toExamples(isWithheld: (title: string) => boolean) {
  const isTaught = ({ title }: OccupationTitle) => !isWithheld(title);
  const lessons = [
    ...toOnetLessons(onetTitles.filter(isTaught)),
    ...toGovernmentLessons(governmentTitles.filter(isTaught)),
  ];
  const names = new Set<number>();
  const pairsSeen = new Set<number>();
  for (const { words } of lessons) {
    const { single, pairs } = hashWords(words);
    for (const name of single) names.add(name);
    for (const pair of pairs) (pairsSeen.has(pair) ? names : pairsSeen).add(pair);
  }
  const features = Uint32Array.from(names).sort();
  const examples = lessons.map(
    ({ words, ...rest }): Example => ({ ...rest, features: encodeTitle(words, features) }),
  );
  return { examples, features };
}

/** Shares below this are left out of the file. */
const leastShare = 0.05;

/**
 * Trains on all titles except withheld ones. Returns the bytes of a network file, such as content/titles/network.bin.
 */
export function train(isWithheld: (title: string) => boolean): Uint8Array {
  const { examples, features } = toExamples(isWithheld);
  const rounded = roundNetwork(trainNetwork(examples, features.length + pieceCount, facts.length));
  const run = createNetwork({ ...rounded, width });
  const scores = new Float32Array(facts.length);
  const owners: number[] = [];
  const shares: number[] = [];
  const ends = governmentTitles.map(({ title, occupations }) => {
    run(encodeTitle(stemTitle(title), features), scores);
    const chances = occupations.map((occupation) => Math.exp(scores[occupation]!));
    const sum = chances.reduce((total, chance) => total + chance, Number.MIN_VALUE);
    for (const [at, occupation] of occupations.entries()) {
      const share = occupations.length === 1 ? 1 : chances[at]! / sum;
      if (share < leastShare) continue;
      owners.push(occupation);
      shares.push(Math.round(255 * share));
    }
    return owners.length;
  });
  return packArrays({
    ...rounded,
    features,
    governmentEnds: Uint32Array.from(ends),
    governmentOwners: Uint16Array.from(owners),
    governmentShares: Uint8Array.from(shares),
  });
}
