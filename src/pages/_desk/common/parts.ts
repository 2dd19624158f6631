/** What several tabs use: small parts of the page, dialogs, and words about records. */
import { html, svg, type TemplateResult } from 'lit-html';
import { isolate } from '../../_scripts/isolate.ts';
import { toStatusTone } from '../../_scripts/status-tone.ts';
import { hasFailed } from '../state/load.ts';
import type { PartState } from '../state/state.ts';
import { ageOf } from './age.ts';

/** A button. `tone` is a second CSS class. */
export const button = (words: unknown, run: (event: Event) => unknown, tone = 'quiet'): TemplateResult =>
  html`<button type="button" class=${`button ${tone}`} @click=${run}>${words}</button>`;

/** Shows a loaded part of the page, or why it could not be loaded, with a button to try again. The page retries too. */
export function viewLoaded<T>(
  loaded: PartState<T>,
  retry: () => unknown,
  view: (read: T) => unknown,
): unknown {
  if (loaded === undefined) return '';
  if (!hasFailed(loaded)) return view(loaded);
  const again = async ({ currentTarget }: Event) => {
    const part = (currentTarget as Element).closest('section');
    await retry();
    part?.querySelector<HTMLElement>('h2, h3')?.focus();
  };
  return html`<p class="verdict is-blocked" role="alert">${loaded.failed}</p>
    ${loaded.isGone ? '' : html`<p class="actions">${button('Retry', again)}</p>`}`;
}

/** Shows a part of the page with a heading beside it. */
export const viewPart = (id: string, title: string, body: unknown, note?: unknown): TemplateResult =>
  html`<section class="part" aria-labelledby=${id}>
    <div><h2 id=${id} tabindex="-1">${title}</h2>${note}</div>
    <div class="body" data-place=${id}>${body}</div>
  </section>`;

export const viewNote = (words: unknown) => html`<p class="note">${words}</p>`;

interface ShownEvent {
  at: string;
  words: unknown;
  detail?: unknown;
  comment?: string | undefined;
}

/** Shows events: what was done, when, more about it, and the comment of a person. */
export const viewEvents = (events: readonly ShownEvent[]) =>
  html`<ol class="plain history">${events.map(
    ({ at, words, detail, comment }) => html`<li>
      <p class="note">${ageOf(at)}</p>
      <p>${words}</p>
      ${detail ? html`<p class="note">${detail}</p>` : ''}
      ${comment ? html`<p class="note" dir="auto">“${isolate(comment)}”</p>` : ''}
    </li>`,
  )}</ol>`;

/** Shows the status of a record as a mark. */
export const viewStatus = (status: string): TemplateResult =>
  html`<span class=${`chip ${toStatusTone(status)}`}>${status.replaceAll('-', ' ')}</span>`;

const toPercent = (part: number) => `${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%`;

/** Shows a bar that is filled from the left. `part` is a share of the whole, and `tone` a CSS class. */
export function viewBar(parts: { part: number; tone?: string }[], height = 8): TemplateResult {
  let before = 0;
  const filled = parts.map(({ part, tone = '' }) => {
    const x = toPercent(before);
    before += part;
    return svg`<rect class=${`filled ${tone}`} x=${x} width=${toPercent(part)} height=${height} />`;
  });
  return html`<svg class="bar" width="100%" height=${height} aria-hidden="true">
    <rect class="whole" width="100%" height=${height} />${filled}</svg>`;
}
