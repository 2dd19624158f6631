/** The plan: people for all open orders, whom a person ticks and proposes. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { sortEvidence } from '../../_fit/evidence.ts';
import { viewFitRow } from '../../_fit/fit-row.ts';
import { formatAmount, formatCount, formatDate, toSentenceCase } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { button, viewLoaded, viewNote } from '../common/parts.ts';
import { viewScore } from '../room/fit-list.ts';
import { listPersonTerms } from '../room/fit-terms.ts';
import { type Fit, type FitOrder, readEvidence } from '../room/fits.ts';
import { findKind } from '../state/page-facts.ts';
import { formatHash, planAddress } from '../state/route.ts';
import { state } from '../state/state.ts';
import { loadPlan, proposeTicked, strictPlanAddress, tick, toggleRow } from './plan.ts';
import {
  listCertain,
  listProposable,
  listTicked,
  mostProposed,
  type PlanGroup,
  type PlanPage,
  type SuggestedPerson,
} from './plan-groups.ts';
import { viewResult } from './plan-result.ts';

const isStrict = () => state.route.query.unstated === 'unmet';

/** Shows why a person could not be proposed. */
const viewRemarks = (messages: readonly string[] = []): unknown =>
  messages.map((message) => html`<p class="remark">${isolate(toSentenceCase(message))}</p>`);

/** Returns what is known of a person whom the plan suggests. Such a person meets all must-haves at the start. */
function readPlanEvidence({ unknown, endsDuring = [] }: SuggestedPerson, { requires = [] }: FitOrder) {
  const met = requires.map((phrase) => ({ phrase, by: phrase }));
  return sortEvidence({ met, missing: [], unmet: [], unknown, endsDuring });
}

/** Joins what is known of a person and an order. Until its row was opened, the two are not compared in full. */
function joinFit({ key, candidate, unknown }: SuggestedPerson, { order }: PlanGroup, page: PlanPage): Fit {
  const { freeFrom, ...person } = { ...candidate, ...page.people.get(candidate.id) };
  const isStated = !unknown.some((text) => text.startsWith('availability'));
  return {
    person: { ...person, ...(isStated && freeFrom !== undefined && { freeFrom }) },
    order: { client: '', ...order, ...page.orders.get(order.id) },
    match: state.planChoice.matches.get(key),
    placement: undefined,
    proposer: undefined,
  };
}

/** Says at which stage the placement of a pair is. */
function describeStage(placementId: string, { stages }: PlanPage): string {
  const stage = stages.get(placementId) ?? 'proposed';
  return `${toSentenceCase(stage.replaceAll('-', ' '))} already`;
}

/** Shows the box that ticks a person. */
function viewTick({ key, candidate }: SuggestedPerson, page: PlanPage): TemplateResult {
  const ticked = listTicked(page, state.planChoice);
  const turn = ({ target }: Event) => {
    const others = [...ticked].filter((one) => one !== key);
    tick((target as HTMLInputElement).checked ? [...others, key] : others);
  };
  const isFull = ticked.size >= mostProposed && !ticked.has(key);
  return html`<label class="choice"><input type="checkbox" id=${`tick-${key}`} aria-label=${`Propose ${candidate.name}`}
    .checked=${ticked.has(key)} ?disabled=${isFull} @change=${turn} /></label>`;
}

/** Shows a person who is suggested for an order. The row opens on the reasons of the score. */
function viewPerson(suggested: SuggestedPerson, group: PlanGroup, page: PlanPage): TemplateResult {
  const { key, candidate, score, placement, placementId } = suggested;
  const fit = joinFit(suggested, group, page);
  const { title, metro } = fit.person;
  const row = {
    id: `plan-${key.replace(' ', '-')}`,
    name: candidate.name,
    about: [title, metro].filter((part) => part !== undefined),
    evidence: readEvidence(fit) ?? readPlanEvidence(suggested, fit.order),
    terms: [...listPersonTerms(fit), { label: 'Score', value: String(Math.round(score)), note: 'of 100' }],
  };
  const remarks = state.planChoice.remarks.get(key)?.messages;
  const link = placementId && html`<a href=${`#${placementId}`}>${describeStage(placementId, page)}</a>`;
  return viewFitRow(row, {
    shows: 'line',
    isOpen: remarks !== undefined || state.planChoice.open.has(key),
    toggle: () => toggleRow(page, group.order, suggested),
    choice: placement ? viewTick(suggested, page) : undefined,
    actions: link || undefined,
    below: html`${viewRemarks(remarks)} ${viewScore(fit)}
      <p class="actions"><a href=${`#${candidate.id}`}>Open the candidate</a></p>`,
  });
}

