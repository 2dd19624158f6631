import { html } from 'lit-html';
import { isolate } from '../../_scripts/isolate.ts';
import { isPlacement, type PageRecord } from '../state/model.ts';

/** Formats a value of a record for a person. */
export const formatFieldValue = (value: unknown): string => {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Members that are not shown as differences, because they change with every change. */
const quiet = ['updatedAt', 'revision', 'links', 'transitions'];

/** Lists the members in which two versions of a record differ. */
export function listDifferences(
  was: PageRecord,
  now: PageRecord,
): { name: string; was: string; now: string }[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])];
  return names
    .filter((name) => !quiet.includes(name))
    .map((name) => ({ name, was: formatFieldValue(was[name]), now: formatFieldValue(now[name]) }))
    .filter(({ was: before, now: after }) => before !== after);
}

/** Something that happened to a record. */
export interface HistoryEvent {
  at: string;
  words: unknown;
  comment?: string | undefined;
  /** Whether the words say nothing that an entry of the activity does not say. */
  isGeneral?: boolean;
}

/** Lists the events that a record itself tells of, latest first. */
export function listOwnEvents(row: PageRecord): HistoryEvent[] {
  const { createdAt = '', updatedAt, revision = 1, transitions = [] } = row;
  const plain = (text: string) => text.replaceAll('-', ' ');
  const { statedAt, result, asOf, note, confirmations = [] } = isPlacement(row) ? row.outcome : {};
  const events: HistoryEvent[] = [
    { at: createdAt, words: 'Created', isGeneral: true },
    ...transitions.map(({ at, from, to, reason }) => {
      const words = `From ${plain(from)} to ${plain(to)}`;
      return { at, words: reason ? html`${words}, because: ${isolate(plain(reason))}` : words };
    }),
    ...(statedAt ? [{ at: statedAt, words: `Outcome stated: ${result}, as of ${asOf}`, comment: note }] : []),
    ...confirmations.map(({ at, party, agrees, comment }) => ({
      at,
      words: `The ${party} ${agrees ? 'agrees' : 'does not agree'}`,
      comment,
    })),
  ];
  if (updatedAt && !events.some(({ at }) => at === updatedAt))
    events.push({ at: updatedAt, words: `Last changed: version ${revision}`, isGeneral: true });
  return events.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
