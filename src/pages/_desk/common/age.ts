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

/** Creates a time element that says when it was: the time if it was today, otherwise how long ago. Its tooltip has the time in the reader's zone and in UTC. */
export const ageOf = (at: string) =>
  el(
    'time',
    { datetime: at, title: `${formatDateTime(at)}, ${formatDateTime(at, 'UTC')}` },
    isToday(at) ? formatClock(at) : formatAge(at),
  );
