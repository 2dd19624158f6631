import * as v from 'valibot';
import { Href } from '../kernel/text.ts';
import { Pay } from './pay.ts';
import { certainties } from './titles/certainty.ts';

/** The shape of an O*NET-SOC 2019 code: `15-1252.00`. */
const onetCodePattern = /^\d{2}-\d{4}\.\d{2}$/;

export const OnetCode = v.pipe(
  v.string('must be a string'),
  v.trim(),
  v.regex(onetCodePattern, 'must be an O*NET-SOC code, such as 15-1252.00'),
  v.title('O*NET-SOC code'),
  v.description('An occupation of O*NET-SOC 2019, such as 15-1252.00 (Software Developers).'),
);

export const Title = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.description('In words, for people.'),
);

/** A major group of the 2018 Standard Occupational Classification (U.S. Bureau of Labor Statistics). */
export const MajorGroup = v.object({
  code: v.pipe(v.string(), v.regex(/^\d{2}$/), v.description('Two digits, such as 15.')),
  title: Title,
});
export type MajorGroup = v.InferOutput<typeof MajorGroup>;

/** One skill's ratings in O*NET 29.0: importance from 1 to 5, level from 0 to 7 (absent where suppressed). */
export const OccupationSkill = v.object({
  name: Title,
  importance: v.pipe(v.number(), v.minValue(1), v.maxValue(5), v.description('From 1 to 5.')),
  level: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(7),
      v.description('From 0 to 7; absent where O*NET 29.0 suppresses it.'),
    ),
  ),
});
export type OccupationSkill = v.InferOutput<typeof OccupationSkill>;

/** What O*NET 29.0 itself lacks is absent here too: no member is ever empty or filled in. */
export const rated = {
  id: OnetCode,
  title: Title,
  jobZone: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(5),
      v.description('Preparation needed, from 1 (little or none) to 5 (extensive).'),
    ),
  ),
  skills: v.optional(
    v.pipe(
      v.array(OccupationSkill),
      v.minLength(1),
      v.maxLength(10),
      v.description('The ten most important skills, most important first.'),
    ),
  ),
  hotTechnologies: v.optional(
    v.pipe(
      v.array(Title),
      v.minLength(1),
      v.maxLength(15),
      v.description('Technologies often named in job postings, those particular to this occupation first.'),
    ),
  ),
};

/** One occupation as it is served. */
export const Occupation = v.pipe(
  v.object({
    ...rated,
    majorGroup: v.pipe(MajorGroup, v.description('Its group in the Standard Occupational Classification.')),
    relatedOccupations: v.optional(
      v.pipe(
        v.array(v.object({ id: OnetCode, title: Title })),
        v.minLength(1),
        v.maxLength(10),
        v.description('The ten primary related occupations, closest first.'),
      ),
    ),
    alternateTitles: v.optional(
      v.pipe(
        v.array(Title),
        v.minLength(1),
        v.maxLength(25),
        v.description(
          'A selection of everyday titles of this occupation, those closest to its own title first.',
        ),
      ),
    ),
    alternateTitleCount: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.description('How many alternate titles this service knows; all of them are searched.'),
      ),
    ),
    pay: v.optional(Pay),
    source: v.pipe(v.string(), v.description('Where these facts come from, and the licence.')),
    links: v.pipe(
      v.object({ self: Href, candidates: Href, jobOrders: Href }),
      v.description('Related addresses.'),
    ),
  }),
  v.description('An occupation of O*NET-SOC, with what O*NET knows of it.'),
);
export type Occupation = v.InferOutput<typeof Occupation>;

const row = {
  id: OnetCode,
  title: Title,
  matched: v.optional(
    v.pipe(
      Title,
      v.description('The alternate title that matched a search, where the title itself did not.'),
    ),
  ),
};
const Confidence = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(1),
  v.description('The measured chance that this code is right, 0 to 1, in two decimals.'),
);

/** One row of an occupation list; `confidence` where it was searched for by title. */
export const OccupationRow = v.object({ ...row, confidence: v.optional(Confidence) });

/** One row that a search by title found. */
export const OccupationHit = v.object({ ...row, confidence: Confidence });

export const CertaintyText = v.pipe(
  v.picklist(certainties),
  v.description('How sure the first row is, by its confidence.'),
);
export type OccupationRow = v.InferOutput<typeof OccupationRow>;

/** One row of the occupation list, with what it can be filtered by. */
export interface OccupationEntry extends OccupationRow {
  majorGroup: string;
  jobZone?: number;
  /** The 10th and the 90th percentile of an hour's pay in US dollars; null where that is not published. */
  rates?: readonly [number | null, number | null];
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** In the order of their codes. */
    occupations: OccupationEntry[];
    /** The whole record of a code, or undefined. */
    occupation(code: string): Occupation | undefined | Promise<Occupation | undefined>;
  }
  interface Service {
    occupationByCode: ReadonlyMap<string, OccupationEntry>;
  }
}
