import * as v from 'valibot';
import { CalendarDate } from './calendar-date.ts';
import { CandidateBody } from './candidate.ts';
import { JobOrderBody } from './job-order.ts';
import { OutcomeResult, PlacementBody } from './placement.ts';

/** A seed record says that it is synthetic. */
const synthetic = { id: v.string(), example: v.literal(true) };

/** content/seed/as-of.json: the day whose statuses the seed records show. */
export const SeedAsOf = v.strictObject({ asOf: CalendarDate, statement: v.string() });
/** content/seed/candidates.json. */
export const SeedCandidates = v.array(v.strictObject({ ...synthetic, ...CandidateBody.entries }));
/** content/seed/job-orders.json. */
export const SeedJobOrders = v.array(v.strictObject({ ...synthetic, ...JobOrderBody.entries }));
/** content/seed/placements.json. */
export const SeedPlacements = v.array(
  v.strictObject({
    ...synthetic,
    ...PlacementBody.entries,
    outcome: v.strictObject({ result: OutcomeResult, validated: v.boolean() }),
  }),
);
