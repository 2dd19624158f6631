import { addDays } from '../kernel/text.ts';
import { readMonth, readYear, writeDay } from '../kernel/written-day.ts';

/** Which of the first two numbers of 12/01/2026 is the month. `unclear`: the days of the file contradict each other. */
type DayOrder = 'month first' | 'day first' | 'unclear';

/** How the days of a file are written. */
export interface DayFormat {
  /** The day that "immediately" means, YYYY-MM-DD. */
  today: string;
  order: DayOrder;
  /** The same of 12.01.2026. If absent, the day is first. */
  pointOrder?: DayOrder;
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
type DayForm = [
  pattern: string,
  toParts: (found: readonly string[], order: DayOrder, ofPoints: DayOrder) => Parts,
];

const monthName = String.raw`([a-z]{3,9})\.?`;

const forms: readonly DayForm[] = [
  [String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`, ([, year, month, day]) => [year!, month!, day!]],
  [
    String.raw`(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})`,
    ([, first, second, year], order) =>
      order === 'day first' ? [readYear(year!), second!, first!] : [readYear(year!), first!, second!],
  ],
  // With points the day comes first, unless the file shows that it does not.
  [
    String.raw`(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})`,
    ([, first, second, year], _, order) =>
      order === 'month first' ? [readYear(year!), first!, second!] : [readYear(year!), second!, first!],
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

const pointed = /(?<![\d/.-])(\d{1,2})(\.)(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])/g;
/** A whole cell that is a day in digits. */
const wholeDay = new RegExp(String.raw`^\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})${time}$`, 'i');

/** Whether a text has a day that could be two, such as 12/01/2026. */
const hasAmbiguousDay = (text: string, form = slashed) =>
  [...text.matchAll(form)].some(
    ([, one, , other]) => Number(one) <= 12 && Number(other) <= 12 && Number(one) !== Number(other),
  );

/** The order of day and month in one way of writing, and the days that show it. */
class FormOrder {
  readonly #form: RegExp;
  dayFirst: string | undefined;
  monthFirst: string | undefined;
  /** A day that is read and could be two. */
  ambiguous: string | undefined;
  /** Whether the file has a day of this form that is read. */
  isRead = false;

  constructor(form: RegExp) {
    this.#form = form;
  }

  add(text: string, isRead: boolean): void {
    for (const [whole, one, , other] of text.matchAll(this.#form)) {
      const [first, second] = [Number(one), Number(other)];
      if (first > 12 && first <= 31 && second <= 12) this.dayFirst ??= whole;
      else if (second > 12 && second <= 31 && first <= 12) this.monthFirst ??= whole;
      else if (isRead && hasAmbiguousDay(whole, this.#form)) this.ambiguous ??= whole;
      this.isRead ||= isRead;
    }
  }

  getOrder(usual: 'month first' | 'day first'): DayOrder {
    const [day, month] = [this.dayFirst !== undefined, this.monthFirst !== undefined];
    if (day && month) return 'unclear';
    return day ? 'day first' : month ? 'month first' : usual;
  }
}

/** The order of day and month in a file, and the days that show it. */
export class DayOrderFinder {
  readonly #slashed = new FormOrder(slashed);
  readonly #pointed = new FormOrder(pointed);

  /** Looks at a text that can hold days. */
  add(text: string): void {
    this.#slashed.add(text, true);
    this.#pointed.add(text, true);
  }

  /** Looks at a cell that is not read. If all of it is a day, it shows how the file writes days. */
  addUnread(text: string): void {
    if (text.length > longestDay || !wholeDay.test(text)) return;
    this.#slashed.add(text, false);
    this.#pointed.add(text, false);
  }

  get order(): DayOrder {
    return this.#slashed.getOrder('month first');
  }

  get pointOrder(): DayOrder {
    return this.#pointed.getOrder('day first');
  }

  /** Says which order the days have, as an entry of `mapping`. Returns undefined if there are no such days. */
  explain(): { from: string; to: string } | undefined {
    const { ambiguous, dayFirst, monthFirst, isRead } = this.#slashed;
    const shown = ambiguous ?? dayFirst ?? monthFirst;
    if (shown === undefined || !isRead) return undefined;
    const words: Record<DayOrder, string> = {
      'month first': 'MM/DD/YYYY, as in the United States',
      'day first': `DD/MM/YYYY, as ${dayFirst} must be`,
      unclear: `unclear: ${dayFirst} and ${monthFirst} are written both ways`,
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
export function readDay(text: string, { today, order, pointOrder = 'day first' }: DayFormat): DayReading {
  if (text.length <= longestDay && isImmediate(text)) return { day: today, isToday: true };
  if (!/\d/.test(text)) return {};
  if (text.length > longestDay) return { problem: `is no day; ${expected}` };
  if (/^\d{5}(\.\d+)?$/.test(text)) return { day: addDays(firstSpreadsheetDay, Math.floor(Number(text)))! };
  if (isUnclearDay(text, order, pointOrder)) return { problem: unclear };
  for (const [pattern, toParts] of wholeForms) {
    const found = pattern.exec(text);
    const day =
      found &&
      writeDay(
        ...toParts(found, isSurelyDayFirst(text) ? 'day first' : order, findPointOrder(text, pointOrder)),
      );
    if (day) return { day };
  }
  return { problem: `is no day; ${expected}` };
}

const isUnclearDay = (text: string, order: DayOrder, pointOrder: DayOrder) =>
  (order === 'unclear' && hasAmbiguousDay(text)) ||
  (pointOrder === 'unclear' && hasAmbiguousDay(text, pointed));

/** Returns the order of a day with points, which may follow from the day alone. */
function findPointOrder(text: string, order: DayOrder): DayOrder {
  const [found] = text.matchAll(pointed);
  if (order !== 'unclear' || !found) return order;
  return Number(found[3]) > 12 ? 'month first' : 'day first';
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
export function rewriteDays(
  text: string,
  { order, pointOrder = 'day first' }: DayFormat,
): { text: string } | { problem: string } {
  if (!/\d{2}/.test(text)) return { text };
  if (isUnclearDay(text, order, pointOrder)) return { problem: unclear };
  const rewritten = innerForms.reduce(
    (rest, [pattern, toParts]) =>
      rest.replace(pattern, (...found) => {
        const whole = found[0] as string;
        const parts = toParts(
          found as string[],
          isSurelyDayFirst(whole) ? 'day first' : order,
          findPointOrder(whole, pointOrder),
        );
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
