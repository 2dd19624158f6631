/** What the files of content/ about occupations must hold: the build reads them, and no host. */
import * as v from 'valibot';
import { MajorGroup, OnetCode, rated, Title } from './occupation.ts';
import type { Successors } from './successors.ts';
import type { Calibration } from './titles/certainty.ts';
import type { EverydayWords } from './titles/reading.ts';

/** One occupation as content/occupations keeps it: every alternate title, related occupations by code. */
const OccupationFact = v.object({
  ...rated,
  relatedOccupations: v.optional(v.pipe(v.array(OnetCode), v.minLength(1), v.maxLength(10))),
  alternateTitles: v.optional(v.pipe(v.array(Title), v.minLength(1))),
});
export type OccupationFact = v.InferOutput<typeof OccupationFact>;

/** One file of content/occupations: a major group and its occupations in code order. */
export const MajorGroupFile = v.object({
  majorGroup: MajorGroup,
  occupations: v.pipe(v.array(OccupationFact), v.minLength(1)),
});
export type MajorGroupFile = v.InferOutput<typeof MajorGroupFile>;

/** content/successors.json. */
export const SuccessorsFile = v.record(
  OnetCode,
  v.strictObject({ title: v.string(), codes: v.pipe(v.array(OnetCode), v.minLength(1)) }),
) satisfies v.GenericSchema<unknown, Successors>;

const Logistic = v.strictObject({ intercept: v.number(), slope: v.number() });

/** content/titles/calibration.json. */
export const CalibrationFile = v.strictObject({
  first: Logistic,
  others: Logistic,
}) satisfies v.GenericSchema<unknown, Calibration>;

/** content/titles/everyday-words.json. */
export const EverydayWordsFile = v.strictObject({
  shortForms: v.record(v.string(), v.string()),
  idle: v.array(v.string()),
  kept: v.array(v.string()),
}) satisfies v.GenericSchema<unknown, EverydayWords>;
