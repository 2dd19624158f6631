import { addDays, dayMs } from '../kernel/text.ts';
import { fullTimeHours } from '../records/kind/fields/work.ts';
import type { Hold } from './period.ts';
import type { EndReason, PlacementRecord } from './placement-record.ts';
import { isAccepted, type statuses } from './stages.ts';

type Status = (typeof statuses)[number];

/** Days of the guarantee of a placement that states none. */
export const usualGuaranteeDays = 90;

export const readGuaranteeDays = ({ guaranteeDays = usualGuaranteeDays }: PlacementRecord): number =>
  guaranteeDays;

/** Whether the work was cancelled. It then expects no outcome. */
export const isCancelled = ({ endDate, endReason }: PlacementRecord): boolean =>
  endDate !== undefined && endReason === 'cancelled';

/** The last day of the guarantee, or null without a start, before acceptance or after a cancellation. */
export const readValidateBy = (record: PlacementRecord): string | null =>
  record.startDate === undefined || !isAccepted(record) || isCancelled(record)
    ? null
    : addDays(record.startDate, readGuaranteeDays(record));

/** When the last day of the guarantee is over, in milliseconds since the epoch; 0 without such a day. */
export function readClosingTime(record: PlacementRecord): number {
  const day = readValidateBy(record);
  return day === null ? 0 : Date.parse(`${day}T00:00:00Z`) + dayMs;
}

/** Whether the first day of work is known, and no later than a day. */
export const hasStartedBy = (day: string, { startDate }: PlacementRecord): boolean =>
  startDate !== undefined && startDate <= day;

interface PlacementEnd {
  /** The last day worked, or the day of cancellation. */
  endDate: string;
  endReason: EndReason;
}

/** Returns the end of a placement, or undefined if none is recorded. */
export const readEnd = ({ endDate, endReason = 'other' }: PlacementRecord): PlacementEnd | undefined =>
  endDate === undefined ? undefined : { endDate, endReason };

/** Whether an end is between the start and the last day of the guarantee. Returns false without a start. */
export function isWithinGuarantee(record: PlacementRecord, end: PlacementEnd): boolean {
  const validateBy = readValidateBy(record);
  return validateBy !== null && hasStartedBy(end.endDate, record) && end.endDate <= validateBy;
}

/**
 * Whether an accepted placement ended before its planned end or, without one, within its guarantee. One that finished or
 * converted did not end early; one that never started did.
 */
export function hasEndedEarly(record: PlacementRecord): boolean {
  const end = readEnd(record);
  if (!end || end.endReason === 'finished' || end.endReason === 'converted') return false;
  if (isCancelled(record) || !hasStartedBy(end.endDate, record)) return true;
  const { plannedEndDate } = record;
  return plannedEndDate === undefined ? isWithinGuarantee(record, end) : end.endDate < plannedEndDate;
}

/** Whether an accepted placement is over on a UTC day. */
export const isOver = (record: PlacementRecord, today: string): boolean =>
  readEnd(record) !== undefined || (record.plannedEndDate !== undefined && record.plannedEndDate < today);

/** The status of a placement on a UTC day. */
export function readStatus(record: PlacementRecord, today: string): Status {
  if (!isAccepted(record)) return record.asked as Status;
  if (isOver(record, today)) return hasEndedEarly(record) ? 'ended-early' : 'completed';
  const { startDate } = record;
  return startDate === undefined || startDate > today ? 'scheduled' : 'active';
}

/**
 * Returns the days on which a placement holds its candidate, or would once accepted. Without startDate they count from
 * today. A placement without hours has those of its job order, or `fullTimeHours`. Returns undefined if the placement ended
 * before it started, or was cancelled by its first day.
 */
export function readPeriod(
  record: PlacementRecord,
  today: string,
  order?: Readonly<Record<string, unknown>>,
): Hold | undefined {
  const { startDate, plannedEndDate, hoursPerWeek } = record;
  const hours = hoursPerWeek ?? (order?.hoursPerWeek as number | undefined) ?? fullTimeHours;
  const end = isAccepted(record) ? readEnd(record) : undefined;
  const from = startDate ?? (end ? end.endDate : today);
  const to = end?.endDate ?? plannedEndDate ?? null;
  const neverBegan = isCancelled(record) && (startDate === undefined || record.endDate! <= startDate);
  const hasWorked = !neverBegan && (!end || startDate !== undefined);
  return hasWorked && (to === null || from <= to) ? { from, to, hours } : undefined;
}
