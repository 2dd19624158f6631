import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

export const factors = ['occupation', 'skills', 'metro'] as const;
export type Factor = (typeof factors)[number];

const Reason = v.object({
  factor: v.picklist(factors),
  points: v.pipe(
    v.number(),
    v.gtValue(0),
    v.maxValue(100),
    v.multipleOf(0.25),
    v.description('In quarters of a point, so that any sum of them is exact.'),
  ),
  text: v.pipe(text, v.description('What speaks for the pair, in words.')),
});
export type Reason = v.InferOutput<typeof Reason>;

/** How well an order and a candidate fit: the members that every match has beside the record it is of. */
export const matchEntries = {
  score: v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(100),
    v.multipleOf(0.25),
    v.description('From 0 to 100: exactly the sum of the points of its reasons.'),
  ),
  reasons: v.pipe(v.array(Reason), v.maxLength(3), v.description('What gave points, by factor.')),
  gaps: v.pipe(v.array(text), v.maxLength(3), v.description('What is missing, in words.')),
};

export const Match = v.object(matchEntries);
export type Match = v.InferOutput<typeof Match>;
