import * as v from 'valibot';
import type { Issue } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { CalendarDate, mayNamed } from '../kernel/text.ts';
import type { SentStatus } from '../records/kind/lifecycle.ts';
import { endReasons, type PlacementRecord } from './placement-record.ts';
import { endStatuses, isAccepted } from './stages.ts';
import { keepEnd, withoutStatedEnd } from './stated-end.ts';
import { hasStartedBy, readStatus } from './status.ts';

const listFormat = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const endEntries = {
  endDate: mayNamed(
    CalendarDate,
    'End',
    'Last day worked, or day of cancellation, YYYY-MM-DD (UTC), not in the future.',
  ),
  endReason: mayNamed(
    v.picklist(endReasons, `must be ${listFormat.format(endReasons)}`),
    'End reason',
    'Why it ended.',
  ),
};

type Patch = Readonly<Record<string, unknown>>;

/** Whether a patch records or corrects an end. */
const recordsEnd = ({ endDate, endReason, status }: Patch): boolean =>
  endDate != null || endReason != null || endStatuses.includes(status as string);

/**
 * Completes the end of a placement that a patch changes. If endDate is null, endReason is removed too.
 *
 * An end that a statement wrote keeps its reason, unless the patch sends another. The patch makes it the caller's if it
 * records an end, and removes it if the placement then starts after it.
 */
export function completeEnd(before: PlacementRecord, merged: PlacementRecord, patch: Patch): PlacementRecord {
  const { endReason = before.endReason, ...withoutReason } = merged;
  if (patch.endDate === null) return patch.endReason == null ? withoutReason : merged;
  const { stated } = before.evidence ?? {};
  if (!stated?.wroteEnd) return merged;
  const record = { ...merged, endReason };
  if (recordsEnd(patch)) return keepEnd(record);
  return hasStartedBy(stated.asOf, merged) ? record : withoutStatedEnd(merged);
}

interface PlacementMove {
  /** The status that the change asks for. */
  to?: string;
  /** The resulting status, if it can differ from `to`. */
  result?: string;
}

/** Returns the move that a patch asks for, by a status or by an end. */
export function findMove(
  before: PlacementRecord,
  after: PlacementRecord,
  patch: Patch,
  today: string,
): PlacementMove {
  const status = patch.status as string | undefined;
  if (recordsEnd(patch) && (status === undefined || endStatuses.includes(status))) {
    const isWhole = isAccepted(after) && after.endDate !== undefined && after.endReason !== undefined;
    return { to: status ?? 'ended-early', ...(isWhole && { result: readStatus(after, today) }) };
  }
  if (status !== undefined) return { to: status };
  const isRemoved = patch.endDate === null && before.endDate !== undefined && isAccepted(before);
  return isRemoved ? { result: readStatus(after, today) } : {};
}

/** Refuses to change the planned end of a placement that has ended. Throws the Refusal `illegal_transition`. */
export function refuseOtherPlan(before: PlacementRecord, after: PlacementRecord, patch: Patch): void {
  const { endDate, plannedEndDate } = before;
  if (endDate === undefined || patch.endDate === null || plannedEndDate === after.plannedEndDate) return;
  const message = `is fixed, because the placement ended on ${endDate}; to change it, remove the end: endDate null`;
  throw new Refusal('illegal_transition', {
    reason: `plannedEndDate ${message}.`,
    issues: [{ path: 'plannedEndDate', message }],
  });
}

/** Returns what is wrong with the end of a placement, or with its declineReason. */
export function checkEnd(record: PlacementRecord, today: string, { status, isOne }: SentStatus): Issue[] {
  const { startDate, endDate, endReason, declineReason } = record;
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (declineReason !== undefined && record.asked !== 'declined')
    add('declineReason', 'declines a placement; send status "declined" with it');
  const ends = Object.entries({ endDate, endReason });
  const hasOtherStatus = isOne && status !== undefined && !endStatuses.includes(status as string);
  if (!isAccepted(record) || hasOtherStatus) {
    const message = 'ends a placement that is accepted; accept it first, then send this';
    for (const [path, value] of ends) if (value !== undefined) add(path, message);
    return issues;
  }
  const asksToEnd = status === 'ended-early' || (isOne && status === 'completed');
  if (endDate === undefined && endReason === undefined && !asksToEnd) return issues;
  if (endDate === undefined)
    add('endDate', 'is missing; an end needs its last day, YYYY-MM-DD. endDate null alone removes an end');
  if (endReason === undefined)
    add('endReason', `is missing; an end needs one of ${endReasons.join(', ')}. endDate null removes an end`);
  if (endDate === undefined) return issues;
  if (endDate > today) add('endDate', `must not be in the future; today is ${today} (UTC)`);
  if (startDate !== undefined && endDate < startDate && endReason !== 'cancelled')
    add('endDate', `must not be before startDate, ${startDate}, unless endReason is cancelled`);
  if (startDate !== undefined && endDate > startDate && endReason === 'cancelled')
    add(
      'endReason',
      `cancelled is for work that never began: endDate is on startDate, ${startDate}, or before; after it send client-ended or candidate-left`,
    );
  return issues;
}
