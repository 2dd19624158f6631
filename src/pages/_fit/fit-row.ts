/**
 * The row of a person for an order, or of an order for a person: the name, the verdict, the terms, the stage, and what a
 * reader can do. The desk and the shortlist of a client both show it.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { formatDatesIn, toSentenceCase } from '../_scripts/format.ts';
import { viewIcon } from '../_scripts/icons.ts';
import { abbreviateName } from '../_scripts/initials.ts';
import { isolate, isolateEach } from '../_scripts/isolate.ts';
import { toStatusTone } from '../_scripts/status-tone.ts';
import { cutPhrase, describeVerdict, type Evidence } from './evidence.ts';

/** A term of the row, such as the pay that is asked, with a note below it. */
export interface FitTerm {
  label: string;
  value: string;
  note?: string;
  tone?: 'is-offer' | 'is-blocked';
}

/** What a row says. */
export interface FitRow {
  /** The id of its element, which also names it for the desk. */
  id: string;
  name: string;
  /** What is said of the name in one line, such as the title and the place. */
  about: readonly string[];
  /** Undefined if the person and the order were not compared. */
  evidence: Evidence | undefined;
  terms: readonly FitTerm[];
  /** The stage or another status. */
  stage?: string | undefined;
}

/** How a row is shown, and what a reader can do with it. */
interface FitParts {
  /** The line alone, or with each must-have below it. */
  shows: 'line' | 'evidence';
  isOpen?: boolean;
  /** Opens or closes the row. A row without it stays as it is. */
  toggle?: () => unknown;
  /** Where the name leads, if the row does not open. */
  href?: string;
  /** A control before the name, such as a box to tick. */
  choice?: unknown;
  actions?: unknown;
  /** What follows the must-haves. */
  below?: unknown;
}

export const viewAvatar = (name: string, size = ''): TemplateResult =>
  html`<bdi class=${`avatar ${size}`} aria-hidden="true">${abbreviateName(name)}</bdi>`;

function viewVerdict(evidence: Evidence | undefined): TemplateResult {
  if (!evidence) return html`<p class="chip fit is-empty">Not compared</p>`;
  const { tone, words, phrases } = describeVerdict(evidence);
  return html`<p class=${`chip fit ${tone}`}>${words}${isolateEach(phrases.map(formatDatesIn), ', ')}</p>`;
}

/** Shows one fact with its mark, and says the mark to a reader who does not see it. */
const viewMarked = (tone: string, icon: 'check' | 'cross' | 'question', mark: string, words: unknown) =>
  html`<li class=${tone}>${viewIcon(icon)}<span><span class="unseen">${mark}: </span>${words}</span></li>`;

const viewPlainFact = (tone: string, icon: 'cross' | 'question', mark: string) => (text: string) =>
  viewMarked(tone, icon, mark, isolate(toSentenceCase(formatDatesIn(text))));

/** Shows each must-have: first what is missing or does not fit, then what is in doubt, then what is met. */
function viewEvidence({ missing, others, unknown, ending, met }: Evidence): TemplateResult {
  const endOf = (phrase: string) => ending.find(({ requirement }) => requirement === phrase);
  const viewMet = ({ phrase, by }: Evidence['met'][number]) => {
    const end = endOf(phrase);
    const shown = formatDatesIn(cutPhrase(by, phrase));
    const note = end ? `ends on ${formatDatesIn(end.until)}, during the work` : shown;
    const words = html`${isolate(phrase)} <span class="note">${isolate(note)}</span>`;
    return end ? viewMarked('doubt', 'question', 'Ends', words) : viewMarked('', 'check', 'Met', words);
  };
  const byDoubt = met.toSorted((a, b) => Number(Boolean(endOf(b.phrase))) - Number(Boolean(endOf(a.phrase))));
  return html`<ul class="plain must-haves">
    ${missing.map(({ phrase, why }) => viewMarked('unmet', 'cross', 'Not met', html`<strong>${isolate(phrase)}</strong> ${formatDatesIn(why)}`))}
    ${others.map(viewPlainFact('unmet', 'cross', 'Not met'))}
    ${unknown.map(viewPlainFact('doubt', 'question', 'Not known'))}
    ${byDoubt.map(viewMet)}
  </ul>`;
}

const viewTerm = ({ label, value, note, tone }: FitTerm): TemplateResult =>
  html`<div class=${`term ${tone ?? ''}`} title=${[label, value, note].filter(Boolean).join(' ')}><dt>${label}</dt><dd>${isolate(value)}${
    note ? html` <span class="note">${isolate(note)}</span>` : ''
  }</dd></div>`;

function viewName({ id, name }: FitRow, { toggle, href, isOpen = false }: FitParts): unknown {
  if (href) return html`<a href=${href}>${isolate(name)}</a>`;
  return toggle
    ? html`<button type="button" class="fit-open" aria-expanded=${isOpen ? 'true' : 'false'} aria-controls=${`more-${id}`}
        @click=${toggle}>${isolate(name)}</button>`
    : isolate(name);
}

/** Shows the row. A click anywhere on its line opens it, if it can be opened. */
export function viewFitRow(row: FitRow, parts: FitParts): TemplateResult {
  const { id, name, about, evidence, terms, stage } = row;
  const { shows, isOpen, toggle, choice, actions, below } = parts;
  const onLine = (event: Event) => {
    const isControl = (event.target as Element).closest('a, button, input, label, summary');
    if (!isControl && getSelection()?.isCollapsed) toggle?.();
  };
  const hasMore = shows === 'evidence' || isOpen;
  return html`<li class=${`fit-row ${isOpen ? 'is-open' : ''}`} id=${id} data-key=${id}>
    <div class=${`fit-line ${toggle ? 'can-open' : ''}`} @click=${toggle ? onLine : nothing}>
      ${choice ?? ''}
      ${viewAvatar(name)}
      <div class="fit-who" tabindex="-1">
        <h3 class="fit-name">${viewName(row, parts)}</h3>
        <p class="note" title=${about.join(' · ')}>${isolateEach(about, ' · ')}</p>
      </div>
      <div class="fit-verdict">${viewVerdict(evidence)}</div>
      ${terms.length > 0 ? html`<dl class="fit-terms">${terms.map(viewTerm)}</dl>` : ''}
      ${stage ? html`<span class=${`chip ${toStatusTone(stage)}`}>${stage.replaceAll('-', ' ')}</span>` : ''}
    </div>
    <div class="fit-more" id=${`more-${id}`} ?hidden=${!hasMore}>
      ${hasMore && evidence ? viewEvidence(evidence) : ''}
      ${hasMore ? (below ?? '') : ''}
    </div>
    ${actions ? html`<div class="actions">${actions}</div>` : ''}
  </li>`;
}
