import { el } from '../../_scripts/dom.ts';
import { formatClock, formatDate, formatDateTime, formatDay } from '../../_scripts/format.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const formatOlder = (time: string, now: number): string =>
  new Date(time).getUTCFullYear() === new Date(now).getUTCFullYear() ? formatDay(time) : formatDate(time);

/**
 * Formats how long ago something was: `now`, `12 min ago`, `3 h ago`, `yesterday`, `5 days ago`, else the date, without the
 * year if it is this one.
 */
export function formatAge(time: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 14 ? relative.format(-days, 'day') : formatOlder(time, now);
}

const isToday = (at: string) => new Date(at).toDateString() === new Date().toDateString();

/** Says when something was: the time if it was today, otherwise how long ago. */
export const formatMoment = (at: string): string => (isToday(at) ? formatClock(at) : formatAge(at));

/** Creates a time element with a text. Its tooltip has the time in the reader's zone and in UTC. */
const createTime = (at: string, text: string) =>
  el('time', { datetime: at, title: `${formatDateTime(at)}, ${formatDateTime(at, 'UTC')}` }, text);

/** Creates a time element that says when it was: the time if it was today, otherwise how long ago. */
export const ageOf = (at: string) => createTime(at, formatMoment(at));

/** Creates a time element that says from when something is so: the time if it was today, otherwise the day. */
export const momentOf = (at: string) =>
  createTime(at, isToday(at) ? formatClock(at) : formatOlder(at, Date.now()));
