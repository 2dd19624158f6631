import * as v from 'valibot';
import { CalendarDate } from './calendar-date.ts';
import { OnetCode } from './occupation.ts';
import { Href, toText } from './text.ts';

/** What a caller sends to create a placement. */
export const PlacementBody = v.object({
  candidateId: toText(200, 'Candidate', 'The id of a candidate, `cand_…`.'),
  jobOrderId: toText(200, 'Job order', 'The id of a job order, `job_…`.'),
  onetCode: OnetCode,
  startDate: v.optional(
    v.pipe(CalendarDate, v.title('Start'), v.description('First day of work, YYYY-MM-DD (UTC).')),
  ),
  feeModel: v.optional(
    toText(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
  ),
});

/** Derived, never stored. */
export const PlacementStatus = v.picklist(['scheduled', 'active', 'completed', 'ended-early']);

/** How the first 90 days went. */
export const OutcomeResult = v.picklist(['pending', 'retained', 'converted', 'attrited']);

/** The 90-day outcome of a placement. */
export const PlacementOutcome = v.pipe(
  v.object({
    result: OutcomeResult,
    validateBy: v.pipe(
      v.nullable(v.string()),
      v.description('The day 90 days after startDate, or null without one.'),
    ),
    validated: v.boolean(),
  }),
  v.description('How the first 90 days went, and whether somebody validated it in that time.'),
);

/** A placement as it is read; its references are resolved as links, null where nothing is found. */
export const Placement = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.description('Identifier, `plc_…`.')),
    ...PlacementBody.entries,
    status: PlacementStatus,
    outcome: PlacementOutcome,
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
    links: v.object({
      self: Href,
      candidate: v.nullable(Href),
      jobOrder: v.nullable(Href),
      occupation: Href,
    }),
  }),
  v.title('Placement'),
  v.description('One candidate at work on one job order, with an outcome to validate within 90 days.'),
);

export type Placement = v.InferOutput<typeof Placement>;
