import * as v from 'valibot';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** How much each fact says about how close two occupations are; kept in content/matching.json. */
export const ClosenessWeights = v.pipe(
  v.strictObject({
    /** The likeness of two occupations is the mean of four, weighted by these. */
    parts: v.strictObject({ titles: whole, skills: whole, technologies: whole, code: whole }),
    /** The likeness at which closeness begins: 0 here and below. */
    unrelated: share,
    /** The likeness at which closeness is whole. */
    closest: share,
    /** The share of the way to 1 that each of the three tiers of related occupations goes. */
    related: v.tuple([share, share, share]),
  }),
  v.check(({ parts }) => parts.titles > 0 && parts.code > 0, 'titles and code, which all have, must count'),
  v.check(({ unrelated, closest }) => unrelated < closest, 'unrelated must be below closest'),
);
export type ClosenessWeights = v.InferOutput<typeof ClosenessWeights>;
