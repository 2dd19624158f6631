import * as v from 'valibot';
import { ClosenessWeights } from '../occupations/closeness-weights.ts';

const points = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));

/** The most that each factor can give; 100 together. */
export const Points = v.pipe(
  v.strictObject({
    occupation: v.pipe(points, v.description('Times how close the two occupations are, from 0 to 1.')),
    skills: v.pipe(points, v.description('Times the share of the skills asked for that the candidate has.')),
    metro: v.pipe(points, v.description('For the same metro area, or an order that names none.')),
  }),
  v.title('Weights'),
  v.description('The most points that each factor can give; 100 together.'),
);

/** content/matching.json: all that a score is made by. */
export const Matching = v.pipe(
  v.strictObject({
    points: Points,
    /** Points for another metro area of the same state. */
    sameState: points,
    /** How many skills that go with its occupation stand for all, where an order asks for none. */
    skillsForAll: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
    closeness: ClosenessWeights,
  }),
  v.check(
    ({ points: { occupation, skills, metro } }) => occupation + skills + metro === 100,
    'the points must be 100 together',
  ),
  v.check(({ points, sameState }) => sameState <= points.metro, 'sameState may not be above points.metro'),
);
export type Matching = v.InferOutput<typeof Matching>;

/** What a score is made of and what it is not, for whoever reads one. */
export function toStatement({ points: { occupation, skills, metro } }: Matching): string {
  return (
    `A score is made of three facts alone: how close the two occupations are (${occupation} points), the skills ` +
    `asked for that the candidate has (${skills}) and the metro area (${metro}). Names, ids, dates, other ` +
    'records and who was placed before have no part in it; equal scores stand in an order that favours nobody. ' +
    'It is a sorted list to read, not a hiring decision: a person decides.'
  );
}
