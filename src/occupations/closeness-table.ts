import type { ClosenessWeights, OccupationFact, OccupationRatings, RatingsFile } from './content-files.ts';
import { stemTitle } from './titles/words.ts';

/**
 * A list for each occupation, in the order of codes. Of each later one that is close to it, it has how many places after
 * the one before it stands (the first after the occupation itself), and the closeness in hundredths, 1 to 99.
 */
export type ClosenessTable = number[][];

/** Hundredths of two occupations at most: only a code and itself make the whole. */
const most = 99;
/** Where each tier of a related list ends. */
const ends = [5, 10, 20];

/** How alike each pair is by all facts that both have: the mean of the parts by their weights, from 0 to 1. */
export function measureLikeness(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { parts }: Pick<ClosenessWeights, 'parts'>,
): Pairs {
  const likenesses = measureLikenessParts(facts, ratings);
  const rated = facts.map(({ id }) => ratings.occupations[id]);
  const size = facts.length;
  return Float32Array.from(likenesses.titles, (titles, at) => {
    const pair = [rated[Math.floor(at / size)], rated[at % size]];
    const weigh = (member: keyof OccupationRatings, weight: number) =>
      pair.every((one) => one?.[member]) ? weight : 0;
    const skills = weigh('importance', parts.skills);
    const technologies = weigh('technologies', parts.technologies);
    const sum =
      parts.titles * titles +
      skills * likenesses.skills[at]! +
      technologies * likenesses.technologies[at]! +
      parts.code * likenesses.code[at]!;
    return sum / (parts.titles + skills + technologies + parts.code);
  });
}

/** How far a related list lifts a pair, where it names the other: by its tier. */
function findLift(list: readonly string[] | undefined, code: string, related: readonly number[]): number {
  const place = list?.indexOf(code) ?? -1;
  return place < 0 ? 0 : related[ends.findIndex((end) => place < end)]!;
}

/**
 * Makes the table that `createCloseness` takes. Likeness from `unrelated` to `closest` is closeness from 0 to 1. A pair
 * that is published as related goes further, by the higher of its two tiers: from c to c + (1 - c) × tier.
 */
export function createClosenessTable(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  weights: ClosenessWeights,
): ClosenessTable {
  const { unrelated, closest, related } = weights;
  const likeness = measureLikeness(facts, ratings, weights);
  const listed = facts.map(({ id }) => ratings.occupations[id]?.related);
  return facts.map(({ id }, place) => {
    const row: number[] = [];
    let before = place;
    for (let other = place + 1; other < facts.length; other += 1) {
      const alike = (likeness[place * facts.length + other]! - unrelated) / (closest - unrelated);
      const own = Math.min(1, Math.max(0, alike));
      const lift = Math.max(
        findLift(listed[place], facts[other]!.id, related),
        findLift(listed[other], id, related),
      );
      const hundredths = Math.min(most, Math.round(100 * (own + (1 - own) * lift)));
      if (hundredths === 0) continue;
      row.push(other - before, hundredths);
      before = other;
    }
    return row;
  });
}

/** A figure for each pair of occupations, by place, a row after the other; the same both ways round. */
export type Pairs = Float32Array;

/** What an occupation has, and how much of it. */
type Features = ReadonlyMap<string | number, number>;

const lettersOfBeginning = 5;

/** The words of all titles and the beginnings of those words, with the number of titles that hold each. */
function countTitleFeatures({ title, alternateTitles = [] }: OccupationFact): Features {
  const counts = new Map<string, number>();
  const add = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const text of [title, ...alternateTitles]) {
    for (const word of new Set(stemTitle(text))) {
      add(word);
      add(`${word.slice(0, lettersOfBeginning)}-`);
    }
  }
  return counts;
}

/** Kinds of technology, with the number of technologies listed of each. */
function countTechnologies(technologies: readonly number[] = []): Features {
  const counts = new Map<number, number>();
  for (let at = 0; at < technologies.length; at += 2) counts.set(technologies[at]!, technologies[at + 1]!);
  return counts;
}

/**
 * The cosine of each pair: every feature weighs `grow` of its count, times `fall` of the logarithm of how few
 * occupations have it. 0 where one of the two has none.
 */
function computeCosines(
  occupations: readonly Features[],
  grow: (count: number) => number,
  fall: (rarity: number) => number,
): Pairs {
  const having = new Map<string | number, { place: number; weight: number }[]>();
  const lengths = new Float64Array(occupations.length);
  for (const [place, features] of occupations.entries()) {
    for (const [feature, count] of features)
      having.getOrInsertComputed(feature, () => []).push({ place, weight: grow(count) });
  }
  const size = occupations.length;
  const pairs = new Float32Array(size * size);
  for (const list of having.values()) {
    const rarity = list.length < 2 ? 0 : fall(Math.log(size / list.length));
    for (const one of list) {
      one.weight *= rarity;
      lengths[one.place]! += one.weight ** 2;
    }
  }
  for (const list of having.values()) {
    for (const { place, weight } of list) {
      const scaled = weight / Math.sqrt(lengths[place]! || 1);
      for (const other of list)
        pairs[place * size + other.place]! += (scaled * other.weight) / Math.sqrt(lengths[other.place]! || 1);
    }
  }
  return pairs;
}

/** The cosine of each pair of the ratings as they differ from the mean of all; 0 where it is below, or one has none. */
function computeRatingCosines(occupations: readonly (readonly number[] | undefined)[]): Pairs {
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
function compareDigits(a: string, b: string): number {
  const [one, other] = [a.replace(/\D/g, ''), b.replace(/\D/g, '')];
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared < 2 ? 0 : shared / one.length;
}

/** How alike each pair of occupations is by each kind of fact, from 0 to 1; related lists have no part in it. */
export function measureLikenessParts(facts: readonly OccupationFact[], { occupations }: RatingsFile) {
  const of = ({ id }: OccupationFact) => occupations[id] ?? {};
  return {
    titles: computeCosines(facts.map(countTitleFeatures), Math.sqrt, (rarity) => rarity ** 0.7),
    skills: computeRatingCosines(facts.map((fact) => of(fact).importance)),
    technologies: computeCosines(
      facts.map((fact) => countTechnologies(of(fact).technologies)),
      (count) => 1 + Math.log(count),
      (rarity) => rarity,
    ),
    code: Float32Array.from(facts.flatMap((a) => facts.map((b) => compareDigits(a.id, b.id)))),
  } satisfies Record<string, Pairs>;
}

/**
 * Makes a function that tells how close two codes are from the table of `codes`, in their order. In hundredths: 100 for
 * a code and itself, 0 to 99 for two, the same both ways round. 0 is unrelated, or not in the table.
 */
export function createCloseness(codes: readonly string[], table: ClosenessTable) {
  const size = codes.length;
  const places = new Map(codes.map((code, place) => [code, place]));
  const pairs = new Uint8Array(size * size);
  for (const [place, row] of table.entries()) {
    let other = place;
    for (let at = 0; at < row.length; at += 2) {
      other += row[at]!;
      pairs[place * size + other] = row[at + 1]!;
      pairs[other * size + place] = row[at + 1]!;
    }
  }
  return (a: string, b: string): number => {
    if (a === b) return 100;
    const [one, other] = [places.get(a), places.get(b)];
    return one === undefined || other === undefined ? 0 : pairs[one * size + other]!;
  };
}
