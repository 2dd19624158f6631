import * as v from 'valibot';
import { addDays, CalendarDate } from '../kernel/text.ts';
import type { Fact } from './fact.ts';

/** Days after the start by which a placement's outcome is to be validated. */
const outcomeDays = 90;

/** The statuses of a placement: they follow from the days, but for `ended-early`, as asked. */
export const statuses = ['scheduled', 'active', 'completed', 'ended-early'] as const;

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

/** How one ended before its 90 days were over. */
export const ending = {
  endDate: v.optional(
    v.pipe(
      CalendarDate,
      v.title('End'),
      v.description('Last day of work, YYYY-MM-DD (UTC), not in the future.'),
    ),
  ),
  endReason: v.optional(
    v.pipe(
      v.picklist(
        ['candidate-left', 'client-ended', 'cancelled', 'other'],
        'must be candidate-left, client-ended, cancelled or other',
      ),
      v.title('End reason'),
      v.description('Why it ended early.'),
    ),
  ),
};

/** What is kept of a placement; only seed placements have an outcome of their own. */
export type PlacementFact = Fact & {
  candidateId: string;
  jobOrderId: string;
  startDate?: string | undefined;
  endDate?: string;
  endReason?: string;
  outcome?: { result: v.InferOutput<typeof OutcomeResult>; validated: boolean };
};

/** How its first 90 days went, as far as that is known. */
export function toOutcome({ startDate, outcome }: PlacementFact): v.InferOutput<typeof PlacementOutcome> {
  return {
    result: outcome?.result ?? 'pending',
    validateBy: startDate ? addDays(startDate, outcomeDays) : null,
    validated: outcome?.validated ?? false,
  };
}

/** Whether it ended early, as asked or because its candidate left. */
export const isEnded = ({ asked, outcome }: PlacementFact) =>
  asked !== undefined || outcome?.result === 'attrited';

/** `ended-early`, or by how the start and the 90th day after it stand to `today`. */
export function toStatus(fact: PlacementFact, today: string): (typeof statuses)[number] {
  const { validateBy } = toOutcome(fact);
  if (isEnded(fact)) return 'ended-early';
  if (!fact.startDate || fact.startDate > today) return 'scheduled';
  return validateBy !== null && validateBy <= today ? 'completed' : 'active';
}

/** What is amiss in how one is said to end. */
export function checkEnding({ asked, startDate, endDate, endReason }: PlacementFact, today: string) {
  if (asked === undefined) {
    const sent = Object.entries({ endDate, endReason }).filter(([, value]) => value !== undefined);
    return sent.map(([path]) => ({ path, message: 'ends a placement; send status "ended-early" with it' }));
  }
  const missing = Object.entries({ endDate, endReason }).filter(([, value]) => value === undefined);
  const issues = missing.map(([path]) => ({ path, message: 'is missing; an early end needs it' }));
  const late = { path: 'endDate', message: `must not be in the future; today is ${today} (UTC)` };
  const early = { path: 'endDate', message: `must not be before startDate, ${startDate}` };
  // One that never started ends before its start.
  const hasStarted = startDate !== undefined && startDate <= today;
  if (endDate !== undefined && endDate > today) issues.push(late);
  if (endDate !== undefined && hasStarted && endDate < startDate) issues.push(early);
  return issues;
}
