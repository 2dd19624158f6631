import * as v from 'valibot';

const dayMs = 86_400_000;

function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A day that exists in the Gregorian calendar, `YYYY-MM-DD` (RFC 3339 full-date). Refuses 2026-02-31. */
export const CalendarDate = v.pipe(
  v.string('must be a string'),
  v.isoDate('must be a date as YYYY-MM-DD'),
  v.check(isCalendarDate, 'must be a day that exists in the calendar'),
);

/** The UTC day of a time in milliseconds since the epoch. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The day `days` after `date`, or null where four digits of year cannot say it. */
export function addDays(date: string, days: number): string | null {
  const text = new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString();
  return text.length === 24 ? text.slice(0, 10) : null;
}
