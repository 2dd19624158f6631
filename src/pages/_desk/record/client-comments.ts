import { html } from 'lit-html';
import { timeOf } from '../../_scripts/dom.ts';
import { isolate } from '../../_scripts/isolate.ts';
import type { OpenedRecord } from '../state/model.ts';

/** Shows what the people of the client said of a placement on the shortlist. */
export function viewComments({ row }: OpenedRecord): unknown {
  const { comments = [] } = row as { comments?: { at: string; comment: string; reviewer?: string }[] };
  if (comments.length === 0) return '';
  return html`<section class="flow" aria-label="Comments">
    <h3>What the client said</h3>
    ${comments.map(
      ({ at, comment, reviewer }) =>
        html`<p>${isolate(comment)} <span class="note">${isolate(reviewer ?? 'The client')}, ${timeOf(at)}</span></p>`,
    )}
  </section>`;
}
