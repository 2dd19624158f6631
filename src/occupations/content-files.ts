/** Schemas of the files of content/ about occupations. The build reads these files; a host does not. */
import * as v from 'valibot';
import { MajorGroup, OnetCode, sharedEntries, Title } from './occupation.ts';

/** One occupation in content/occupations: with every alternate title, and with related occupations by code. */
const OccupationFact = v.object({
  ...sharedEntries,
  relatedOccupations: v.optional(v.pipe(v.array(OnetCode), v.minLength(1), v.maxLength(10))),
  alternateTitles: v.optional(v.pipe(v.array(Title), v.minLength(1))),
});
export type OccupationFact = v.InferOutput<typeof OccupationFact>;

/** One file of content/occupations: a major group and its occupations in code order. */
export const MajorGroupFile = v.object({
  majorGroup: MajorGroup,
  occupations: v.pipe(v.array(OccupationFact), v.minLength(1)),
});

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** Weights for the closeness of two occupations, from content/matching.json. */
export const ClosenessWeights = v.pipe(
  v.strictObject({
    /** The weights of the four likenesses whose mean is the likeness of two occupations. */
    parts: v.strictObject({ titles: whole, skills: whole, technologies: whole, code: whole }),
    /** Closeness is 0 at this likeness and below. */
    unrelated: share,
    /** Closeness is 1 at this likeness and above. */
    closest: share,
    /** For each of the three tiers of related occupations, the share by which it moves closeness towards 1. */
    related: v.tuple([share, share, share]),
  }),
  v.check(({ parts }) => parts.titles > 0 && parts.code > 0, 'titles and code, which all have, must count'),
  v.check(({ unrelated, closest }) => unrelated < closest, 'unrelated must be below closest'),
);
export type ClosenessWeights = v.InferOutput<typeof ClosenessWeights>;

const text = v.pipe(v.string(), v.minLength(1));
const names = v.pipe(v.array(text), v.minLength(1));

/** What O*NET says about one occupation. A fact that the release lacks is absent. */
const OccupationRatings = v.strictObject({
  /** The importance of every skill, from 1 to 5, in the order of `skills`. */
  importance: v.optional(v.array(v.pipe(v.number(), v.minValue(1), v.maxValue(5)))),
  /** A flat list of pairs: the index of a kind in `technologyKinds`, and how many of its technologies are listed. */
  technologies: v.optional(v.array(whole)),
  /** The indexes in `hotTechnologies` of those that are listed. */
  hot: v.optional(v.array(whole)),
  /** The related occupations in the release's order: 5 of its first tier, 5 of its second, 10 of its third. */
  related: v.optional(v.pipe(v.array(OnetCode), v.length(20))),
});
export type OccupationRatings = v.InferOutput<typeof OccupationRatings>;

/** content/ratings.json: what occupations are compared by beside titles. Unlike content/occupations it is complete. */
export const RatingsFile = v.pipe(
  v.strictObject({
    skills: names,
    technologyKinds: names,
    /** Technologies that are often named in job postings. */
    hotTechnologies: names,
    /** Ratings by code. */
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

/** content/skill-names.json: skills that job advertisements ask for and O*NET does not list. */
export const SkillNames = v.strictObject({
  basis: text,
  families: v.array(
    v.strictObject({
      /** Whole codes, or beginnings of codes. */
      codes: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\d{2}-\d{1,4}(\.\d{2})?$/))), v.minLength(1)),
      names,
    }),
  ),
});
export type SkillNames = v.InferOutput<typeof SkillNames>;

/** content/onet.json: the data release behind the occupations, its licence and the credit that it requires. */
export const OnetRelease = v.strictObject({
  release: text,
  title: text,
  released: text,
  publisher: text,
  licence: v.strictObject({ name: text, url: text }),
  credit: text,
  trademark: text,
  modifications: text,
  alternateTitles: v.strictObject({ count: v.number(), statement: text }),
  occupations: v.number(),
  pay: v.strictObject({ release: text, publisher: text, licence: text, statement: text }),
});
export type OnetRelease = v.InferOutput<typeof OnetRelease>;
