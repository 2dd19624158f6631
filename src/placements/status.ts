import { addDays, dayMs } from '../kernel/text.ts';
import type { EndReason, PlacementRecord } from './placement-record.ts';
import { isAccepted, type statuses } from './stages.ts';

type Status = (typeof statuses)[number];

/** Days of the guarantee of a placement that states none. */
export const usualGuaranteeDays = 90;

export const readGuaranteeDays = ({ guaranteeDays = usualGuaranteeDays }: PlacementRecord): number =>
  guaranteeDays;

/** The last day of the guarantee, or null without a start or before acceptance. */
export const readValidateBy = (record: PlacementRecord): string | null =>
  record.startDate === undefined || !isAccepted(record)
    ? null
    : addDays(record.startDate, readGuaranteeDays(record));

/** When the last day of the guarantee is over, in milliseconds since the epoch; 0 without such a day. */
export function readClosingTime(record: PlacementRecord): number {
  const day = readValidateBy(record);
  return day === null ? 0 : Date.parse(`${day}T00:00:00Z`) + dayMs;
}

interface PlacementEnd {
  /** The last day worked, or the day of cancellation. */
  endDate: string;
  endReason: EndReason;
  /** Whether only a statement of the outcome records it. */
  isStated: boolean;
}

/** Returns the recorded end of a placement or, without one, the end of a stated fall-off. */
export function readEnd({
  endDate,
  endReason = 'other',
  evidence,
}: PlacementRecord): PlacementEnd | undefined {
  if (endDate !== undefined) return { endDate, endReason, isStated: false };
  const statement = evidence?.stated;
  if (statement?.result !== 'attrited') return undefined;
  return { endDate: statement.asOf, endReason: statement.endReason ?? 'other', isStated: true };
}

const hasNeverStarted = ({ startDate }: PlacementRecord, { endDate }: PlacementEnd): boolean =>
  startDate === undefined || endDate < startDate;

/** Whether an end is between the start and the last day of the guarantee. Returns false without a start. */
export function isWithinGuarantee(record: PlacementRecord, end: PlacementEnd): boolean {
  const validateBy = readValidateBy(record);
  return validateBy !== null && !hasNeverStarted(record, end) && end.endDate <= validateBy;
}

/**
 * Whether an accepted placement ended before its planned end or, without one, within its guarantee. One that finished or
 * converted did not end early; one that never started did.
 */
export function hasEndedEarly(record: PlacementRecord): boolean {
  const end = readEnd(record);
  if (!end || end.endReason === 'finished' || end.endReason === 'converted') return false;
  if (hasNeverStarted(record, end)) return true;
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
