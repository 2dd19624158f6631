import { html, type TemplateResult } from 'lit-html';
import { toAmount, toCount, toDay, toDollars, toMoment, toTimeLeft, toWords } from '../format.ts';
import { nextWords, toCourse, toDueWords } from './course.ts';
import { askSure, attempt, button, viewFailed } from './dialog.ts';
import type { Placement, Usage, WorkspaceFacts } from './model.ts';
import { viewBar, viewRow } from './record-row.ts';
import { access, write } from './session.ts';
import { facts, failed, hasFailed, readList, state, toKind, update } from './store.ts';

/** Days that are looked ahead, placements that are read at most, and those that are shown. */
const [daysAhead, mostRead, mostShown] = [7, 200, 8];

/** A part of the page with a heading beside it. */
export const viewPart = (id: string, title: string, body: unknown, note?: unknown): TemplateResult =>
  html`<section class="part" aria-labelledby=${id}>
    <div><h2 id=${id}>${title}</h2>${note}</div>
    <div class="body" data-place=${id}>${body}</div>
  </section>`;

const viewNote = (words: unknown) => html`<p class="note">${words}</p>`;

const rungWords = {
  sandbox: 'Sandbox',
  worked: 'Kept longer by work',
  claimed: 'Claimed by a person',
};

function toName(): string {
  const by = access();
  const name = (by && ('id' in by ? by.id : by.handle)) ?? '';
  return name.length > 20 ? `${name.slice(0, 9)}…${name.slice(-4)}` : name;
}

/** What the workspace is, and how much is in it. */
export function viewGlance({ records, rung }: WorkspaceFacts, close: () => unknown): TemplateResult {
  const chip = rung ? html`<span class="chip is-ok">${rungWords[rung]}</span>` : '';
  const closing = html`<p class="actions"><button type="button" class="link" @click=${close}>Close</button></p>`;
  const figures = facts.kinds.map(
    ({ collection, plural }) =>
      html`<div><dt>${plural}</dt><dd>${toCount(records[collection] ?? 0)}</dd></div>`,
  );
  const name = html`<p class="workspace-name"><span class="mono">${toName()}</span> ${chip}</p>`;
  return viewPart('glance', 'At a glance', html`${name}<dl class="figures">${figures}</dl>`, closing);
}

/** Reads the placements whose outcome can be validated for a week at most. */
export async function loadDue(): Promise<void> {
  const dueBefore = toDay(daysAhead + 1);
  const query = { validated: 'false', dueBefore, limit: String(mostRead) };
  try {
    const { rows } = await readList(toKind('placement'), query);
    update({ due: rows as Placement[] });
  } catch (error) {
    update({ due: failed(error) });
  }
}

/** What is due this week, the most urgent first. */
export function viewDue(): TemplateResult {
  const { due } = state;
  const note = viewNote('Outcomes that can be validated for seven more days at most.');
  const view = (body: unknown) => viewPart('due', 'Due this week', body, note);
  if (due === undefined) return view('');
  if (hasFailed(due)) return view(viewFailed(due.failed, loadDue));
  const rows = due
    .map((row) => ({ row, ...toCourse(row, toDay()) }))
    .flatMap(({ row, daysLeft, next }) => (daysLeft !== undefined && next ? [{ row, daysLeft, next }] : []))
    .toSorted((a, b) => a.daysLeft - b.daysLeft);
  if (rows.length === 0) return view(html`<p>Nothing is due in the next seven days.</p>`);
  const more = rows.length - mostShown;
  return view(html`<ul class="plain records">
      ${rows.slice(0, mostShown).map(({ row, daysLeft, next }) => {
        const words = { left: toDueWords(daysLeft), next: nextWords[next] };
        return viewRow(toKind('placement'), row, words);
      })}
    </ul>
    ${more > 0 ? viewNote(`And ${more} more: filter placements by “Due before”.`) : ''}`);
}

/** Starts a claim and goes to its page, which shows the same code. */
async function startClaim(): Promise<void> {
  const { body } = await write('POST', '/workspace/claim', {});
  const { url, userCode } = body.claim as { url: string; userCode: string };
  const words = `The next page shows this code: ${userCode}. A link that your agent gave you before is void.`;
  const { pathname, hash } = new URL(url);
  if (await askSure('Claim this workspace?', words, 'Continue', '')) location.assign(pathname + hash);
}

