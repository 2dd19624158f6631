/** What a person can do with a fit: propose, approve, interview, offer, decline, and undo. */
import { html, type TemplateResult } from 'lit-html';
import { isolate } from '../../_scripts/isolate.ts';
import { viewMenu } from '../common/menu.ts';
import { button } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { askDespite, openRecord } from '../record/change.ts';
import { openMove } from '../record/moves.ts';
import { findKind } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { countApproved, decide, findHeld, undoDecisions } from './decisions.ts';
import { type Fit, listConflicts, nameOfJob } from './fits.ts';
import type { Decision } from './held.ts';
import { canPropose, propose } from './propose.ts';

/** Returns the decision to accept a person. A placement without a start gets that of its order. */
export function createApproval({ placement, order }: Fit, isForced = false): Decision {
  const startDate = placement!.startDate === undefined ? order.startDate : undefined;
  return { placement: placement!, to: 'scheduled', startDate, isForced };
}

/** Accepts a person. Shows what speaks against it first. */
export async function approve(fit: Fit): Promise<void> {
  const conflicts = listConflicts(fit, countApproved(fit.order.id));
  const title = html`Approve ${isolate(fit.person.name)} as ${isolate(nameOfJob(fit.order))}?`;
  if (conflicts.length > 0 && !(await askDespite(conflicts, title))) return;
  decide([createApproval(fit, conflicts.length > 0)]);
}

const decideTo = ({ placement }: Fit, to: Decision['to']) => decide([{ placement: placement!, to }]);

export const decline = (fit: Fit): void => decideTo(fit, 'declined');

const ask = ({ placement }: Fit, to: string) =>
  attempt(async () => openMove(await openRecord(findKind('placement'), placement!.id), to));

/** Words of a button. A reader who does not see the row hears whom it is about. */
const about = ({ person, order }: Fit, words: string) =>
  html`${words}<span class="unseen"> ${isolate(person.name)} for ${isolate(order.title)}</span>`;

const viewMore = (fit: Fit, items: readonly { words: string; run(): unknown }[]): TemplateResult =>
  viewMenu(
    html`<span aria-hidden="true">⋯</span><span class="unseen">More for ${isolate(fit.person.name)}</span>`,
    items,
  );

const heldWords = { scheduled: 'Approved', interviewing: 'To be interviewed', declined: 'Declined' };

function viewHeld(fit: Fit, { placement, to }: Decision): TemplateResult {
  if (state.held.isSending) return html`<span class="note">Saving …</span>`;
  return html`<span class="held">${heldWords[to]}</span>
    ${button(about(fit, 'Undo'), () => undoDecisions([placement.id]))}`;
}

/** Shows the buttons for a proposal, an interview or an offer. `tone` is that of the first. */
function viewMoves(fit: Fit, tone: string): TemplateResult | string {
  const decliner = button(about(fit, 'Decline'), () => decline(fit));
  const interview = { words: 'Interview first', run: () => decideTo(fit, 'interviewing') };
  const offer = { words: 'Make offer', run: () => ask(fit, 'offered') };
  const accept = { words: 'Accept', run: () => ask(fit, 'scheduled') };
  const reason = { words: 'Decline with a reason', run: () => ask(fit, 'declined') };
  switch (fit.placement?.status) {
    case 'proposed':
      return html`${button(about(fit, 'Approve'), () => approve(fit), tone)}${decliner}${viewMore(fit, [interview, offer, reason])}`;
    case 'interviewing':
      return html`${button(about(fit, 'Make offer'), offer.run, tone)}${decliner}${viewMore(fit, [accept, reason])}`;
    case 'offered':
      return html`${button(about(fit, 'Accept'), accept.run, tone)}${decliner}${viewMore(fit, [reason])}`;
    default:
      return canPropose(fit) ? button(about(fit, 'Propose'), () => propose(fit)) : '';
  }
}

/** Shows what can be done with a fit now. The first button stands out if nothing speaks against the person. */
export function viewFitActions(fit: Fit): TemplateResult | string {
  const held = fit.placement && findHeld(fit.placement.id);
  if (held) return viewHeld(fit, held);
  if (fit.placement?.example) return '';
  return viewMoves(fit, listConflicts(fit).length === 0 ? '' : 'quiet');
}
