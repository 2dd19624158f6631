import * as v from 'valibot';
import { CalendarDate } from './text.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the year of four digits. Two digits are of this century. */
export const readYear = (digits: string): string => (digits.length === 2 ? `20${digits}` : digits);

/** Returns the number of a month by its English name or a short form of it, or an empty text if it is none. */
export function readMonth(name: string): string {
  const index = months.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? '' : String(index + 1);
}

/** Returns a day as YYYY-MM-DD, or undefined if the calendar has no such day. */
export function writeDay(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return v.is(CalendarDate, date) ? date : undefined;
}
