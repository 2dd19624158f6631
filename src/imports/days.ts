import { addDays } from '../kernel/text.ts';
import { readMonth, readYear, writeDay } from '../kernel/written-day.ts';

/** Which of the first two numbers of 12/01/2026 is the month. `unclear`: the days of the file contradict each other. */
type DayOrder = 'month first' | 'day first' | 'unclear';

/** How the days of a file are written. */
export interface DayFormat {
  /** The day that "immediately" means, YYYY-MM-DD. */
  today: string;
  order: DayOrder;
}

/** What a text says: a day, what is wrong with it, or neither if it names no day. */
interface DayReading {
  day?: string;
  problem?: string;
  /** Whether the text says "immediately", and `day` is today. */
  isToday?: true;
}

/** The day with the number 0 in a spreadsheet. */
const firstSpreadsheetDay = '1899-12-30';
/** The most characters of a day. */
const longestDay = 40;

const expected = 'send YYYY-MM-DD, or MM/DD/YYYY';

/** A time of day behind a day. It is not stored, because a day is all that there is to know. */
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|[+-]\d{2}:?\d{2}))?)?`;

type Parts = [year: string, month: string, day: string];
/** A form of days: its pattern, and the parts of what it finds. */
type DayForm = [pattern: string, toParts: (found: readonly string[], order: DayOrder) => Parts];

const monthName = String.raw`([a-z]{3,9})\.?`;

const forms: readonly DayForm[] = [
  [String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`, ([, year, month, day]) => [year!, month!, day!]],
  [
    String.raw`(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})`,
    ([, first, second, year], order) =>
      order === 'day first' ? [readYear(year!), second!, first!] : [readYear(year!), first!, second!],
  ],
  // With points the day comes first wherever days are written so.
  [
    String.raw`(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})`,
    ([, day, month, year]) => [readYear(year!), month!, day!],
  ],
  [
    String.raw`${monthName} (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`,
    ([, month, day, year]) => [year!, readMonth(month!), day!],
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)?[ -]${monthName}[ ,-]+(\d{4}|\d{2})`,
    ([, day, month, year]) => [readYear(year!), readMonth(month!), day!],
  ],
];
const wholeForms = forms.map(
  ([pattern, toParts]) => [new RegExp(`^${pattern}${time}$`, 'i'), toParts] as const,
);
const innerForms = forms.map(
  ([pattern, toParts]) =>
    [new RegExp(String.raw`(?<![\p{L}\p{N}/.-])${pattern}(?![\p{L}\p{N}/-])`, 'giu'), toParts] as const,
);

const slashed = /(?<![\d/.-])(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])/g;

/** Whether a text has a day that could be two, such as 12/01/2026. */
const hasAmbiguousDay = (text: string) =>
  [...text.matchAll(slashed)].some(
    ([, one, , other]) => Number(one) <= 12 && Number(other) <= 12 && Number(one) !== Number(other),
  );

/** The order of day and month in a file, and the days that show it. */
export class DayOrderFinder {
  #dayFirst: string | undefined;
  #monthFirst: string | undefined;
  #ambiguous: string | undefined;

  /** Looks at a text that can hold days. */
  add(text: string): void {
    for (const [whole, one, , other] of text.matchAll(slashed)) {
      const [first, second] = [Number(one), Number(other)];
      if (first > 12 && first <= 31 && second <= 12) this.#dayFirst ??= whole;
      else if (second > 12 && second <= 31 && first <= 12) this.#monthFirst ??= whole;
      else if (hasAmbiguousDay(whole)) this.#ambiguous ??= whole;
    }
  }

  get order(): DayOrder {
    if (this.#dayFirst === undefined) return 'month first';
    return this.#monthFirst === undefined ? 'day first' : 'unclear';
  }

  /** Says which order the days have, as an entry of `mapping`. Returns undefined if there are no such days. */
  explain(): { from: string; to: string } | undefined {
    const shown = this.#ambiguous ?? this.#dayFirst ?? this.#monthFirst;
    if (shown === undefined) return undefined;
    const words: Record<DayOrder, string> = {
      'month first': 'MM/DD/YYYY, as in the United States',
      'day first': `DD/MM/YYYY, as ${this.#dayFirst} must be`,
      unclear: `unclear: ${this.#dayFirst} and ${this.#monthFirst} are written both ways`,
    };
    return { from: `days such as ${shown}`, to: words[this.order] };
  }
}

const isImmediate = (text: string) =>
  /^(?:immediate(?:ly)?|now|asap|a\.s\.a\.p\.|today|available (?:now|immediately|today))[.!]?$/i.test(text);

const unclear = 'could be two days, because the file writes days both ways; send YYYY-MM-DD';

/**
 * Reads a day as files write it: 2026-12-01, 12/01/2026, 01.12.2026, Dec 1, 2026, 1-Dec-26, the number that a spreadsheet
 * stores (46357), or "immediately". Returns no day for a text without a number.
 */
export function readDay(text: string, { today, order }: DayFormat): DayReading {
  if (text.length <= longestDay && isImmediate(text)) return { day: today, isToday: true };
  if (!/\d/.test(text)) return {};
  if (text.length > longestDay) return { problem: `is no day; ${expected}` };
  if (/^\d{5}(\.\d+)?$/.test(text)) return { day: addDays(firstSpreadsheetDay, Math.floor(Number(text)))! };
  if (order === 'unclear' && hasAmbiguousDay(text)) return { problem: unclear };
  for (const [pattern, toParts] of wholeForms) {
    const found = pattern.exec(text);
    const day = found && writeDay(...toParts(found, isSurelyDayFirst(text) ? 'day first' : order));
    if (day) return { day };
  }
  return { problem: `is no day; ${expected}` };
}

/** In a file that writes days both ways, a day that can only be one is that one. */
const isSurelyDayFirst = (text: string) => {
  const [found] = text.matchAll(slashed);
  return found !== undefined && Number(found[1]) > 12;
};

/**
 * Rewrites the days within a text as YYYY-MM-DD: `ACLS until 12/01/2026` is `ACLS until 2026-12-01`. Returns a problem if
 * one could be two days.
 */
export function rewriteDays(text: string, { order }: DayFormat): { text: string } | { problem: string } {
  if (!/\d{2}/.test(text)) return { text };
  if (order === 'unclear' && hasAmbiguousDay(text)) return { problem: unclear };
  const rewritten = innerForms.reduce(
    (rest, [pattern, toParts]) =>
      rest.replace(pattern, (...found) => {
        const whole = found[0] as string;
        const parts = toParts(found as string[], isSurelyDayFirst(whole) ? 'day first' : order);
        return writeDay(...parts) ?? whole;
      }),
    text,
  );
  return { text: rewritten };
}

/** Returns the day after a notice period of days or weeks, such as "2 weeks notice", or undefined for any other text. */
export function readNotice(text: string, today: string): string | undefined {
  if (text.length > longestDay) return undefined;
  const [, count, unit] =
    /^(\d{1,3})[ -]?(days?|weeks?|wks?)(?:['’]?s?[ -]notice(?: period)?| from offer)?[.!]?$/i.exec(text) ??
    [];
  if (count === undefined) return undefined;
  return addDays(today, Number(count) * (/^w/i.test(unit!) ? 7 : 1)) ?? undefined;
}
