import { html, type TemplateResult } from 'lit-html';
import { decisions, type ShortlistDecision } from '../../shortlists/decision-rules.ts';
import type { ShortlistRow } from '../../shortlists/shortlist.ts';
import { describeVerdict, sortEvidence } from '../_fit/evidence.ts';
import { viewAvatar, viewFitRow } from '../_fit/fit-row.ts';
import { need } from './dom.ts';
import { formatDate } from './format.ts';
import { isolate, isolateEach } from './isolate.ts';

/** What a person can choose on a card. */
export type CardChoice = ShortlistDecision | 'undo' | 'comment';

/** What a card shows besides its person. */
export interface CardState {
  /** Whether the field for a reason is shown. */
  isDeclining: boolean;
  /** Whether the field for a comment is shown. */
  isCommenting?: boolean;
  isSending: boolean;
  /** Why the last decision was refused or not sent. */
  fault?: string | undefined;
}

interface CardParts {
  /** Whether the decision can still be undone. */
  isUndoable: boolean;
  /** Whether the job is closed, so that nothing more is decided. */
  isClosed: boolean;
  longestReason: number;
  longestComment: number;
  state: CardState;
  change(change: Partial<CardState>): void;
  decide(choice: CardChoice, reason: string): unknown;
}

/** Describes what the client decided, and what happened since. Returns undefined before a decision. */
export function describeDecision({ decision, decidedBy, status }: ShortlistRow): string | undefined {
  if (!decision) return undefined;
  const who = decidedBy ?? 'You';
  const said = { interview: `${who} asked for an interview.`, decline: `${who} declined.` }[decision];
  return status === decisions[decision] ? said : `${said} Now: ${status}.`;
}

/** Lists what is said of a person in one line. */
export function listAbout({ title, metro, shifts = [], availableFrom }: ShortlistRow['candidate']): string[] {
  const from = availableFrom ? `from ${formatDate(availableFrom)}` : 'start not stated';
  const works = shifts.length > 0 ? `works ${shifts.join(', ')}` : '';
  return [title, metro, from, works].filter((part): part is string => Boolean(part));
}

const viewWhy = ({ score, reasons, candidate: { skills = [] } }: ShortlistRow) => html`<details>
  <summary>Why</summary>
  <ul class="plain why">
    <li>Fits ${Math.round(score)} of 100${reasons.length > 0 ? ': ' : ', no points'}${isolateEach(
      reasons.map(({ text }) => text),
      '; ',
    )}</li>
    ${skills.length > 0 ? html`<li>Skills: ${isolateEach(skills, ', ')}</li>` : ''}
  </ul>
</details>`;

/** Says when the client declined the person before, and which credentials have come since. */
function viewEarlierDecline({ declinedBefore }: ShortlistRow) {
  if (!declinedBefore) return '';
  const { on, newCredentials = [] } = declinedBefore;
  const since = newCredentials.length > 0 ? html` New since: ${isolateEach(newCredentials, ', ')}.` : '';
  return html`<p class="note">You declined this person on ${formatDate(on)}.${since}</p>`;
}

const viewComments = ({ comments = [] }: ShortlistRow) =>
  comments.map(
    ({ comment, reviewer }) =>
      html`<p class="note">${isolate(reviewer ?? 'A comment')}: ${isolate(comment)}</p>`,
  );

/** Shows the field for a comment, or the button that opens it. */
function viewCommenting({ id, candidate }: ShortlistRow, parts: CardParts) {
  const { state, longestComment, change, decide } = parts;
  if (!state.isCommenting)
    return html`<button type="button" class="button link" ?disabled=${state.isSending}
      @click=${() => change({ isCommenting: true })}>Comment${viewUnseenName(candidate.name)}</button>`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { value } = need<HTMLInputElement>(event.currentTarget as HTMLFormElement, 'input');
    if (value.trim() !== '') decide('comment', value.trim());
  };
  return html`<form class="reason" @submit=${submit}>
    <label for=${`comment-${id}`}>Comment, for your colleagues and the sender</label>
    <input id=${`comment-${id}`} maxlength=${longestComment} autocomplete="off" enterkeyhint="send" />
    <div class="actions">
      <button type="submit" class="button" ?disabled=${state.isSending}>Send the comment${viewUnseenName(candidate.name)}</button>
      <button type="button" class="button quiet" ?disabled=${state.isSending}
        @click=${() => change({ isCommenting: false, fault: undefined })}>Back</button>
    </div>
  </form>`;
}

