import * as v from 'valibot';
import { CalendarDate } from '../kernel/text.ts';
import { type Judged, toOutcome, toValidateBy } from './placement-outcome.ts';

/** The statuses of a placement: they follow from the days, but for `ended-early`, as asked. */
export const statuses = ['scheduled', 'active', 'completed', 'ended-early'] as const;

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

/** What is kept of a placement. */
export type PlacementFact = Judged & {
  candidateId: string;
  jobOrderId: string;
  endDate?: string;
  endReason?: string;
};

/** Whether it ended early, as asked or because its candidate left, as stated. */
export const isEnded = (fact: PlacementFact) =>
  fact.asked !== undefined || toOutcome(fact).result === 'attrited';

/** Its last day, where only a statement ended it. */
export const toStatedEnd = ({ asked, evidence }: PlacementFact) =>
  asked === undefined && evidence?.stated?.result === 'attrited' ? evidence.stated.asOf : undefined;

/** `ended-early`, or by how the start and the 90th day after it stand to `today`. */
export function toStatus(fact: PlacementFact, today: string): (typeof statuses)[number] {
  const validateBy = toValidateBy(fact);
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
