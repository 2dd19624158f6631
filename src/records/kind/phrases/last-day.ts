import content from '../../../../content/must-haves.json' with { type: 'json' };
import { readMonth, readYear, writeDay } from '../../../kernel/written-day.ts';

const monthName = String.raw`([a-z]{3,9})\.?`;

/** The forms of a day: ISO, and those of the United States with the month first, in digits or as a name. */
const iso = /(\d{4})-(\d{1,2})-(\d{1,2})(?:T[\d:.Z+-]*)?(?![\d-])/iy;
const american = /(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/y;
const monthFirst = new RegExp(String.raw`${monthName}\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)`, 'iy');
const dayFirst = new RegExp(
  String.raw`(\d{1,2})(?:st|nd|rd|th)?[\s-]+${monthName}[\s,-]+(\d{4})(?!\d)`,
  'iy',
);

interface FoundDay {
  /** YYYY-MM-DD. Absent if there is no such day in the calendar. */
  day?: string;
  /** The place behind it. */
  end: number;
}

function matchAt(shape: RegExp, text: string, at: number): RegExpExecArray | null {
  shape.lastIndex = at;
  return shape.exec(text);
}

/** Returns the day that is written at a place of a text. */
function findDayAt(text: string, at: number): FoundDay | undefined {
  const toDay = ([{ length }]: RegExpExecArray, year: string, month: string, day: string): FoundDay => {
    const date = writeDay(year, month, day);
    return { ...(date !== undefined && { day: date }), end: at + length };
  };
  const isoDay = matchAt(iso, text, at);
  if (isoDay) return toDay(isoDay, isoDay[1]!, isoDay[2]!, isoDay[3]!);
  const us = matchAt(american, text, at);
  if (us) return toDay(us, readYear(us[4]!), us[1]!, us[3]!);
  const named = matchAt(monthFirst, text, at);
  if (named) return toDay(named, named[3]!, readMonth(named[1]!), named[2]!);
  const british = matchAt(dayFirst, text, at);
  return british ? toDay(british, british[3]!, readMonth(british[2]!), british[1]!) : undefined;
}

const toPattern = (texts: readonly string[]): string =>
  texts
    .toSorted((a, b) => b.length - a.length)
    .map((words) => words.replaceAll(' ', String.raw`\s+`))
    .join('|');
const noLetter = String.raw`(?![\p{L}\p{N}])`;
/** The beginning of a day, a month or a year. */
const dateBegins = String.raw`(?:\d{4}-\d|\d{1,2}[/.-]\d|(?:19|20)\d\d${noLetter}|(?:\d{1,2}(?:st|nd|rd|th)?[\s-]+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[\s,-]+\d)`;
const filling = String.raw`(?:[\s.:=,(–-]|(?:date|dates|day|on|by)${noLetter})*`;
/** The end of a day or a year, before a dash. */
const dateEnds = String.raw`(?<=\d[/-]\d{1,2}[/-](?:\d{4}|\d{2})|(?<!\d)(?:19|20)\d\d)`;
/**
 * A word that says that a credential ends, and what may be between it and the day. Some words, and a dash between two
 * days, say so only before a day.
 */
const endsAt = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:${toPattern(content.ends)})${noLetter}${filling}`,
    String.raw`(?<![\p{L}\p{N}])(?:${toPattern(content.endsBeforeDay)})${noLetter}${filling}(?=${dateBegins})`,
    String.raw`${dateEnds}(?:\s*[–—]\s*|\s+-\s+|-(?!\d{1,2}(?:-\d{1,2})?(?!\d|[/-]\d)))(?=${dateBegins})`,
  ].join('|'),
  'giu',
);
const never = content.endsNever;
/** Words before an end that say that there is none: "never expires". "No exp" may be about experience. */
const neverBefore = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${toPattern(never.before)})[\s-]+(?:yet\s+)?$`,
  'iu',
);
const isOfExpiry = /^(?:expir|exp\.?\s*date)/i;
/** The same behind it: "expires: never". */
const neverBehind = new RegExp(String.raw`(?:${toPattern(never.behind)})(?=\s*(?:[),;\]]|$))`, 'iuy');
/** Words that say that the end is unknown: "no expiration date on file". */
const isNotKnown =
  /(?:is\s+)?(?:(?:on\s+)?(?:file|record)|listed|stated|given|known|available|provided|found|shown|entered|recorded|yet)(?![\p{L}\p{N}])/iuy;
/** What may be between two days behind one such word. */
const betweenDays = /[\s,;/–-]*(?:(?:or|and|to)\s+)?/y;

/** What takes the place of an end in a text. What is behind it is a part of its own. */
const gap = ' ; ';

/** What a text says of its last day. */
interface LastDay {
  /** The earliest day that it states, YYYY-MM-DD. */
  until?: string;
  /** Whether a word says that it ends, and no day can be read behind it. */
  isUnread: boolean;
  /** The text without that. */
  rest: string;
  /** The text before that. */
  name: string;
}

/** One end that a text states. */
interface StatedEnd {
  /** The places where its words and days begin and end. */
  from: number;
  end: number;
  days: string[];
  isUnread: boolean;
}

/** Returns the end that words at a place state, or undefined if they are about something else. */
function readEnd(text: string, words: string, index: number): StatedEnd | undefined {
  let end = index + words.length;
  // "5 years exp" is experience.
  if (/^exp\W*$/i.test(words) && end >= text.length) return undefined;
  const [before] = isOfExpiry.test(words) ? (neverBefore.exec(text.slice(0, index)) ?? []) : [];
  const from = index - (before?.length ?? 0);
  const days: string[] = [];
  let found = findDayAt(text, end);
  let isUnread = !found?.day;
  while (found) {
    if (found.day) days.push(found.day);
    end = found.end;
    found = findDayAt(text, end + matchAt(betweenDays, text, end)![0].length);
  }
  if (days.length > 0 || !isUnread) return { from, end, days, isUnread };
  const [none] = matchAt(neverBehind, text, end) ?? [];
  if (none !== undefined) return { from, end: end + none.length, days, isUnread: false };
  if (before === undefined) return { from, end, days, isUnread };
  // "Does not expire until 2027-08-31": the next words state the end.
  isUnread = matchAt(isNotKnown, text, end) !== null || /^\s*\d/.test(text.slice(end));
  return { from, end, days, isUnread };
}

/** Reads when a credential ends. Of several days the earliest holds. */
export function readLastDay(written: string): LastDay {
  const text = written.normalize('NFKC').replaceAll('’', "'");
  const days: string[] = [];
  let [isUnread, rest, from] = [false, '', 0];
  for (const { 0: words, index } of text.matchAll(endsAt)) {
    if (index < from) continue;
    const stated = readEnd(text, words, index);
    if (!stated) continue;
    days.push(...stated.days);
    isUnread ||= stated.isUnread;
    rest += text.slice(from, Math.max(from, stated.from)) + gap;
    from = stated.end;
  }
  const [until] = days.sort();
  const [name = ''] = rest.split(gap);
  rest += text.slice(from);
  return {
    ...(until !== undefined && { until }),
    isUnread,
    rest,
    name: name
      .trimEnd()
      .replace(/[(,:–-]$/, '')
      .trimEnd(),
  };
}

/** The words with which words of an end begin, for a quick test of a text. */
export const firstEndForms: readonly string[] = [...content.ends, ...content.endsBeforeDay].map(
  (words) => words.split(' ')[0]!,
);

/** Whether a text may have a dash between two days or years. */
export const mayHavePeriod = (text: string): boolean => /\d\s*[-–—]\s*(?:\d|[a-z]{3})/i.test(text);
