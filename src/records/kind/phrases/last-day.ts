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

const longestFirst = content.ends.toSorted((a, b) => b.length - a.length);
const endWords = longestFirst.map((words) => words.replaceAll(' ', String.raw`\s+`)).join('|');
/** A word that says that a credential ends, and what may be between it and the day. */
const endsAt = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${endWords})(?![\p{L}\p{N}])(?:[\s.:=,(–-]|(?:date|dates|day|on|by)(?![\p{L}\p{N}]))*`,
  'giu',
);
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

/** Reads when a credential ends. Of several days the earliest holds. */
export function readLastDay(written: string): LastDay {
  const text = written.normalize('NFKC');
  const days: string[] = [];
  let [isUnread, rest, from] = [false, '', 0];
  for (const { 0: words, index } of text.matchAll(endsAt)) {
    if (index < from) continue;
    let end = index + words.length;
    // "5 years exp" is experience.
    if (/^exp\W*$/i.test(words) && end >= text.length) continue;
    let found = findDayAt(text, end);
    if (!found?.day) isUnread = true;
    while (found) {
      if (found.day) days.push(found.day);
      end = found.end;
      found = findDayAt(text, end + matchAt(betweenDays, text, end)![0].length);
    }
    rest += text.slice(from, index) + gap;
    from = end;
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
export const firstEndForms: readonly string[] = content.ends.map((words) => words.split(' ')[0]!);
