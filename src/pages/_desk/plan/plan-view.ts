/** The plan: people for all open orders, whom a person ticks and proposes. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { sortEvidence } from '../../_fit/evidence.ts';
import { viewFitRow } from '../../_fit/fit-row.ts';
import { formatAmount, formatCount, formatDate, toSentenceCase } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { button, viewLoaded, viewNote } from '../common/parts.ts';
import type { PageRecord } from '../state/model.ts';
import { findKind } from '../state/page-facts.ts';
import { formatHash, planAddress } from '../state/route.ts';
import { state } from '../state/state.ts';
import { loadPlan, mostProposed, proposeTicked, strictPlanAddress, tick } from './plan.ts';
import { listProposable, type PlanGroup, type PlanPage, type SuggestedPerson } from './plan-groups.ts';

const isStrict = () => state.route.query.unstated === 'unmet';

/** Shows why a person could not be proposed. */
const viewRemarks = (messages: readonly string[] = []): unknown =>
  messages.map((message) => html`<p class="remark">${isolate(toSentenceCase(message))}</p>`);

/** Returns what is known of a person whom the plan suggests. Such a person meets all must-haves at the start. */
function readPlanEvidence({ unknown, endsDuring = [] }: SuggestedPerson, order: PageRecord | undefined) {
  const { requires = [] } = (order ?? {}) as { requires?: string[] };
  const met = requires.map((phrase) => ({ phrase, by: phrase }));
  return sortEvidence({ met, missing: [], unmet: [], unknown, endsDuring });
}

/** Shows a person who is suggested for an order, with a box to tick unless they are proposed already. */
function viewPerson(suggested: SuggestedPerson, order: PageRecord | undefined): TemplateResult {
  const { key, candidate, score, placement, placementId } = suggested;
  const { ticked } = state.planChoice;
  const turn = ({ target }: Event) => {
    const others = [...ticked].filter((one) => one !== key);
    tick((target as HTMLInputElement).checked ? [...others, key] : others);
  };
  const isFull = ticked.size >= mostProposed && !ticked.has(key);
  const box = html`<label class="choice"><input type="checkbox" id=${`tick-${key}`} aria-label=${`Propose ${candidate.name}`} .checked=${ticked.has(key)} ?disabled=${isFull} @change=${turn} /></label>`;
  const row = {
    id: `plan-${key.replace(' ', '-')}`,
    name: candidate.name,
    about: [],
    evidence: readPlanEvidence(suggested, order),
    terms: [{ label: 'Score', value: String(Math.round(score)), note: 'of 100' }],
  };
  const remarks = state.planChoice.remarks.get(key)?.messages;
  return viewFitRow(row, {
    shows: 'line',
    isOpen: remarks !== undefined,
    href: `#${candidate.id}`,
    choice: placement ? box : undefined,
    actions: placementId === undefined ? undefined : html`<a href=${`#${placementId}`}>Proposed already</a>`,
    below: viewRemarks(remarks),
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
            (person) => viewPerson(person, page.orders.get(order.id)),
          )}</ul>`
        : ''
    }
    ${empty ? html`<p class="note empty">${formatAmount(empty.openings, 'opening stays', 'openings stay')} empty. ${empty.reason}</p>` : ''}
  </section>`;
}

/** Shows what came of the last batch. It has the focus after it. */
function viewResult({ groups }: PlanPage): TemplateResult {
  const { proposed, refusal, remarks } = state.planChoice;
  const shown = new Set(groups.flatMap(({ people }) => people.map(({ key }) => key)));
  const gone = [...remarks].filter(([key]) => !shown.has(key));
  const tone = refusal ? 'verdict is-blocked' : 'verdict is-ok';
  const links = proposed.map(
    ({ id, person, job }) => html`<li><a href=${`#${id}`}>${isolate(person)}</a> for ${isolate(job)}</li>`,
  );
  return html`<div id="plan-result" tabindex="-1" role="status">
    ${refusal ? html`<p class=${tone}>${refusal}</p>` : ''}
    ${links.length > 0 ? html`<div class=${tone}><p>Proposed ${formatAmount(links.length, 'person', 'people')}:</p><ul class="plain">${links}</ul></div>` : ''}
    ${gone.map(([, { person, messages }]) => html`<p class="note">${isolate(person)}, who is not in the plan any more: ${isolateEach(messages, '; ')}</p>`)}
  </div>`;
}

/** Shows the buttons that tick, and the one that proposes who is ticked. */
function viewChoice(page: PlanPage): TemplateResult {
  const { ticked, isSending } = state.planChoice;
  const certain = listProposable(page.groups, ({ unknown }) => unknown.length === 0).map(({ key }) => key);
  const chosen = listProposable(page.groups, ({ key }) => ticked.has(key)).length;
  const certainWords = `Tick all ${formatCount(certain.length)} that have nothing unknown`;
  return html`<div class="bar-of-choice">
    <button type="button" class="button" ?disabled=${chosen === 0 || isSending} @click=${() => proposeTicked(page)}>Propose ${chosen > 0 ? formatCount(chosen) : ''}</button>
    ${certain.length > 0 ? button(certainWords, () => tick(certain)) : ''}
    ${chosen > 0 ? button('Untick all', () => tick([])) : viewNote('Tick who is to be proposed.')}
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
    <p class="note">The plan fills the most openings, then takes what lasts through the work, then the highest scores. Each person is in it once. Nobody is proposed until you do it.</p>
    <p><label class="switch"><input type="checkbox" role="switch" .checked=${isStrict()} @change=${turn} /> Only what is stated to fit</label></p>
    <div data-place="plan" aria-busy=${state.plan === undefined ? 'true' : 'false'}>
      ${state.plan === undefined ? viewNote('Planning …') : viewLoaded(state.plan, loadPlan, viewGroups)}
    </div>
  </section>`;
}
