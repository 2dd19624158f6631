import { html, type TemplateResult } from 'lit-html';
import { decisions, type ShortlistDecision } from '../../shortlists/decision-rules.ts';
import type { ShortlistRow } from '../../shortlists/shortlist.ts';
import { need } from './dom.ts';
import { formatDate, formatDatesIn, toSentenceCase } from './format.ts';
import { viewIcon } from './icons.ts';
import { abbreviateName } from './initials.ts';
import { isolate, isolateEach } from './isolate.ts';
import { cutPhrase, describeVerdict, type MustHaves, sortMustHaves } from './must-haves.ts';

/** What a person can choose on a card. */
export type CardChoice = ShortlistDecision | 'undo';

/** What a card shows besides its person. */
export interface CardState {
  /** Whether the field for a reason is shown. */
  isDeclining: boolean;
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
  state: CardState;
  change(change: Partial<CardState>): void;
  decide(choice: CardChoice, reason: string): unknown;
}

/** Describes what the client decided, and what happened since. Returns undefined before a decision. */
export function describeDecision({ decision, status }: ShortlistRow): string | undefined {
  if (!decision) return undefined;
  const said = { interview: 'You asked for an interview.', decline: 'You declined.' }[decision];
  return status === decisions[decision] ? said : `${said} Now: ${status}.`;
}

/** Lists what is said of a person in one line. */
export function listAbout({ title, metro, shifts = [], availableFrom }: ShortlistRow['candidate']): string[] {
  const from = availableFrom ? `from ${formatDate(availableFrom)}` : 'start not stated';
  const works = shifts.length > 0 ? `works ${shifts.join(', ')}` : '';
  return [title, metro, from, works].filter((part): part is string => Boolean(part));
}

const viewAvatar = (name: string, size = '') =>
  html`<bdi class=${`avatar ${size}`} aria-hidden="true">${abbreviateName(name)}</bdi>`;

export function viewVerdict(mustHaves: MustHaves) {
  const { tone, words, phrases } = describeVerdict(mustHaves);
  return html`<p class=${`chip fit ${tone}`}>${words}${isolateEach(phrases, ', ')}</p>`;
}

const viewUnmet = (words: unknown) =>
  html`<li class="unmet">${viewIcon('cross')}<span><span class="unseen">Not met: </span>${words}</span></li>`;

/** Shows a row for each must-have, the unmet ones first. */
export const viewMustHaves = ({ missing, others, met }: MustHaves) => html`<ul class="plain must-haves">
  ${missing.map(({ phrase, why }) => viewUnmet(html`<strong>${isolate(phrase)}</strong> ${formatDatesIn(why)}`))}
  ${others.map((text) => viewUnmet(isolate(toSentenceCase(formatDatesIn(text)))))}
  ${met.map(
    ({ phrase, by }) => html`<li>${viewIcon('check')}<span><span class="unseen">Met: </span>${isolate(phrase)}
      <span class="note">${isolate(formatDatesIn(cutPhrase(by, phrase)))}</span></span></li>`,
  )}
</ul>`;

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

/** Names the person of a button for those who do not see the card. */
const viewUnseenName = (name: string) => html`<span class="unseen"> ${isolate(name)}</span>`;

function viewButtons(row: ShortlistRow, isGood: boolean, { state, change, decide }: CardParts) {
  const { id, status, candidate } = row;
  const open = () => {
    change({ isDeclining: true, fault: undefined });
    need<HTMLElement>(document, `#reason-${id}`).focus();
  };
  return html`<div class="actions">
    ${
      status === 'proposed'
        ? html`<button type="button" class=${`button ${isGood ? '' : 'quiet'}`} ?disabled=${state.isSending}
            @click=${() => decide('interview', '')}>Interview${viewUnseenName(candidate.name)}</button>`
        : ''
    }
    <button type="button" class="button quiet" ?disabled=${state.isSending}
      @click=${open}>Decline${viewUnseenName(candidate.name)}</button>
  </div>`;
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
): TemplateResult => html`<li class="card person" id=${row.id}>
  <div class="who">
    ${viewAvatar(row.candidate.name, 'small')}
    <div class="decided" tabindex="-1"><h2>${isolate(row.candidate.name)}</h2> <p class="note">${describeDecision(row)}</p></div>
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
  const { name, ...about } = row.candidate;
  const mustHaves = sortMustHaves(row);
  return html`<li class="card person" id=${row.id}>
    <div class="who">
      ${viewAvatar(name)}
      <div class="undecided" tabindex="-1"><h2>${isolate(name)}</h2><p class="note">${isolateEach(listAbout({ name, ...about }), ' · ')}</p></div>
    </div>
    ${viewVerdict(mustHaves)}
    ${viewMustHaves(mustHaves)}
    ${viewWhy(row)}
    ${viewFault(state)}
    ${parts.isClosed ? '' : state.isDeclining ? viewReason(row, parts) : viewButtons(row, row.unmet.length === 0, parts)}
  </li>`;
}
