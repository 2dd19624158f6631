/** The people who fit an order, or the orders that fit a person, as one ranked list of rows. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { type FitRow, viewFitRow } from '../../_fit/fit-row.ts';
import { formatCount, formatDatesIn, toSentenceCase } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { button, viewNote } from '../common/parts.ts';
import { facts } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import { viewFitActions } from './fit-actions.ts';
import { listOrderTerms, listPersonTerms } from './fit-terms.ts';
import { type Fit, type FitGroup, fitGroups, groupFits, keyOf, readEvidence } from './fits.ts';
import { canPropose, place } from './propose.ts';

/** From which side a list is seen: it lists people for an order, or orders for a person. */
type Side = 'people' | 'orders';

/** The most rows of a group that are shown before the person asks for all. */
const mostShown = 8;
/** The most fits that are side by side. */
const mostCompared = 3;

const changeRoom = (change: Partial<typeof state.room>) =>
  updateState({ room: { ...state.room, ...change } });

/** Returns what the row of a fit says. */
function describeFit(fit: Fit, side: Side): FitRow {
  const { person, order, placement } = fit;
  const { title, metro, shifts = [] } = person;
  const works = shifts.length > 0 ? `works ${shifts.join(', ')}` : undefined;
  const about = side === 'people' ? [title, metro, works] : [order.client, order.metro];
  return {
    id: keyOf(fit),
    name: side === 'people' ? person.name : order.title,
    about: about.filter((part) => part !== undefined),
    evidence: readEvidence(fit),
    terms: side === 'people' ? listPersonTerms(fit) : listOrderTerms(fit),
    stage: placement?.status,
  };
}

/** Shows the score, what adds up to it, and what lowers it. */
export function viewScore({ match }: Pick<Fit, 'match'>): TemplateResult | string {
  if (!match) return '';
  const { score, reasons, gaps } = match;
  return html`<div class="fit-score"><p><strong>Score ${Math.round(score)} of 100</strong></p>
    <ul class="plain">${reasons.map(({ factor, points, text }) => html`<li>${Math.round(points)} of ${facts.points[factor]}, ${factor}: ${isolate(text)}</li>`)}
      ${gaps.map((text) => html`<li>${isolate(toSentenceCase(formatDatesIn(text)))}</li>`)}</ul></div>`;
}

/** Shows what an open row has below its must-haves: the score, the note of the proposal, and where it leads. */
function viewFitMore(fit: Fit, side: Side): TemplateResult {
  const { person, order, placement } = fit;
  const other = side === 'people' ? person.id : order.id;
  return html`${viewScore(fit)}
    ${placement?.note ? html`<p class="note" dir="auto">“${isolate(placement.note)}”</p>` : ''}
    <p class="actions"><a href=${`#${other}`}>${side === 'people' ? 'Open the candidate' : 'Open the order'}</a>
      ${placement ? html`<a href=${`#${placement.id}`}>Open the placement</a>` : ''}
      ${canPropose(fit) ? button('Place without a proposal', () => place(fit), 'link') : ''}</p>`;
}

function viewRefusals({ placement }: Fit): unknown {
  const refusals = (placement && state.held.refusals.get(placement.id)) ?? [];
  return refusals.map((text) => html`<p class="remark" role="alert">Not saved: ${isolate(text)}</p>`);
}

function viewCompareBox(fit: Fit, { name }: FitRow): TemplateResult {
  const { compared } = state.room;
  const key = keyOf(fit);
  const isOn = compared.includes(key);
  const turn = () =>
    changeRoom({ compared: isOn ? compared.filter((one) => one !== key) : [...compared, key] });
  return html`<label class="choice"><input type="checkbox" .checked=${isOn} ?disabled=${!isOn && compared.length >= mostCompared}
    aria-label=${`Compare ${name}`} @change=${turn} /></label>`;
}

/** Shows the row of a fit. A click opens it. */
export function viewFit(fit: Fit, side: Side, shows: 'line' | 'evidence' = 'line'): TemplateResult {
  const row = describeFit(fit, side);
  const { open } = state.room;
  const isOpen = open.has(row.id);
  const toggle = () =>
    changeRoom({ open: new Set(isOpen ? [...open].filter((id) => id !== row.id) : [...open, row.id]) });
  // A heading, or the page, says already that a proposal is one.
  const stage = row.stage === 'proposed' ? undefined : row.stage;
  return viewFitRow(
    { ...row, stage },
    {
      shows,
      isOpen,
      toggle,
      choice: side === 'people' && shows === 'line' ? viewCompareBox(fit, row) : undefined,
      actions: viewFitActions(fit),
      below: html`${viewRefusals(fit)} ${isOpen ? viewFitMore(fit, side) : ''}`,
    },
  );
}

/** Shows two or three people beside each other. */
function viewCompared(fits: readonly Fit[], side: Side): TemplateResult | string {
  const chosen = state.room.compared.flatMap((key) => fits.find((fit) => keyOf(fit) === key) ?? []);
  if (chosen.length === 0) return '';
  if (chosen.length === 1)
    return viewNote(
      html`${isolate(describeFit(chosen[0]!, side).name)} is ticked. Tick one or two more to see them side by side.`,
    );
  const clear = () => changeRoom({ compared: [] });
  return html`<section class="card side-by-side" aria-labelledby="compared-name">
    <header><h3 id="compared-name" tabindex="-1">Side by side</h3>${button('Close', clear, 'link')}</header>
    <ul class="plain fit-columns">${chosen.map((fit) => {
      const row = { ...describeFit(fit, side), id: `compared-${keyOf(fit)}` };
      return viewFitRow(row, { shows: 'evidence', actions: viewFitActions(fit), below: viewScore(fit) });
    })}</ul>
  </section>`;
}

function viewGroup(name: FitGroup, fits: readonly Fit[], side: Side): TemplateResult {
  const id = `group-${name}`;
  const shown = state.room.open.has(id) || name !== 'fitting' ? fits : fits.slice(0, mostShown);
  const showAll = () => changeRoom({ open: new Set([...state.room.open, id]) });
  const rows = html`<ol class="plain">${repeat(shown, keyOf, (fit) => viewFit(fit, side))}</ol>
    ${fits.length > shown.length ? html`<p class="more">${button(`Show all ${formatCount(fits.length)}`, showAll)}</p>` : ''}`;
  const words = html`${fitGroups[name]} <span class="count">${formatCount(fits.length)}</span>`;
  if (name === 'over')
    return html`<details class="fit-group"><summary><h3 id=${id}>${words}</h3></summary>${rows}</details>`;
  return html`<section class="fit-group" aria-labelledby=${id}><h3 id=${id} tabindex="-1">${words}</h3>${rows}</section>`;
}

/** Shows what a score is made of, in the words of the service. Its last sentence is an address, and becomes a link. */
const viewHow = (words: string): TemplateResult =>
  viewNote(
    html`${words.replace(/ See \/guides\/matching\.html\.$/, '')} <a href="/guides/matching.html">How people are matched</a>`,
  );

/** Shows the list of a record: the groups, those who are proposed first. */
export function viewFitList(
  { rows, more, words }: { rows: readonly Fit[]; more: number; words: string },
  side: Side,
) {
  const groups = [...groupFits(rows)];
  return html`${viewCompared(rows, side)}
    <div class="card fit-list">${groups.map(([name, fits]) => viewGroup(name, fits, side))}</div>
    ${more > 0 ? viewNote(`${formatCount(more)} more fit less well.`) : ''}
    ${words ? viewHow(words) : ''}`;
}
