import type { OccupationFact } from './content-files.ts';
import type { RatingsFile } from './ratings.ts';
import { toWords } from './titles/words.ts';

/** A figure for each pair of occupations, by place, a row after the other; the same both ways round. */
export type Pairs = Float32Array;

/** What an occupation has, and how much of it. */
type Features = ReadonlyMap<string | number, number>;

const lettersOfBeginning = 5;

/** The words of all titles and the beginnings of those words, with the number of titles that hold each. */
function toTitleFeatures({ title, alternateTitles = [] }: OccupationFact): Features {
  const counts = new Map<string, number>();
  const add = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const text of [title, ...alternateTitles]) {
    for (const word of new Set(toWords(text))) {
      add(word);
      add(`${word.slice(0, lettersOfBeginning)}-`);
    }
  }
  return counts;
}

/** Kinds of technology, with the number of technologies listed of each. */
function toTechnologyFeatures(technologies: readonly number[] = []): Features {
  const counts = new Map<number, number>();
  for (let at = 0; at < technologies.length; at += 2) counts.set(technologies[at]!, technologies[at + 1]!);
  return counts;
}

/**
 * The cosine of each pair: every feature weighs `grow` of its count, times `fall` of the logarithm of how few
 * occupations have it. 0 where one of the two has none.
 */
function toCosines(
  occupations: readonly Features[],
  grow: (count: number) => number,
  fall: (rarity: number) => number,
): Pairs {
  const having = new Map<string | number, [place: number, weight: number][]>();
  const lengths = new Float64Array(occupations.length);
  for (const [place, features] of occupations.entries()) {
    for (const [feature, count] of features) {
      const list = having.get(feature);
      if (list) list.push([place, grow(count)]);
      else having.set(feature, [[place, grow(count)]]);
    }
  }
  const size = occupations.length;
  const pairs = new Float32Array(size * size);
  for (const [feature, list] of having) {
    const weight = list.length < 2 ? 0 : fall(Math.log(size / list.length));
    having.set(
      feature,
      list.map(([place, own]) => [place, own * weight]),
    );
    for (const [place, own] of list) lengths[place]! += (own * weight) ** 2;
  }
  for (const list of having.values()) {
    for (const [a, own] of list) {
      const scaled = own / Math.sqrt(lengths[a]! || 1);
      for (const [b, other] of list) pairs[a * size + b]! += (scaled * other) / Math.sqrt(lengths[b]! || 1);
    }
  }
  return pairs;
}

/** The cosine of each pair of the ratings as they differ from the mean of all; 0 where it is below, or one has none. */
function toRatingCosines(occupations: readonly (readonly number[] | undefined)[]): Pairs {
  const size = occupations.length;
  const rated = occupations.filter((ratings) => ratings !== undefined);
  const mean = rated[0]?.map((_, at) => rated.reduce((sum, one) => sum + one[at]!, 0) / rated.length);
  const units = occupations.map((ratings) => {
    const off = ratings?.map((rating, at) => rating - mean![at]!);
    const length = Math.hypot(...(off ?? []));
    return off?.map((one) => one / (length || 1));
  });
  const pairs = new Float32Array(size * size);
  for (const [a, one] of units.entries()) {
    for (const [b, other] of units.entries()) {
      if (!one || !other) continue;
      let cosine = 0;
      for (let at = 0; at < one.length; at += 1) cosine += one[at]! * other[at]!;
      pairs[a * size + b] = Math.max(0, cosine);
    }
  }
  return pairs;
}

/** The share of the eight digits of two codes that they begin with alike; 0 below two, the major group. */
function toSharedDigits(a: string, b: string): number {
  const [one, other] = [a.replace(/\D/g, ''), b.replace(/\D/g, '')];
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared < 2 ? 0 : shared / one.length;
}

function toDigitPairs(codes: readonly string[]): Pairs {
  return Float32Array.from({ length: codes.length ** 2 }, (_, at) =>
    toSharedDigits(codes[Math.floor(at / codes.length)]!, codes[at % codes.length]!),
  );
}

/** How alike each pair of occupations is by each kind of fact, from 0 to 1; related lists have no part in it. */
export function toLikenesses(facts: readonly OccupationFact[], { occupations }: RatingsFile) {
  const of = ({ id }: OccupationFact) => occupations[id] ?? {};
  const technologies = facts.map((fact) => toTechnologyFeatures(of(fact).technologies));
  return {
    titles: toCosines(facts.map(toTitleFeatures), Math.sqrt, (rarity) => rarity ** 0.7),
    skills: toRatingCosines(facts.map((fact) => of(fact).importance)),
    technologies: toCosines(
      technologies,
      (count) => 1 + Math.log(count),
      (rarity) => rarity,
    ),
    code: toDigitPairs(facts.map(({ id }) => id)),
  } satisfies Record<string, Pairs>;
}