/** Describes an order of the plan: its client and its start. */
function viewTerms({ order }: PlanGroup, { orders }: PlanPage): unknown {
  const { client, startDate } = (orders.get(order.id) ?? {}) as { client?: string; startDate?: string };
  const parts = [client, startDate && `starts ${formatDate(startDate)}`].filter((part) => part !== undefined);
  return isolateEach(parts, ' · ');
}

function viewGroup(group: PlanGroup, page: PlanPage): TemplateResult {
  const { order, people, empty } = group;
  return html`<section class="card" aria-labelledby=${`plan-${order.id}`}>
    <h3 id=${`plan-${order.id}`}><a href=${`#${order.id}`}>${isolate(order.title)}</a> <span class="of">${viewTerms(group, page)}</span></h3>
    ${
      people.length > 0
        ? html`<ul class="plain fit-list">${repeat(
            people,
            ({ key }) => key,
            (person) => viewPerson(person, group, page),
          )}</ul>`
        : ''
    }
    ${empty ? html`<p class="note empty">${formatAmount(empty.openings, 'opening stays', 'openings stay')} empty. ${empty.reason}</p>` : ''}
  </section>`;
}

/** Shows the button that proposes who is ticked, and the ones that tick. */
function viewChoice(page: PlanPage): TemplateResult {
  const { isSending } = state.planChoice;
  const ticked = listTicked(page, state.planChoice);
  const certain = listCertain(page);
  const chosen = listProposable(page.groups, ({ key }) => ticked.has(key)).length;
  const hasCertain = certain.length > 0 && certain.every((key) => ticked.has(key));
  return html`<div class="bar-of-choice">
    <button type="button" class="button" ?disabled=${chosen === 0 || isSending} @click=${() => proposeTicked(page)}>Propose ${chosen > 0 ? formatCount(chosen) : ''}</button>
    ${chosen > 0 ? button('Untick all', () => tick([])) : ''}
    ${hasCertain || certain.length === 0 ? '' : button(`Tick the ${formatCount(certain.length)} who are certain`, () => tick(certain))}
    ${viewNote(chosen > 0 ? 'Who is ticked is proposed. Nobody is emailed.' : 'Tick who is to be proposed.')}
    ${chosen >= mostProposed ? viewNote(`At most ${mostProposed} people are proposed at once.`) : ''}
  </div>`;
}

function viewGroups(page: PlanPage): TemplateResult {
  const { groups, more, words } = page;
  const proposable = listProposable(groups, () => true).length;
  return html`${viewResult(page)}
    ${groups.length === 0 ? viewNote(words) : ''}
    ${proposable > 0 ? viewChoice(page) : ''}
    ${repeat(
      groups,
      ({ order }) => order.id,
      (group) => viewGroup(group, page),
    )}
    ${more > 0 ? viewNote(`${formatAmount(more, 'more order is', 'more orders are')} open. Fill these first, then plan again.`) : ''}`;
}

/** Shows a plan for all open orders. The person ticks who is proposed. */
export function viewPlan(): TemplateResult {
  const turn = ({ target }: Event) => {
    location.hash = (target as HTMLInputElement).checked ? strictPlanAddress : planAddress;
  };
  return html`<section class="plan" aria-labelledby="plan-name">
    <p class="crumb"><a href=${formatHash(findKind('jobOrder'))}>All job orders</a> / plan</p>
    <h2 id="plan-name" tabindex="-1">Fill all open orders</h2>
    <p class="note">The plan fills the most openings, then takes what lasts through the work, then the highest scores. Each person is in it once. Those of whom all is certain are ticked, and nobody is proposed until you do it.</p>
    <p><label class="switch"><input type="checkbox" role="switch" .checked=${isStrict()} @change=${turn} /> Only what is stated to fit</label></p>
    <div data-place="plan" aria-busy=${state.plan === undefined ? 'true' : 'false'}>
      ${state.plan === undefined ? viewNote('Planning …') : viewLoaded(state.plan, loadPlan, viewGroups)}
    </div>
  </section>`;
}
