/** What came of the last proposals: who was proposed, why others were not, and the links for the clients. */
import { html, type TemplateResult } from 'lit-html';
import { formatAmount } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { button } from '../common/parts.ts';
import { toast } from '../common/toast.ts';
import { state } from '../state/state.ts';
import { listToShare, shareOrders } from './plan.ts';
import type { PlanChoice, PlanPage } from './plan-groups.ts';

function viewProposed({ proposed }: PlanChoice): TemplateResult | string {
  if (proposed.length === 0) return '';
  const links = proposed.map(
    ({ id, person, job }) => html`<li><a href=${`#${id}`}>${isolate(person)}</a> for ${isolate(job)}</li>`,
  );
  return html`<div class="verdict is-ok"><p>Proposed ${formatAmount(links.length, 'person', 'people')}:</p><ul class="plain">${links}</ul></div>`;
}

/** Shows the button that makes a link for each client of those who were proposed, until it was done. */
function viewShareButton(page: PlanPage): TemplateResult | string {
  const orders = listToShare(page);
  if (orders.length === 0) return '';
  return html`<p class="actions"><button type="button" class="button" ?disabled=${state.planChoice.isSending}
      @click=${() => shareOrders(orders)}>Share ${formatAmount(orders.length, 'shortlist')}</button>
    <span class="note">Each client gets a link, which you send. Nobody is emailed.</span></p>`;
}

/** Copies a link. If the browser refuses that, it selects the link instead. */
async function copy(url: string, { currentTarget }: Event): Promise<void> {
  const input = (currentTarget as Element).closest('li')?.querySelector('input');
  await navigator.clipboard.writeText(url).then(
    () => toast('Copied.'),
    () => input?.select(),
  );
}

/** Shows each link with a button that copies it. */
function viewShared({ shared }: PlanChoice): TemplateResult | string {
  if (shared.length === 0) return '';
  const links = shared.map(
    ({ job, client, url }) => html`<li><span><strong>${isolate(client)}</strong> ${isolate(job)}</span>
      <input type="text" readonly .value=${url} aria-label=${`Link for ${client}: ${job}`} />
      ${button('Copy', (event) => copy(url, event))}</li>`,
  );
  return html`<div class="card shared-links"><p class="note">Send each client their link. It is shown this once.</p>
    <ul class="plain">${links}</ul></div>`;
}

/** Shows what came of the last batch. It has the focus after it. */
export function viewResult(page: PlanPage): TemplateResult {
  const { refusal, remarks } = state.planChoice;
  const shown = new Set(page.groups.flatMap(({ people }) => people.map(({ key }) => key)));
  const gone = [...remarks].filter(([key]) => !shown.has(key));
  return html`<div id="plan-result" tabindex="-1" role="status">
    ${refusal ? html`<p class="verdict is-blocked">${refusal}</p>` : ''}
    ${viewProposed(state.planChoice)} ${viewShareButton(page)} ${viewShared(state.planChoice)}
    ${gone.map(([, { person, messages }]) => html`<p class="note">${isolate(person)}, who is not in the plan any more: ${isolateEach(messages, '; ')}</p>`)}
  </div>`;
}
