import * as v from 'valibot';
import { ClosenessWeights } from '../occupations/closeness-weights.ts';
import { FactorPoints, Points } from './match.ts';

/** content/matching.json: all that a score is made by. */
export const Matching = v.pipe(
  v.strictObject({
    points: Points,
    /** Points for another metro area of the same state. */
    sameState: FactorPoints,
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
