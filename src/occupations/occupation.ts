import * as v from 'valibot';
import { Href, may, say } from '../kernel/text.ts';
import { Pay } from './pay.ts';
import { certainties } from './titles/certainty.ts';

export const OnetCode = v.pipe(
  v.string('must be a string'),
  v.trim(),
  v.regex(/^\d{2}-\d{4}\.\d{2}$/, 'must be an O*NET-SOC code, such as 15-1252.00'),
  v.title('O*NET-SOC code'),
  v.description('An occupation of O*NET-SOC 2019, such as 15-1252.00 (Software Developers).'),
);

export const Title = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.description('In words, for people.'),
);

/** A number that a publisher gives, from `least` to `most`. */
/* @__NO_SIDE_EFFECTS__ */
const within = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

/** One to `most` of a kind. */
/* @__NO_SIDE_EFFECTS__ */
const some = <S extends v.GenericSchema>(one: S, most: number) =>
  v.pipe(v.array(one), v.minLength(1), v.maxLength(most));

/** A major group of the 2018 Standard Occupational Classification (U.S. Bureau of Labor Statistics). */
export const MajorGroup = v.object({
  code: say(v.pipe(v.string(), v.regex(/^\d{2}$/)), 'Two digits, such as 15.'),
  title: Title,
});
export type MajorGroup = v.InferOutput<typeof MajorGroup>;

/** One skill's ratings in O*NET 29.0. */
const OccupationSkill = v.object({
  name: Title,
  importance: say(within(1, 5), 'From 1 to 5.'),
  level: may(within(0, 7), 'From 0 to 7; absent where O*NET 29.0 suppresses it.'),
});

/** What O*NET 29.0 itself lacks is absent here too: no member is ever empty or filled in. */
export const sharedEntries = {
  id: OnetCode,
  title: Title,
  jobZone: may(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    'Preparation needed, from 1 (little or none) to 5 (extensive).',
  ),
  skills: may(some(OccupationSkill, 10), 'The ten most important skills, most important first.'),
  hotTechnologies: may(
    some(Title, 15),
    'Technologies often named in job postings, those particular to this occupation first.',
  ),
};

/** One occupation as it is served. */
export const Occupation = say(
  v.object({
    ...sharedEntries,
    majorGroup: say(MajorGroup, 'Its group in the Standard Occupational Classification.'),
    relatedOccupations: may(
      some(v.object({ id: OnetCode, title: Title }), 10),
      'The ten primary related occupations, closest first.',
    ),
    alternateTitles: may(
      some(Title, 25),
      'A selection of everyday titles of this occupation, those closest to its own title first.',
    ),
    alternateTitleCount: may(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'How many alternate titles this service knows; all of them are searched.',
    ),
    pay: v.optional(Pay),
    source: say(v.string(), 'Where these facts come from, and the licence.'),
    links: say(v.object({ self: Href, candidates: Href, jobOrders: Href }), 'Related addresses.'),
  }),
  'An occupation of O*NET-SOC, with what O*NET knows of it.',
);
export type Occupation = v.InferOutput<typeof Occupation>;

const row = {
  id: OnetCode,
  title: Title,
  matched: may(Title, 'The alternate title that matched a search, where the title itself did not.'),
};
const Confidence = say(within(0, 1), 'The measured chance that this code is right, 0 to 1, in two decimals.');

/** One row of an occupation list; `confidence` where it was searched for by title. */
export const OccupationRow = v.object({ ...row, confidence: v.optional(Confidence) });
export type OccupationRow = v.InferOutput<typeof OccupationRow>;

/** One row that a search by title found. */
export const OccupationHit = v.object({ ...row, confidence: Confidence });

/** What a search says of the first of its rows. */
export const firstHit = {
  certainty: say(v.picklist(certainties), 'How sure the first row is, by its confidence.'),
  message: may(v.string(), 'What would decide, where the first is not sure.'),
};

/** One row of the occupation list, with what it can be filtered by. */
export interface OccupationEntry extends OccupationRow {
  majorGroup: string;
  jobZone?: number;
  /** The 10th and the 90th percentile of an hour's pay in US dollars; null where that is not published. */
  rates?: readonly [number | null, number | null];
}
