import type { ClosenessWeights, OccupationFact, OccupationRatings, RatingsFile } from './content-files.ts';
import { stemTitle } from './titles/words.ts';

/**
 * One row per occupation, in the order of codes. A row is a flat list of pairs, one for each later occupation that is
 * close: the distance in places from the previous one in the row, and the closeness in hundredths, 1 to 99.
 * The first distance is counted from the row's own occupation.
 */
export type ClosenessTable = number[][];

/** The highest closeness of two different occupations, in hundredths. A code and itself have 100. */
const most = 99;
/** The place at which each of the three tiers of a related list ends. */
const ends = [5, 10, 20];

/** Returns the likeness of each pair, from 0 to 1: the weighted mean of the facts that both occupations have. */
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
      pair.every((occupation) => occupation?.[member]) ? weight : 0;
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

/** Returns the lift of the tier in which a related list names a code, or 0 if it does not name it. */
function findLift(list: readonly string[] | undefined, code: string, related: readonly number[]): number {
  const place = list?.indexOf(code) ?? -1;
  return place < 0 ? 0 : related[ends.findIndex((end) => place < end)]!;
}

/**
 * Creates the table that `createCloseness` takes. Likeness from `unrelated` to `closest` becomes closeness from 0 to 1.
 * If the pair is published as related, the higher of its two tiers raises closeness c to c + (1 - c) × tier.
 */
export function createClosenessTable(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  weights: ClosenessWeights,
): ClosenessTable {
  const { unrelated, closest, related } = weights;
  const likeness = measureLikeness(facts, ratings, weights);
  const relatedLists = facts.map(({ id }) => ratings.occupations[id]?.related);
  return facts.map(({ id }, place) => {
    const row: number[] = [];
    let last = place;
    for (let other = place + 1; other < facts.length; other += 1) {
      const alike = (likeness[place * facts.length + other]! - unrelated) / (closest - unrelated);
      const own = Math.min(1, Math.max(0, alike));
      const lift = Math.max(
        findLift(relatedLists[place], facts[other]!.id, related),
        findLift(relatedLists[other], id, related),
      );
      const hundredths = Math.min(most, Math.round(100 * (own + (1 - own) * lift)));
      if (hundredths === 0) continue;
      row.push(other - last, hundredths);
      last = other;
    }
    return row;
  });
}

/** A symmetric matrix with one figure for each pair of occupations, stored row by row. */
export type Pairs = Float32Array;

/** The features of an occupation, each with its count. */
type Features = ReadonlyMap<string | number, number>;

const lettersOfBeginning = 5;

/** Counts in how many titles of an occupation each word, and each beginning of a word, occurs. */
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

/** Returns how many technologies of each kind are listed. */
function countTechnologies(technologies: readonly number[] = []): Features {
  const counts = new Map<number, number>();
  for (let at = 0; at < technologies.length; at += 2) counts.set(technologies[at]!, technologies[at + 1]!);
  return counts;
}

/**
 * Returns the cosine of each pair. A feature weighs `grow` of its count times `fall` of its rarity, which is the
 * logarithm of occupations by occupations that have it. The cosine is 0 if one of the two has no features.
 */
function computeCosines(
  occupations: readonly Features[],
  grow: (count: number) => number,
  fall: (rarity: number) => number,
): Pairs {
  const occupationsByFeature = new Map<string | number, { place: number; weight: number }[]>();
  const lengths = new Float64Array(occupations.length);
  for (const [place, features] of occupations.entries()) {
    for (const [feature, count] of features)
      occupationsByFeature.getOrInsertComputed(feature, () => []).push({ place, weight: grow(count) });
  }
  const size = occupations.length;
  const pairs = new Float32Array(size * size);
  for (const list of occupationsByFeature.values()) {
    const rarity = list.length < 2 ? 0 : fall(Math.log(size / list.length));
    for (const occupation of list) {
      occupation.weight *= rarity;
      lengths[occupation.place]! += occupation.weight ** 2;
    }
  }
  for (const list of occupationsByFeature.values()) {
    for (const { place, weight } of list) {
      const scaled = weight / Math.sqrt(lengths[place]! || 1);
      for (const other of list)
        pairs[place * size + other.place]! += (scaled * other.weight) / Math.sqrt(lengths[other.place]! || 1);
    }
  }
  return pairs;
}

/** Returns the cosine of each pair's differences from the mean ratings. Negative and missing ones are 0. */
function computeRatingCosines(occupations: readonly (readonly number[] | undefined)[]): Pairs {
  const size = occupations.length;
  const rated = occupations.filter((ratings) => ratings !== undefined);
  const mean = rated[0]?.map((_, at) => rated.reduce((sum, ratings) => sum + ratings[at]!, 0) / rated.length);
  const units = occupations.map((ratings) => {
    const differences = ratings?.map((rating, at) => rating - mean![at]!);
    const length = Math.hypot(...(differences ?? []));
    return differences?.map((difference) => difference / (length || 1));
  });
  const pairs = new Float32Array(size * size);
  for (const [a, first] of units.entries()) {
    for (const [b, second] of units.entries()) {
      if (!first || !second) continue;
      let cosine = 0;
      for (let at = 0; at < first.length; at += 1) cosine += first[at]! * second[at]!;
      pairs[a * size + b] = Math.max(0, cosine);
    }
  }
  return pairs;
}

/** Returns the share of the eight digits that two codes begin with in common, or 0 if their major groups differ. */
function compareDigits(a: string, b: string): number {
  const [first, second] = [a.replace(/\D/g, ''), b.replace(/\D/g, '')];
  let shared = 0;
  while (shared < first.length && first[shared] === second[shared]) shared += 1;
  return shared < 2 ? 0 : shared / first.length;
}

/** Returns the likeness of each pair by each kind of fact, from 0 to 1. Related lists do not count. */
export function measureLikenessParts(facts: readonly OccupationFact[], { occupations }: RatingsFile) {
  const ratingsOf = ({ id }: OccupationFact) => occupations[id] ?? {};
  return {
    titles: computeCosines(facts.map(countTitleFeatures), Math.sqrt, (rarity) => rarity ** 0.7),
    skills: computeRatingCosines(facts.map((fact) => ratingsOf(fact).importance)),
    technologies: computeCosines(
      facts.map((fact) => countTechnologies(ratingsOf(fact).technologies)),
      (count) => 1 + Math.log(count),
      (rarity) => rarity,
    ),
    code: Float32Array.from(facts.flatMap((a) => facts.map((b) => compareDigits(a.id, b.id)))),
  } satisfies Record<string, Pairs>;
}

/**
 * Creates a function that returns the closeness of two codes in hundredths, from a table in the order of `codes`.
 * It returns 100 for a code and itself, and 0 to 99 for two codes in either order. Unknown codes have 0.
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
    const [placeOfA, placeOfB] = [places.get(a), places.get(b)];
    return placeOfA === undefined || placeOfB === undefined ? 0 : pairs[placeOfA * size + placeOfB]!;
  };
}
