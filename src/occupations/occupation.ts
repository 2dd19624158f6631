import * as v from 'valibot';
import { Href, may, say, trimmed } from '../kernel/text.ts';
import { Pay } from './pay.ts';
import { Summary } from './summaries.ts';
import { certainties } from './titles/certainty.ts';

export const OnetCode = v.pipe(
  v.string('must be a string'),
  trimmed(),
  v.regex(/^\d{2}-\d{4}\.\d{2}$/, 'must be an O*NET-SOC code, such as 15-1252.00'),
  v.title('O*NET-SOC code'),
  v.description('An O*NET-SOC 2019 code, such as 15-1252.00 (Software Developers).'),
);

export const Title = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.description('In words, for people.'),
);

/* @__NO_SIDE_EFFECTS__ */
const within = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

/** A list of 1 to `most` items. */
/* @__NO_SIDE_EFFECTS__ */
const listOf = <S extends v.GenericSchema>(item: S, most: number) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(most));

/** A major group of the 2018 Standard Occupational Classification (U.S. Bureau of Labor Statistics). */
export const MajorGroup = v.object({
  code: say(v.pipe(v.string(), v.regex(/^\d{2}$/)), 'Two digits, such as 15.'),
  title: Title,
});
export type MajorGroup = v.InferOutput<typeof MajorGroup>;

/** The ratings of one skill in O*NET 29.0. */
const OccupationSkill = v.object({
  name: Title,
  importance: say(within(1, 5), 'From 1 to 5.'),
  level: may(within(0, 7), 'From 0 to 7; absent where O*NET 29.0 suppresses it.'),
});

/** Members that the files and the records share. A member that O*NET 29.0 lacks is absent. */
export const sharedEntries = {
  id: OnetCode,
  title: Title,
  jobZone: may(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    'Preparation needed, from 1 (little or none) to 5 (extensive).',
  ),
  skills: may(listOf(OccupationSkill, 10), 'The ten most important skills, most important first.'),
  hotTechnologies: may(
    listOf(Title, 15),
    'Technologies often named in job postings, those particular to this occupation first.',
  ),
};

/** The record of an occupation, as a caller reads it. */
export const Occupation = say(
  v.object({
    ...sharedEntries,
    summary: Summary,
    majorGroup: say(MajorGroup, 'Its group in the Standard Occupational Classification.'),
    relatedOccupations: may(
      listOf(v.object({ id: OnetCode, title: Title }), 10),
      'The ten primary related occupations, closest first.',
    ),
    alternateTitles: may(
      listOf(Title, 25),
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

const code = { id: OnetCode, title: Title };
const matched = {
  matched: may(Title, 'The alternate title that matched a search, where the title itself did not.'),
};
const Confidence = say(within(0, 1), 'The measured chance that this code is right, 0 to 1, in two decimals.');

/** One row of an occupation list. `summary` is there if the list has a query, `confidence` if that is a title. */
export const OccupationRow = v.object({
  ...code,
  summary: v.optional(Summary),
  ...matched,
  confidence: v.optional(Confidence),
});
export type OccupationRow = v.InferOutput<typeof OccupationRow>;

/** One row that a search by title found. */
export const OccupationHit = v.object({ ...code, summary: Summary, ...matched, confidence: Confidence });

/** What a search by title says about its first row. */
export const firstHit = {
  certainty: say(v.picklist(certainties), 'How sure the first row is, by its confidence.'),
  message: may(v.string(), 'What would decide, where the first is not sure.'),
};

/** One row of the occupation list, with the members that filters read. */
export interface OccupationEntry extends OccupationRow {
  majorGroup: string;
  jobZone?: number;
  /** The 10th and the 90th percentile of hourly pay in US dollars. Null if a figure is not published. */
  rates?: readonly [number | null, number | null];
  /** The same percentiles of annual pay, which is that of 40 hours a week all year. */
  salaries?: readonly [number | null, number | null];
}
