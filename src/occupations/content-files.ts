/** What the files of content/ about occupations must hold: the build reads them, and no host. */
import * as v from 'valibot';
import { MajorGroup, OnetCode, sharedEntries, Title } from './occupation.ts';

/** One occupation as content/occupations keeps it: every alternate title, related occupations by code. */
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

const text = v.pipe(v.string(), v.minLength(1));
const names = v.pipe(v.array(text), v.minLength(1));

/** What O*NET says of an occupation as a whole. What the release lacks is absent. */
const OccupationRatings = v.strictObject({
  /** The importance of every skill, from 1 to 5, in the order of `skills`. */
  importance: v.optional(v.array(v.pipe(v.number(), v.minValue(1), v.maxValue(5)))),
  /** In turn, the place of a kind in `technologyKinds`, and how many technologies of it are listed. */
  technologies: v.optional(v.array(whole)),
  /** The places in `hotTechnologies` of all that are listed. */
  hot: v.optional(v.array(whole)),
  /** The related occupations in the release's order: 5 of its first tier, 5 of its second, 10 of its third. */
  related: v.optional(v.pipe(v.array(OnetCode), v.length(20))),
});
export type OccupationRatings = v.InferOutput<typeof OccupationRatings>;

/** content/ratings.json: what occupations are compared by beside titles. It is whole; content/occupations selects. */
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

/** content/skill-names.json: what job advertisements ask for in an occupation, beside what O*NET lists. */
export const SkillNames = v.strictObject({
  basis: text,
  families: v.array(
    v.strictObject({
      /** Codes, or what codes begin with. */
      codes: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\d{2}-\d{1,4}(\.\d{2})?$/))), v.minLength(1)),
      names,
    }),
  ),
});
export type SkillNames = v.InferOutput<typeof SkillNames>;

/** The data release behind the occupations, its licence and the credit that it asks for: content/onet.json. */
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
