import * as v from 'valibot';
import { memoize } from './cache.ts';
import { findDeceiving, hasMoreCharacters, isVisible, type Lines } from './plain-text.ts';

/** Adds a description to a schema. */
/* @__NO_SIDE_EFFECTS__ */
export const say = <S extends v.GenericSchema>(schema: S, words: string) =>
  v.pipe(schema, v.description(words));

/* @__NO_SIDE_EFFECTS__ */
export const named = <S extends v.GenericSchema>(schema: S, title: string, words: string) =>
  v.pipe(schema, v.title(title), v.description(words));

/* @__NO_SIDE_EFFECTS__ */
export const may = <S extends v.GenericSchema>(schema: S, words: string) => v.optional(say(schema, words));

/* @__NO_SIDE_EFFECTS__ */
export const mayNamed = <S extends v.GenericSchema>(schema: S, title: string, words: string) =>
  v.optional(named(schema, title, words));

/** At most `max` characters, counted in code points as JSON Schema counts them (2020-12, section 6.3.1). */
export function maxCharacters(max: number) {
  const message = `must be at most ${max} characters`;
  const action = v.check<string, string>((text) => !hasMoreCharacters(text, max), message);
  // JSON Schema shows `maxLength`.
  return Object.assign(action, { maxLength: max });
}

const isOuter = (character: string) => /[\s\u0085]/.test(character);

/**
 * Removes white space of every script around a text (White_Space of Unicode), and byte order marks. All ids, refs, codes
 * and texts are trimmed so. `trim` leaves U+0085, which some files have as a line break.
 */
export function trimText(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isOuter(text[start]!)) start += 1;
  while (start < end && isOuter(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** Trims a text as `trimText` does. Returns any other value as it is. */
export const trimIfText = (value: unknown): unknown => (typeof value === 'string' ? trimText(value) : value);

/** Trims a text as `trimText` does. */
/* @__NO_SIDE_EFFECTS__ */
export const trimmed = () => v.transform(trimText);

/**
 * A string of 1 to `max` characters that a person can read. A byte order mark and white space around it are trimmed
 * first. Refuses a text without a visible character, with a character of `findDeceiving`, or with half of a surrogate
 * pair, which UTF-8 cannot encode. A text that is too long is not looked at.
 */
/* @__NO_SIDE_EFFECTS__ */
export function textSchema(max: number, title: string, description: string, lines: Lines = 'one') {
  const isRead = (text: string) => text.length <= 2 * max;
  return v.pipe(
    v.string('must be a string'),
    trimmed(),
    v.minLength(1, 'must not be empty; send at least one visible character'),
    maxCharacters(max),
    v.regex(/\S/),
    v.check((text) => !isRead(text) || text.isWellFormed(), 'must be well-formed Unicode'),
    v.check(
      (text) => !isRead(text) || findDeceiving(text, lines) === undefined,
      ({ input }) => findDeceiving(input, lines)!,
    ),
    v.check((text) => !isRead(text) || isVisible(text), 'must hold a visible character'),
    v.title(title),
    v.description(description),
  );
}

/* @__NO_SIDE_EFFECTS__ */
export function wholeSchema(min: number, max: number, title: string, description: string) {
  return v.pipe(
    v.number('must be a whole number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
    v.title(title),
    v.description(description),
  );
}

/** An array of at most `most` items in an answer, with a description. An array in a request is a `listSchema`. */
/* @__NO_SIDE_EFFECTS__ */
export const upTo = <S extends v.GenericSchema>(most: number, item: S, words: string) =>
  say(v.pipe(v.array(item), v.maxLength(most)), words);

/** An array of at most `max` items in a request. A longer one is refused before its items are checked. */
/* @__NO_SIDE_EFFECTS__ */
export function listSchema<T extends v.GenericSchema>(item: T, max: number, what: string, of = 'strings') {
  const message = `must hold at most ${max} ${what}`;
  const list = v.pipe(v.array(item, `must be an array of ${of}`), v.maxLength(max, message));
  const tooLong = v.custom<v.InferInput<typeof list>>(() => false, message);
  Object.assign(list, { mostItems: max });
  return v.lazy((value) => (Array.isArray(value) && value.length > max ? tooLong : list));
}

/** An address relative to this origin, such as `/openapi.json`. Refuses `//`, which names another origin. */
export const Href = v.pipe(
  v.string(),
  v.regex(/^\/(?!\/)/),
  v.description('Address relative to this origin.'),
);

export const NonNegativeInteger = v.pipe(v.number(), v.integer(), v.minValue(0));

export const dayMs = 86_400_000;

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

export const Time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339 time in UTC.'));

const isoTime =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the last second of a UTC day for its leap second, and NaN for a leap second elsewhere. */
function parseLeapSecond(time: string): number {
  const before = Date.parse(time.replace(/:60(?=\D)/, ':59'));
  return Math.floor(before / 1000 + 1) % (dayMs / 1000) === 0 ? before : Number.NaN;
}

/**
 * Parses a time in a query (RFC 3339 date-time) to milliseconds since the epoch. Returns NaN if there is no such time. A
 * query turns a + into a space, so a space before an offset counts as one.
 */
export function parseTime(text: string): number {
  const time = text.replace(/ (?=\d{2}:\d{2}$)/, '+').toUpperCase();
  const isTime = isoTime.test(time) && isCalendarDate(time.slice(0, 10));
  if (!isTime) return Number.NaN;
  return time.slice(17, 19) === '60' ? parseLeapSecond(time) : Date.parse(time);
}

/** A time in a query, as `parseTime` reads it. */
export const TimeOfQuery = v.pipe(
  v.string('must be a string'),
  v.maxLength(40, 'must be at most 40 characters'),
  v.check((text) => !Number.isNaN(parseTime(text)), 'must be a time such as 2026-11-27T09:00:00Z'),
);

/** How many times and days are remembered as text. Most are now and today. */
const mostTimes = 100;

/** Formats a time in milliseconds since the epoch. */
export const toIsoTime = memoize((at: number) => new Date(at).toISOString(), { most: mostTimes });

const formatDay = memoize((day: number) => new Date(day * dayMs).toISOString().slice(0, 10), {
  most: mostTimes,
});

/** The UTC day of a time in milliseconds since the epoch. */
export const toIsoDate = (time: number): string => formatDay(Math.floor(time / dayMs));

/** The day `days` after `date`, or null if its year has more than four digits. */
export function addDays(date: string, days: number): string | null {
  const text = new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString();
  return text.length === 24 ? text.slice(0, 10) : null;
}

export const countDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs;

/** Whole seconds in the largest exact unit: `120 days`, `24 h`, `90 min`, `45 s`. Days are used from three on. */
export function formatDuration(seconds: number): string {
  const days = seconds / 86_400;
  if (days > 2 && Number.isInteger(days)) return `${days} days`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