/** Until when the workspace is kept, and how full it is. */
export function viewTimeAndRoom({
  records,
  ceilings,
  expiresAt,
  rung,
  claim,
}: WorkspaceFacts): TemplateResult {
  const count = Object.values(records).reduce((sum, one) => sum + one, 0);
  const longer = [
    'Every change extends this time.',
    rung && rung !== 'claimed' && 'Letting this computer work for it, below, adds a day.',
    claim && rung !== 'claimed' && 'Once it is claimed with a passkey it is kept much longer.',
  ];
  const claiming = button('Claim it with a passkey', () => attempt(startClaim));
  return viewPart(
    'kept',
    'Time and room',
    html`<p><strong>${toTimeLeft(Date.parse(expiresAt) - Date.now())} left.</strong>
        It is kept until ${toMoment(expiresAt)}, then deleted with everything in it.</p>
      ${viewNote(longer.filter(Boolean).join(' '))}
      ${claim === 'none' || claim === 'pending' ? html`<p class="actions">${claiming}</p>` : ''}
      <p>${toCount(count)} of ${toAmount(ceilings.records, 'record')}.</p>
      ${viewBar([{ part: count / ceilings.records }])}`,
  );
}

/** Calls that are included: by the rate card, and earned by work besides. */
function toIncludedWords(operation: string, included: number | 'unlimited'): string {
  if (included === 'unlimited') return 'as many as you like, included';
  const card = Math.min(included, facts.rates[operation]?.included ?? included);
  const earned = included > card ? `, ${toCount(included - card)} earned by work` : '';
  return `${toCount(card)} included${earned}`;
}

function viewOperation({ operation, calls, included, billable, amount }: Usage['operations'][number]) {
  const scale = Math.max(included === 'unlimited' ? 0 : included, calls, 1);
  const parts = [{ part: (calls - billable) / scale }, { part: billable / scale, tone: 'over' }];
  return html`<tr>
    <th scope="row">${facts.rates[operation]?.summary ?? operation}</th>
    <td class="metered">${viewBar(parts)}
      <span class="note">${toCount(calls)} of ${toIncludedWords(operation, included)}</span></td>
    <td class="number">${toDollars(amount)}</td>
  </tr>`;
}

/** What was used this month. */
export function viewUsage({ operations, period, settlement, ...sums }: Usage): TemplateResult {
  const { total, hardCeiling, authorised, remaining } = sums;
  const isRaised = authorised > hardCeiling;
  const ceiling = isRaised
    ? `${toDollars(authorised)} that you authorised`
    : `the ceiling of ${toDollars(hardCeiling)}`;
  const used = operations.filter(({ calls }) => calls > 0);
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Calls this month"><table>
    <thead><tr><th scope="col">What</th><th scope="col">Calls</th><th scope="col" class="number">Amount</th></tr></thead>
    <tbody>${used.map(viewOperation)}</tbody>
  </table></div>`;
  return viewPart(
    'meter',
    'Used this month',
    html`<div class="total">
        <p><strong>${toDollars(total)}</strong> of ${ceiling}; ${toDollars(remaining)} is left.</p>
        ${viewBar([{ part: authorised === 0 ? 0 : total / authorised }], 12)}
      </div>
      ${used.length > 0 ? table : viewNote('Nothing that is counted was called this month.')}
      ${viewNote(`Month ${period}. Settlement is ${settlement}: these are simulated amounts, and nothing is billed. Opening a record on this page counts as one read, as it does for an agent, and so does a name that the newest 200 do not have; lists cost nothing.`)}`,
    html`<p class="note"><a href="/pricing.html">What each operation costs</a></p>`,
  );
}

const byWords: Record<string, string> = { id: 'the agent', owner: 'you', party: 'a party that confirms' };

/** Who changed what since the workspace was claimed. */
export function viewLog(log: NonNullable<WorkspaceFacts['log']>): TemplateResult {
  const rows = log.map(
    ({ at, operation, by }) => html`<li><time datetime=${at} title=${at} class="note">${toMoment(at)}</time>
      <p>${toWords(operation)}, by ${byWords[by] ?? by}</p></li>`,
  );
  return viewPart(
    'log',
    'Activity',
    rows.length > 0
      ? html`<ol class="plain history">${rows}</ol>`
      : viewNote('Nothing was done since you claimed it.'),
    viewNote('“The agent” is whoever has the id; “you” is whoever signed in with the passkey.'),
  );
}
