import type { ClosenessWeights } from './closeness-weights.ts';
import type { OccupationFact } from './content-files.ts';
import { type Pairs, toLikenesses } from './likeness.ts';
import type { OccupationRatings, RatingsFile } from './ratings.ts';

/**
 * A list for each occupation in the order of their codes: of each later one that is close to it, in turn, how
 * many places after the one before it stands (the first after the occupation itself), and the closeness in
 * hundredths, 1 to 99. JSON as it stands.
 */
export type ClosenessTable = number[][];

/** Hundredths of two occupations at most: only a code and itself make the whole. */
const most = 99;
/** Where each tier of a related list ends. */
const ends = [5, 10, 20];

/** How alike each pair is by all facts that both have: the mean of the parts by their weights, from 0 to 1. */
export function toLikeness(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  { parts }: Pick<ClosenessWeights, 'parts'>,
): Pairs {
  const likenesses = toLikenesses(facts, ratings);
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
function toLift(list: readonly string[] | undefined, code: string, related: readonly number[]): number {
  const place = list?.indexOf(code) ?? -1;
  return place < 0 ? 0 : related[ends.findIndex((end) => place < end)]!;
}

/**
 * Makes the table that `createCloseness` takes. Likeness from `unrelated` to `closest` is closeness from 0 to 1;
 * a pair of which one is published as related to the other goes further, by the higher of the two tiers:
 * from c to c + (1 - c) × tier.
 */
export function toClosenessTable(
  facts: readonly OccupationFact[],
  ratings: RatingsFile,
  weights: ClosenessWeights,
): ClosenessTable {
  const { unrelated, closest, related } = weights;
  const likeness = toLikeness(facts, ratings, weights);
  const listed = facts.map(({ id }) => ratings.occupations[id]?.related);
  return facts.map(({ id }, place) => {
    const row: number[] = [];
    let before = place;
    for (let other = place + 1; other < facts.length; other += 1) {
      const alike = (likeness[place * facts.length + other]! - unrelated) / (closest - unrelated);
      const own = Math.min(1, Math.max(0, alike));
      const lift = Math.max(
        toLift(listed[place], facts[other]!.id, related),
        toLift(listed[other], id, related),
      );
      const hundredths = Math.min(most, Math.round(100 * (own + (1 - own) * lift)));
      if (hundredths === 0) continue;
      row.push(other - before, hundredths);
      before = other;
    }
    return row;
  });
}
