import { el } from '../dom.ts';
import type { Row } from './facts.ts';
import { toMoment } from './glance.ts';
import { isPlacement } from './row.ts';

interface Event {
  at: string;
  words: string;
  comment?: string | undefined;
}

/** All that is known of when something was done with a record, the latest first. */
function toEvents(row: Row): Event[] {
  const { createdAt, updatedAt, revision = 1, transitions = [] } = row;
  if (!createdAt) return [];
  const events: Event[] = [{ at: createdAt, words: 'Created' }];
  for (const { at, from, to, reason } of transitions) {
    const why = reason ? `, because: ${reason.replaceAll('-', ' ')}` : '';
    events.push({ at, words: `From ${from.replaceAll('-', ' ')} to ${to.replaceAll('-', ' ')}${why}` });
  }
  if (isPlacement(row)) {
    const { statedAt, result, asOf, note, confirmations } = row.outcome;
    if (statedAt)
      events.push({ at: statedAt, words: `Outcome stated: ${result}, as of ${asOf}`, comment: note });
    for (const { at, party, agrees, comment } of confirmations) {
      events.push({ at, words: `The ${party} ${agrees ? 'agrees' : 'does not agree'}`, comment });
    }
  }
  if (updatedAt && !events.some(({ at }) => at === updatedAt)) {
    events.push({ at: updatedAt, words: `Last changed: version ${revision}` });
  }
  return events.toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

/** What happened to a record, the latest first. */
export function drawHistory(row: Row): HTMLElement {
  const events = toEvents(row).map(({ at, words, comment }) =>
    el(
      'li',
      {},
      el('time', { datetime: at, class: 'note' }, toMoment(at)),
      el('p', {}, words),
      comment ? el('p', { class: 'note', dir: 'auto' }, `“${comment}”`) : '',
    ),
  );
  if (events.length === 0)
    return el('p', { class: 'note' }, 'A public example: everybody sees it, and nobody changes it.');
  return el(
    'section',
    { 'aria-label': 'History' },
    el('h3', {}, 'History'),
    el('ol', { class: 'plain history' }, ...events),
  );
}
