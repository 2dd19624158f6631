import * as v from 'valibot';
import { addDays, CalendarDate } from '../kernel/text.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The day with the number 0 in a spreadsheet. */
const firstSpreadsheetDay = '1899-12-30';

const expected = 'send YYYY-MM-DD, or MM/DD/YYYY';

const toYear = (digits: string) => (digits.length === 2 ? `20${digits}` : digits);

function findMonth(name: string): string {
  const index = months.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? '' : String(index + 1);
}

/** Returns year, month and day of a text, or undefined if it is in none of the known forms. */
function splitDay(text: string): [year: string, month: string, day: string] | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text);
  if (iso) return [iso[1]!, iso[2]!, iso[3]!];
  const american = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:,? \d.*)?$/.exec(text);
  if (american) return [toYear(american[3]!), american[1]!, american[2]!];
  // With dots the day comes first wherever dates are written so.
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(text);
  if (dotted) return [toYear(dotted[3]!), dotted[2]!, dotted[1]!];
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(text);
  if (monthFirst) return [monthFirst[3]!, findMonth(monthFirst[1]!), monthFirst[2]!];
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?[ ,-]+(\d{4}|\d{2})$/i.exec(text);
  if (dayFirst) return [toYear(dayFirst[3]!), findMonth(dayFirst[2]!), dayFirst[1]!];
  return undefined;
}

/**
 * Reads a day as files write it: 2026-12-01, 12/01/2026 (December 1), 01.12.2026, Dec 1, 2026, 1-Dec-26, the number
 * that a spreadsheet stores (46357), or "immediately", which is `today`. Returns no day for a text without a number.
 */
export function readDay(text: string, today: string): { day?: string; problem?: string } {
  if (/^(immediate(ly)?|now|asap|today|available now|available immediately)$/i.test(text))
    return { day: today };
  if (!/\d/.test(text)) return {};
  if (text.length > 40) return { problem: `is no day; ${expected}` };
  if (/^\d{5}(\.\d+)?$/.test(text)) return { day: addDays(firstSpreadsheetDay, Math.floor(Number(text)))! };
  const [year = '', month = '', day = ''] = splitDay(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (v.is(CalendarDate, iso)) return { day: iso };
  const isDayFirst = Number(month) > 12 && Number(day) <= 12;
  const hint = isDayFirst ? 'the month comes first, as in the United States; ' : '';
  return { problem: `is no day; ${hint}${expected}` };
}
