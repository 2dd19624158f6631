import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

const factors = ['occupation', 'skills', 'metro'] as const;
export type Factor = (typeof factors)[number];

const Reason = v.object({
  factor: v.pipe(v.picklist(factors), v.description('What is compared.')),
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

/** Points that a factor can give at most. */
export const FactorPoints = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));

/** The most that each factor can give; 100 together. */
export const Points = v.pipe(
  v.strictObject({
    occupation: v.pipe(FactorPoints, v.description('Times how close the two occupations are, from 0 to 1.')),
    skills: v.pipe(
      FactorPoints,
      v.description('Times the share of the skills asked for that the candidate has.'),
    ),
    metro: v.pipe(FactorPoints, v.description('For the same metro area, or an order that names none.')),
  }),
  v.title('Weights'),
  v.description('The most points that each factor can give; 100 together.'),
);
export type Points = v.InferOutput<typeof Points>;

/** What a score is made of and what it is not, for whoever reads one. */
export function toStatement({ points: { occupation, skills, metro } }: { points: Points }): string {
  return (
    `A score is made of three facts alone: how close the two occupations are (${occupation} points), the skills ` +
    `asked for that the candidate has (${skills}) and the metro area (${metro}). Names, ids, dates, other ` +
    'records and who was placed before have no part in it; equal scores stand in an order that favours nobody. ' +
    'It is a sorted list to read, not a hiring decision: a person decides.'
  );
}
