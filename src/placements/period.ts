import { fullTimeHours } from '../records/kind/fields/work.ts';

/** The days on which something holds a person, first and last included, and the hours a week. */
export interface Hold {
  from: string;
  /** null if no end is known. */
  to: string | null;
  hours: number;
}

/** The days on which placements hold a candidate, as of a UTC day. */
export interface CandidateHolds {
  holds: readonly Hold[];
  today: string;
}

/** The holds of a candidate without placements. */
export const noHolds: CandidateHolds = { holds: [], today: '' };

const overlaps = (a: Hold, b: Hold): boolean =>
  (a.to === null || b.from <= a.to) && (b.to === null || a.from <= b.to);

const compareEnds = (a: Hold, b: Hold): number => {
  if (a.to === b.to) return 0;
  if (a.to === null) return 1;
  return b.to === null || a.to < b.to ? -1 : 1;
};

const describeHold = ({ from, to }: Hold): string =>
  to === null ? `by a placement from ${from} on` : `by a placement from ${from} to ${to}`;

interface Clash {
  /** The first day on which there are too many hours. */
  day: string;
  /** One of the periods that hold the person on that day. */
  other: Hold;
  /** The hours a week of all periods on that day, and the most that the person works. */
  hours: number;
  mostHours: number;
}

/** Describes a clash. It names the hours unless they are those of two full weeks. */
export function describeClash({ day, other, hours, mostHours }: Clash): string {
  const isPartTime = hours < 2 * fullTimeHours;
  const total = isPartTime ? `: ${hours} hours a week in all, and ${mostHours} is the most` : '';
  return `is placed already on ${day}, ${describeHold(other)}${total}`;
}

/**
 * Returns the first day on which `period` and `holds` add up to more than `mostHours` a week, if there is one. `period`
 * alone is never too much.
 */
export function findClash(period: Hold, holds: readonly Hold[], mostHours: number): Clash | undefined {
  const others = holds.filter((hold) => overlaps(hold, period));
  const findStart = ({ from }: Hold) => (from > period.from ? from : period.from);
  const starting = others.toSorted((a, b) => (findStart(a) < findStart(b) ? -1 : 1));
  const ending = others.toSorted(compareEnds);
  let hours = period.hours;
  let ended = 0;
  for (const [index, hold] of starting.entries()) {
    const day = findStart(hold);
    for (; ending[ended]!.to !== null && ending[ended]!.to! < day; ended += 1) hours -= ending[ended]!.hours;
    hours += hold.hours;
    const next = starting[index + 1];
    if (next && findStart(next) === day) continue;
    if (hours > mostHours) return { day, other: hold, hours, mostHours };
  }
  return undefined;
}
