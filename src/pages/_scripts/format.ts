const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const dayMs = 86_400_000;

/** Formats `1016` as `1,016`. */
export const formatCount = (value: number): string => plain.format(value);

/** Formats `12.5` as `$12.50`. Keeps fractions of a cent. */
export function formatDollars(value: number): string {
  const digits = Math.min(6, Math.max(2, (String(value).split('.')[1] ?? '').length));
  const style = { style: 'currency', currency: 'USD', maximumFractionDigits: 6 } as const;
  return new Intl.NumberFormat('en-US', { ...style, minimumFractionDigits: digits }).format(value);
}

const isYearly = (member: string) => member.endsWith('UsdYear');

/** Formats the pay of a member without its unit: `$45.00` for an hour, `$85,000` for a year. */
const formatPayAmount = (member: string, value: number): string =>
  isYearly(member) ? formatDollars(value).replace(/\.00$/, '') : formatDollars(value);

/** Formats the pay of a member with its unit: `$45.00 an hour`, `$85,000 a year`. */
export const formatPay = (member: string, value: number): string =>
  `${formatPayAmount(member, value)} ${isYearly(member) ? 'a year' : 'an hour'}`;

/** Formats pay briefly: `$56/h`, `$62.50/h`, `$118,000/year`. */
export const formatRate = (value: number, per: 'hour' | 'year'): string =>
  `${formatDollars(value).replace(/\.00$/, '')}/${per === 'hour' ? 'h' : 'year'}`;

/** Formats pay from one amount to another: `$40.00 to $48.00 an hour`. Returns undefined without an amount. */
export function formatPayRange(member: string, from?: number, to?: number): string | undefined {
  if (to === undefined) return from === undefined ? undefined : formatPay(member, from);
  if (from === undefined) return `to ${formatPay(member, to)}`;
  if (from === to) return formatPay(member, to);
  return `${formatPayAmount(member, from)} to ${formatPay(member, to)}`;
}

/** Formats `1 candidate`, `2 candidates`. */
export function formatAmount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}

/** Turns `jobOrders` into `job orders`. */
export const splitWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Turns `job orders` into `Job orders`. */
export const toSentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const dated = { day: 'numeric', month: 'short', year: 'numeric' } as const;

const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
// A formatter takes far longer to create than to use, and a page formats hundreds of times.
const days = new Intl.DateTimeFormat('en-GB', { ...dated, timeZone: 'UTC' });
const times = new Map<string | undefined, Intl.DateTimeFormat>();

/** Formats an ISO 8601 time as `22 Nov 2026, 08:16 CET`, by default in the reader's time zone. */
export function formatDateTime(time: string, timeZone?: string): string {
  const format = times.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...dated, ...clock, timeZone });
  times.set(timeZone, format);
  return format.format(new Date(time));
}

/** Formats the time of day in the reader's time zone: `09:14`. */
export const formatClock = (time: string) =>
  new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Formats a date such as `2026-11-22` as `22 Nov 2026`. */
export const formatDate = (day: string) => days.format(new Date(day));

/** Formats a date near today without its year: `22 Nov`. */
export const formatDay = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const long = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Formats a date such as `2026-11-22` as `22 November 2026`. */
export const formatLongDate = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { ...long, timeZone: 'UTC' });

/** Formats a time as `22 November 2026 at 08:16 CET`, in the reader's time zone. */
export const formatLongTime = (time: number) =>
  new Date(time).toLocaleString('en-GB', {
    ...long,
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });

/** Formats a time as `22 November 2026 at 07:16:05 UTC`. */
export const formatLongTimeInUtc = (time: string | number) =>
  new Date(time).toLocaleString('en-GB', {
    ...long,
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC', timeZoneName: 'short' },
  });

/** Whether a text such as `2026-02-30` is a day of the calendar. */
function isDate(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Formats each date such as `2026-11-22` in a text as `22 Nov 2026`. Leaves days that do not exist as they are. */
export const formatDatesIn = (text: string) =>
  text.replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => (isDate(day) ? formatDate(day) : day));

/** Returns a date in UTC, `days` after the day of `from`, which is now by default. */
export const dayFromNow = (days = 0, from = new Date().toISOString()) =>
  new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10);

/** Returns the whole days from one date to another. */
export const countDaysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** Formats a day of a placement: `day 12 of 90`, or `day 95, after the guarantee of 90 days`. */
export const formatGuaranteeDay = (day: number, guaranteeDays: number): string =>
  day > guaranteeDays
    ? `day ${day}, after the guarantee of ${guaranteeDays} days`
    : `day ${day} of ${guaranteeDays}`;

/** Formats a time left as `3 days`, `23 h 59 min`, `4 min` or `less than a minute`. */
export function formatTimeLeft(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes >= 2 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} days`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
