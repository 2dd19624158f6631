import * as v from 'valibot';
import { OnetCode } from './occupation.ts';

const names = v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1));
const place = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What O*NET says of an occupation as a whole. What the release lacks is absent. */
const OccupationRatings = v.strictObject({
  /** The importance of every skill, from 1 to 5, in the order of `skills`. */
  importance: v.optional(v.array(v.pipe(v.number(), v.minValue(1), v.maxValue(5)))),
  /** In turn, the place of a kind in `technologyKinds`, and how many technologies of it are listed. */
  technologies: v.optional(v.array(place)),
  /** The places in `hotTechnologies` of all that are listed. */
  hot: v.optional(v.array(place)),
  /** The related occupations in the release's order: 5 of its first tier, 5 of its second, 10 of its third. */
  related: v.optional(v.pipe(v.array(OnetCode), v.length(20))),
});
export type OccupationRatings = v.InferOutput<typeof OccupationRatings>;

/**
 * content/ratings.json: what the occupations are compared by beside their titles, whole where
 * content/occupations has a selection for its readers.
 */
export const RatingsFile = v.pipe(
  v.strictObject({
    skills: names,
    technologyKinds: names,
    /** Technologies that are often named in job postings. */
    hotTechnologies: names,
    /** By code. */
    occupations: v.record(OnetCode, OccupationRatings),
  }),
  v.check(
    ({ skills, occupations }) =>
      Object.values(occupations).every(
        ({ importance }) => !importance || importance.length === skills.length,
      ),
    'each importance must have as many figures as there are skills',
  ),
);
export type RatingsFile = v.InferOutput<typeof RatingsFile>;
