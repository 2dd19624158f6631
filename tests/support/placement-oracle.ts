/**
 * The rules for the life of a placement, written a second time and in another way than in the service: by
 * counting days. They apply to rows as a caller reads them.
 */
import type { Body } from './http.ts';

/** Days since the epoch. */
export const toNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
const toText = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);

const openStages = ['proposed', 'interviewing', 'offered'];
const accepted = ['scheduled', 'active', 'completed', 'ended-early'];

export const isOpenRow = ({ status }: Body): boolean => openStages.includes(status);
export const isAcceptedRow = ({ status }: Body): boolean => accepted.includes(status);
/** Returns whether a placement is accepted and not over. */
export const isLiveRow = ({ status }: Body): boolean => status === 'scheduled' || status === 'active';

/** Returns the status of an accepted placement on a day, from its facts. */
export function expectStatus(facts: Body, today: string): string {
  const { startDate, plannedEndDate, endDate, endReason, guaranteeDays = 90 } = facts;
  if (endDate) {
    if (endReason === 'finished' || endReason === 'converted') return 'completed';
    if (endReason === 'cancelled') return 'ended-early';
    const daysWorked = startDate ? toNumber(endDate) - toNumber(startDate) : -1;
    if (daysWorked < 0) return 'ended-early';
    const isEarly = plannedEndDate
      ? toNumber(endDate) < toNumber(plannedEndDate)
      : daysWorked <= guaranteeDays;
    return isEarly ? 'ended-early' : 'completed';
  }
  if (plannedEndDate && toNumber(plannedEndDate) < toNumber(today)) return 'completed';
  return startDate && toNumber(startDate) <= toNumber(today) ? 'active' : 'scheduled';
}

/** Returns whether an accepted placement holds its person on a day, given as a number. */
function isHeldOn(facts: Body, day: number, today: string): boolean {
  const { startDate, plannedEndDate, endDate } = facts;
  if (endDate && !startDate) return false;
  const last = endDate ?? plannedEndDate;
  return day >= toNumber(startDate ?? today) && (!last || day <= toNumber(last));
}

/** Hours a week of a person or of work that states none. */
export const usualHours = 40;

/** What placements are read with: the day, and the rows of the job orders that they refer to. */
interface Reading {
  today: string;
  orders?: readonly Body[];
}

/** Returns the hours a week of a placement: its own, or those of its job order. */
function readHours({ hoursPerWeek, jobOrderId }: Body, { orders = [] }: Reading): number {
  const order = orders.find(({ id }) => id === jobOrderId);
  return hoursPerWeek ?? order?.hoursPerWeek ?? usualHours;
}

/** Counts the accepted placements that hold their person on a day. */
export const countHeld = (placements: readonly Body[], day: number, today: string): number =>
  placements.filter((one) => isHeldOn(one, day, today)).length;

/** Returns the hours a week that accepted placements take of their person on a day. */
export const countHours = (placements: readonly Body[], day: number, reading: Reading): number =>
  placements
    .filter((one) => isHeldOn(one, day, reading.today))
    .reduce((sum, one) => sum + readHours(one, reading), 0);

/** Returns the first day from which none of these holds a person, or null if one has no end. */
export function expectFreeFrom(
  placements: readonly Body[],
  today: string,
  availableFrom?: string,
): string | null {
  let free = toNumber(today);
  if (availableFrom) free = Math.max(free, toNumber(availableFrom));
  for (const one of placements) {
    const last = one.endDate ?? one.plannedEndDate;
    if (!last) return null;
    const everHeld = isHeldOn(one, toNumber(last), today);
    if (everHeld) free = Math.max(free, toNumber(last) + 1);
  }
  return toText(free);
}

/**
 * Returns whether a placement and others take more hours on any day, up to `horizon` days from now, than a
 * person works.
 */
export function isTooMuch(
  one: Body,
  others: readonly Body[],
  reading: Reading & { mostHours?: number; horizon?: number },
): boolean {
  const { today, mostHours = usualHours, horizon = 800 } = reading;
  const from = toNumber(one.startDate ?? today);
  const until = Math.max(toNumber(today), from) + horizon;
  for (let day = from; day <= until; day += 1) {
    if (!isHeldOn(one, day, today)) continue;
    const taken = countHours(others, day, reading);
    if (taken > 0 && taken + readHours(one, reading) > mostHours) return true;
  }
  return false;
}

/** Returns the status of a job order, from its facts and the placements on it. */
export function expectOrderStatus(order: Body, placements: readonly Body[], today: string): string {
  if (order.endDate && toNumber(order.endDate) < toNumber(today)) return 'closed';
  const taken = placements.filter((one) => isAcceptedRow(one) && one.status !== 'ended-early').length;
  return taken >= order.openings ? 'filled' : 'open';
}
