import type { PlacementRecord } from './placement-record.ts';
import { isAccepted } from './stages.ts';
import { readEnd } from './status.ts';

/** Hours a week of a candidate, or of a placement, that states none. */
export const fullTimeHours = 40;

/** The days on which something holds a person, both included, and for how many hours a week. */
export interface Hold {
  from: string;
  /** null if no end is known. */
  to: string | null;
  hours: number;
}

/** Returns the days on which a placement holds its candidate once accepted. Without a start they count from today. */
export function readPeriod(record: PlacementRecord, today: string): Hold | undefined {
  const { startDate, plannedEndDate, hoursPerWeek: hours = fullTimeHours } = record;
  const end = isAccepted(record) ? readEnd(record) : undefined;
  const from = startDate ?? (end ? end.endDate : today);
  const to = end?.endDate ?? plannedEndDate ?? null;
  const hasWorked = !end || startDate !== undefined;
  return hasWorked && (to === null || from <= to) ? { from, to, hours } : undefined;
}

const overlaps = (one: Hold, other: Hold): boolean =>
  (one.to === null || other.from <= one.to) && (other.to === null || one.from <= other.to);

const byEnd = (one: Hold, other: Hold): number => {
  if (one.to === other.to) return 0;
  if (one.to === null) return 1;
  return other.to === null || one.to < other.to ? -1 : 1;
};

export const describeHold = ({ from, to }: Hold): string =>
  to === null ? `by a placement from ${from} on` : `by a placement from ${from} to ${to}`;

interface Clash {
  /** The first day on which there are too many hours. */
  day: string;
  /** One of those that hold the person on that day. */
  other: Hold;
}

/**
 * Returns the first day on which a period and those that hold the person already have more than `mostHours` a week
 * together. One period alone is never too much.
 */
export function findClash(period: Hold, holds: readonly Hold[], mostHours: number): Clash | undefined {
  const others = holds.filter((one) => overlaps(one, period));
  const findStart = ({ from }: Hold) => (from > period.from ? from : period.from);
  const starting = others.toSorted((one, other) => (findStart(one) < findStart(other) ? -1 : 1));
  const ending = others.toSorted(byEnd);
  let hours = period.hours;
  let ended = 0;
  for (const [index, one] of starting.entries()) {
    const day = findStart(one);
    for (; ending[ended]!.to !== null && ending[ended]!.to! < day; ended += 1) hours -= ending[ended]!.hours;
    hours += one.hours;
    const next = starting[index + 1];
    if (next && findStart(next) === day) continue;
    if (hours > mostHours) return { day, other: one };
  }
  return undefined;
}
