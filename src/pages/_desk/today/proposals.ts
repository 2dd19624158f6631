/** The proposals of an order, on the page Today: each person with the evidence, and the buttons to decide. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatAmount } from '../../_scripts/format.ts';
import { button, viewLoaded, viewNote } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { countApproved, decide, findHeld, undoDecisions } from '../room/decisions.ts';
import { approve, createApproval, decline } from '../room/fit-actions.ts';
import { viewFit } from '../room/fit-list.ts';
import { type Fit, type FitList, keyOf, pickWithoutConflicts } from '../room/fits.ts';
import { readFits } from '../room/read-fits.ts';
import { read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import { findKind } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

const isProposed = ({ placement }: Fit) => placement?.status === 'proposed';

/** Reads the people of the order whose proposals are shown. */
export async function loadReview(): Promise<void> {
  const id = state.reviewed;
  if (id === undefined || state.route.view !== 'today' || !state.workspace) return;
  await load('fits', async () => {
    const { path, name } = findKind('jobOrder');
    return readFits(name, (await read(`${path}/${id}`)).body[name]);
  });
}

/** Shows the proposals of an order in place, or hides them. */
export async function turnReview(id: string): Promise<void> {
  const isShown = state.reviewed === id;
  updateState({ reviewed: isShown ? undefined : id, fits: undefined });
  if (isShown) return;
  await loadReview();
  document.querySelector<HTMLElement>('.review .fit-open')?.focus();
}

/** Returns the row that has the focus, and its fit. */
function findFocused(fits: readonly Fit[]): Fit | undefined {
  const row = document.activeElement?.closest('.fit-row');
  return fits.find((fit) => keyOf(fit) === row?.id);
}

/** Moves the focus to another row. */
function stepToRow(fits: readonly Fit[], from: Fit, step: number): void {
  const next = fits[fits.indexOf(from) + step];
  const row = next && document.getElementById(keyOf(next));
  row?.querySelector<HTMLElement>('.fit-open')?.focus();
}

/** Decides on the row that has the focus, by one letter. */
function onKey(event: KeyboardEvent, fits: readonly Fit[]): void {
  const fit = findFocused(fits);
  if (!fit || event.ctrlKey || event.metaKey || event.altKey) return;
  const isHeld = findHeld(keyOf(fit)) !== undefined;
  const actions: Record<string, () => unknown> = {
    a: () => isHeld || attempt(() => approve(fit)),
    d: () => isHeld || decline(fit),
    u: () => isHeld && undoDecisions([keyOf(fit)]),
    ArrowDown: () => stepToRow(fits, fit, 1),
    ArrowUp: () => stepToRow(fits, fit, -1),
  };
  const run = actions[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

/** Shows the button that approves all who have no conflict, and what the keys do. */
function viewHead(fits: readonly Fit[], open: readonly Fit[], orderId: string): TemplateResult {
  const picked = pickWithoutConflicts(open, countApproved(orderId));
  const words =
    picked.length === fits.length
      ? `Approve all ${picked.length}`
      : `Approve the ${picked.length} without conflicts`;
  const approveAll = () => decide(picked.map((fit) => createApproval(fit)));
  return html`<div class="review-head">
    ${picked.length > 1 ? button(words, approveAll, '') : ''}
    <p class="note">An approved person is placed: they take an opening. Nobody is emailed.
      <span class="keys">Keys: <kbd>A</kbd> approve, <kbd>D</kbd> decline, <kbd>U</kbd> undo, <kbd>↑</kbd> <kbd>↓</kbd> move.</span></p>
  </div>`;
}

function viewRows({ rows, of }: FitList): TemplateResult {
  const fits = rows.filter(isProposed);
  if (fits.length === 0) return viewNote('No one is proposed any more.');
  const open = fits.filter((fit) => !findHeld(keyOf(fit)));
  return html`${viewHead(fits, open, of)}
    <ol class="plain fit-list of-review" @keydown=${(event: KeyboardEvent) => onKey(event, fits)}>
      ${repeat(fits, keyOf, (fit) => viewFit(fit, 'people', 'evidence'))}
    </ol>
    ${open.length === 0 ? html`<p class="note">You decided on ${formatAmount(fits.length, 'person', 'people')}. It is saved in a moment.</p>` : ''}`;
}

/** Shows the proposals of the order that the person reviews. */
export function viewReview(): TemplateResult {
  const { fits } = state;
  const isRead = fits !== undefined && (hasFailed(fits) || fits.of === state.reviewed);
  return html`<div class="review" id="review">
    ${isRead ? viewLoaded(fits, loadReview, viewRows) : viewNote('Comparing people …')}
  </div>`;
}
