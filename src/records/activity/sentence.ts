import * as v from 'valibot';
import { unwrap } from '../../kernel/shape.ts';
import { CalendarDate } from '../../kernel/text.ts';
import type { ActivityEntry, MemberChange } from '../../workspace/activity.ts';
import type { Kind } from '../kind/kind.ts';

const isDay = (value: unknown): value is string => v.is(CalendarDate, value);

const longDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const formatDay = (day: string): string => longDay.format(Date.parse(day));

/** Formats `bill rate` for a member, from the title of its schema. */
function readTitle(kind: Kind, member: string): string {
  const schema = (kind.record as { entries?: Record<string, v.GenericSchema> }).entries?.[member];
  const title = schema && (v.getTitle(schema) ?? v.getTitle(unwrap(schema) as v.GenericSchema));
  const words = title ?? member.replace(/[.]/g, ' ').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`);
  return words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).toLowerCase();
}

const formatValue = (value: unknown): string => (isDay(value) ? formatDay(value) : String(value));

/** Whether a change moves the end of the period of a kind to a later day. */
const isExtension = ({ period }: Kind, { member, from, to }: MemberChange): boolean =>
  member === period?.[1] && isDay(from) && isDay(to) && to > from;

function describeList({ added = [], removed = [] }: MemberChange): string {
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : 'in another order';
}

function describeChange(kind: Kind, change: MemberChange): string {
  const { member, from, to, added, removed } = change;
  const title = readTitle(kind, member);
  if (isExtension(kind, change)) return `extended from ${formatValue(from)} to ${formatValue(to)}`;
  if (added || removed) return `${title} ${describeList(change)}`;
  if (from === undefined) return `${title} changed`;
  if (from === null) return `${title} ${formatValue(to)}`;
  return to === null
    ? `${title} removed, was ${formatValue(from)}`
    : `${title} ${formatValue(from)} to ${formatValue(to)}`;
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What happened to a record, as far as its entry has no changes of it. */
type Event = 'added' | 'changed' | 'deleted';

/**
 * Says what an entry did to a record, from which day, why, and who asked: "Bill rate 75 to 78, from 1 February, because
 * the client extended (Dana Example)". An extension is said first.
 */
export function describeEntry(
  { at, actor, records, changes = [] }: ActivityEntry,
  { kind, id, event }: { kind: Kind; id: string; event: Event },
): string {
  const own = changes.filter((change) => change.id === id);
  const sorted = own.toSorted((a, b) => Number(isExtension(kind, b)) - Number(isExtension(kind, a)));
  const what = sorted.length > 0 ? sorted.map((change) => describeChange(kind, change)).join(', ') : event;
  const { reason, effectiveDate } = records.find((record) => record.id === id) ?? {};
  const year = new Date(at).toISOString().slice(0, 4);
  const day =
    effectiveDate && (effectiveDate.startsWith(year) ? shortDay : longDay).format(Date.parse(effectiveDate));
  return [
    capitalize(what),
    ...(day ? [`, from ${day}`] : []),
    ...(reason ? [`, because ${reason}`] : []),
    ...(actor ? [` (${actor})`] : []),
  ].join('');
}