/** Names the person of a button for those who do not see the card. */
const viewUnseenName = (name: string) => html`<span class="unseen"> ${isolate(name)}</span>`;

function viewButtons(row: ShortlistRow, isGood: boolean, { state, change, decide }: CardParts) {
  const { id, status, candidate } = row;
  const open = () => {
    change({ isDeclining: true, fault: undefined });
    need<HTMLElement>(document, `#reason-${id}`).focus();
  };
  return html`${
    status === 'proposed'
      ? html`<button type="button" class=${`button ${isGood ? '' : 'quiet'}`} ?disabled=${state.isSending}
            @click=${() => decide('interview', '')}>Interview${viewUnseenName(candidate.name)}</button>`
      : ''
  }
    <button type="button" class="button quiet" ?disabled=${state.isSending}
      @click=${open}>Decline${viewUnseenName(candidate.name)}</button>`;
}

/** Shows the field for a reason, and the button that declines. */
function viewReason({ id, candidate }: ShortlistRow, parts: CardParts) {
  const { state, longestReason, change, decide } = parts;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { value } = need<HTMLInputElement>(event.currentTarget as HTMLFormElement, 'input');
    decide('decline', value.trim());
  };
  const close = () => {
    change({ isDeclining: false, fault: undefined });
    need<HTMLElement>(document, `#${id} .actions .button:last-child`).focus();
  };
  return html`<form class="reason" @submit=${submit}>
    <label for=${`reason-${id}`}>Reason, if you like</label>
    <input id=${`reason-${id}`} maxlength=${longestReason} autocomplete="off" enterkeyhint="send" />
    <div class="actions">
      <button type="submit" class="button stop" ?disabled=${state.isSending}>Decline${viewUnseenName(candidate.name)}</button>
      <button type="button" class="button quiet" ?disabled=${state.isSending} @click=${close}>Back</button>
    </div>
  </form>`;
}

const viewFault = ({ fault }: CardState) =>
  fault ? html`<p class="verdict fault is-blocked" role="alert" tabindex="-1">${fault}</p>` : '';

/** Shows a decision in one line, with a button that undoes it as long as that is possible. */
const viewDecided = (
  row: ShortlistRow,
  { state, isUndoable, decide }: CardParts,
): TemplateResult => html`<li class="fit-row is-decided" id=${row.id}>
  <div class="decided-line">
    ${viewAvatar(row.candidate.name, 'small')}
    <div class="decided" tabindex="-1"><h3>${isolate(row.candidate.name)}</h3> <p class="note">${describeDecision(row)}</p></div>
    ${
      isUndoable
        ? html`<button type="button" class="button quiet" ?disabled=${state.isSending}
            @click=${() => decide('undo', '')}>Undo${viewUnseenName(row.candidate.name)}</button>`
        : ''
    }
  </div>
  ${viewFault(state)}
</li>`;

/** Shows a person: the verdict and each must-have first, then why, and the buttons to decide. */
export function viewCard(row: ShortlistRow, parts: CardParts): TemplateResult {
  const { state } = parts;
  if (row.decision) return viewDecided(row, parts);
  const { id, candidate } = row;
  const evidence = sortEvidence(row);
  const isGood = describeVerdict(evidence).tone !== 'is-blocked';
  const isDeclining = state.isDeclining && !parts.isClosed;
  const data = { id, name: candidate.name, about: listAbout(candidate), evidence, terms: [] };
  return viewFitRow(data, {
    shows: 'evidence',
    actions: parts.isClosed || isDeclining ? undefined : viewButtons(row, isGood, parts),
    below: html`${viewEarlierDecline(row)} ${viewComments(row)} ${viewWhy(row)} ${viewFault(state)}
      ${isDeclining ? viewReason(row, parts) : parts.isClosed ? '' : viewCommenting(row, parts)}`,
  });
}
