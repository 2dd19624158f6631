import { html, type TemplateResult } from 'lit-html';
import { isolate } from '../../_scripts/isolate.ts';
import { viewSentence } from '../activity/activity.ts';
import type { ActivityRow } from '../activity/activity-sentence.ts';
import { viewEvents, viewNote } from '../common/parts.ts';
import type { OpenedRecord } from '../state/model.ts';
import { type HistoryEvent, listOwnEvents } from './versions.ts';

/** An event as it is shown. `detail` is what the record itself says of the same moment. */
interface ShownEvent extends Omit<HistoryEvent, 'isGeneral'> {
  detail?: unknown;
}

/** Whether the sentence of an entry says more than who changed what. */
const tellsMore = (entry: ActivityRow): entry is ActivityRow & { sentence: string } =>
  entry.sentence !== undefined && (entry.changes ?? []).length > 0;

/** The sentence of an entry without who asked, because the words before it say who made the change. */
const withoutActor = ({ sentence, actor }: ActivityRow & { sentence: string }): string =>
  actor === undefined ? sentence : sentence.replace(` (${actor})`, '');

/**
 * Joins the changes of a record with what the record itself tells of the same moments, so that each is shown once.
 * Only the record shows what happened before the oldest change that is kept.
 */
function joinEvents(changes: readonly ActivityRow[], ownEvents: readonly HistoryEvent[]): ShownEvent[] {
  const told = changes.map((change): ShownEvent => {
    const own = ownEvents.filter(({ at, isGeneral }) => at === change.at && !isGeneral);
    const ownWords = own.map(({ words }, index) => html`${index > 0 ? '; ' : ''}${words}`);
    return {
      at: change.at,
      words: viewSentence(change),
      detail: tellsMore(change) ? isolate(withoutActor(change)) : own.length > 0 ? ownWords : undefined,
      comment: own.find(({ comment }) => comment)?.comment,
    };
  });
  const moments = new Set(changes.map(({ at }) => at));
  const others = ownEvents.filter(({ at }) => !moments.has(at));
  return [...told, ...others].toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

/** Shows what happened to a record, latest first: who changed what, from which status to which, and why. */
export function viewHistory({ row, changes = [] }: OpenedRecord): TemplateResult {
  if (!row.createdAt) return viewNote('A public example: everybody sees it, and nobody changes it.');
  return html`<section aria-label="History"><h3>History</h3>
    ${viewEvents(joinEvents(changes, listOwnEvents(row)))}
  </section>`;
}
