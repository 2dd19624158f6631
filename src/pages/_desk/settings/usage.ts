import { html, type TemplateResult } from 'lit-html';
import { formatCount, formatDollars } from '../../_scripts/format.ts';
import { viewBar, viewNote, viewPart } from '../common/parts.ts';
import type { WorkspaceFacts } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';

type Usage = WorkspaceFacts['usage'];

/** How many calls are included: by the rate card, and earned by work. */
function describeIncludedCalls(operation: string, included: number | 'unlimited'): string {
  if (included === 'unlimited') return 'as many as you like, included';
  const card = Math.min(included, facts.rates[operation]?.included ?? included);
  const earned = included > card ? `, ${formatCount(included - card)} earned by work` : '';
  return `${formatCount(card)} included${earned}`;
}

function viewOperation({ operation, calls, included, billable, amount }: Usage['operations'][number]) {
  const scale = Math.max(included === 'unlimited' ? 0 : included, calls, 1);
  const parts = [{ part: (calls - billable) / scale }, { part: billable / scale, tone: 'over' }];
  return html`<tr>
    <th scope="row">${facts.rates[operation]?.summary ?? operation}</th>
    <td>${viewBar(parts)}
      <span class="note">${formatCount(calls)} of ${describeIncludedCalls(operation, included)}</span></td>
    <td class="number">${formatDollars(amount)}</td>
  </tr>`;
}

/** Formats a month such as `2026-11` as `November 2026`. */
const formatMonth = (month: string): string =>
  new Date(month).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Draws what was used this month. */
export function viewUsage({ operations, period, ...sums }: Usage): TemplateResult {
  const { total, hardCeiling, authorised, remaining } = sums;
  const ceiling =
    authorised > hardCeiling
      ? `${formatDollars(authorised)} that you authorised`
      : `the ceiling of ${formatDollars(hardCeiling)}`;
  const used = operations.filter(({ calls }) => calls > 0);
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Calls this month"><table>
    <thead><tr><th scope="col">What</th><th scope="col">Calls</th><th scope="col" class="number">Amount</th></tr></thead>
    <tbody>${used.map(viewOperation)}</tbody>
  </table></div>`;
  return viewPart(
    'meter',
    'Used this month',
    html`<div class="total">
        <p><strong>${formatDollars(total)}</strong> of ${ceiling}; ${formatDollars(remaining)} is left.</p>
        ${viewBar([{ part: authorised === 0 ? 0 : total / authorised }], 12)}
      </div>
      ${used.length > 0 ? table : viewNote('Nothing that is counted was called this month.')}
      ${viewNote(`The amounts of ${formatMonth(period)} show what the calls would cost. Nothing is billed. Opening a record on this page counts as one read, as it does for an agent, and so does a name that the newest ${facts.maxLimit} do not have. Lists cost nothing.`)}`,
    viewNote(html`<a href="/guides/metering.html#rates">What each operation costs</a>`),
  );
}
