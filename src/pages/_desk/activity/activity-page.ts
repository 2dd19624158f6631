import { formatDate } from '../../_scripts/format.ts';
import type { ActivityRow } from './activity-sentence.ts';

/** The activity that was read, newest first, and where older entries begin. */
export interface ActivityPage {
  entries: ActivityRow[];
  next: string | undefined;
}

/** Puts newer entries in front. A record that was deleted since loses its name and its link in older entries. */
export function mergeActivity(page: ActivityPage, newer: readonly ActivityRow[]): ActivityPage {
  const first = page.entries[0]?.revision ?? 0;
  const added = newer.filter(({ revision }) => revision > first);
  const records = added.flatMap((entry) => entry.records);
  const deletedIds = new Set(records.filter(({ name }) => name === null).map(({ id }) => id));
  const blank = ({ changes, ...entry }: ActivityRow): ActivityRow => ({
    ...entry,
    records: entry.records.map((record) => (deletedIds.has(record.id) ? { ...record, name: null } : record)),
    ...(changes && { changes: changes.filter(({ id }) => !deletedIds.has(id)) }),
  });
  return { ...page, entries: [...added, ...page.entries.map(blank)] };
}

/** Returns the date of a time in the reader's time zone, as `2026-11-24`. */
const toLocalDay = (time: string | number): string => new Date(time).toLocaleDateString('sv-SE');

/** Formats a day as `Today`, `Yesterday` or `24 Nov 2026`. */
function formatDay(day: string, now: number): string {
  if (day === toLocalDay(now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === toLocalDay(yesterday.getTime()) ? 'Yesterday' : formatDate(day);
}

/** The mark of a name that an example gives itself: `Scout (example agent)`. */
const exampleName = /\(example\b[^()]*\)$/;

/**
 * Returns the day that an entry of an example is shown under: the one from which it counts, as its author says. Returns
 * undefined if the entry is no example, or says no such day.
 */
export const findExampleDay = ({ actor = '', effectiveDate }: ActivityRow): string | undefined =>
  exampleName.test(actor) ? effectiveDate : undefined;

/**
 * Groups entries by the day in the reader's time zone on which they were recorded. Days of an example are those that it
 * states, and say so. `now` is in milliseconds since the epoch.
 */
export function groupByDay(entries: readonly ActivityRow[], now: number) {
  const keyOf = (entry: ActivityRow) => {
    const stated = findExampleDay(entry);
    return stated === undefined ? formatDay(toLocalDay(entry.at), now) : `${formatDate(stated)} (example)`;
  };
  return [...Map.groupBy(entries, keyOf)].map(([title, ofDay]) => ({ title, entries: ofDay }));
}

/** Lists why an entry was made: one reason, or that of each named record. */
export function listReasons({ reason, records }: ActivityRow): { name?: string; reason: string }[] {
  if (reason !== undefined) return [{ reason }];
  return records.flatMap((record) => {
    const name = record.name?.split(', ', 1)[0];
    return record.reason !== undefined && name ? [{ name, reason: record.reason }] : [];
  });
}
