import { html, type TemplateResult } from 'lit-html';
import { ApiError } from '../api-client.ts';
import { timeOf } from '../dom.ts';
import { saveExport } from '../export.ts';
import {
  dayFromNow,
  formatAmount,
  formatCount,
  formatDollars,
  formatTimeLeft,
  splitWords,
} from '../format.ts';
import { describeCourse, formatDaysLeft, nextWords } from './course.ts';
import { askForm, askPerson, askSure, attempt, button, toast, viewCopy, viewLoaded } from './dialog.ts';
import { viewEarn } from './earn.ts';
import type { Placement, WorkspaceFacts } from './model.ts';
import { readList } from './names.ts';
import { viewBar, viewEvents, viewNote, viewPart, viewRow } from './parts.ts';
import { viewRecords } from './records.ts';
import { access, isOwner, read, sendWrite } from './session.ts';
import { facts, findKind, load, refresh, state, updateState } from './store.ts';

type Usage = WorkspaceFacts['usage'];
/** Closes the workspace, and shows why. */
type Close = (words: string) => unknown;

/** How many days to look ahead, and the most placements that are read and shown. */
const [daysAhead, mostRead, mostShown] = [7, 200, 8];

const rungWords = {
  sandbox: 'Sandbox',
  worked: 'Kept longer by work',
  claimed: 'Claimed by a person',
};

function formatWorkspaceId(): string {
  const by = access();
  const name = (by && ('id' in by ? by.id : by.handle)) ?? '';
  return name.length > 20 ? `${name.slice(0, 9)}…${name.slice(-4)}` : name;
}

const sumRecords = (records: Record<string, number>) =>
  Object.values(records).reduce((sum, one) => sum + one, 0);

/** Shows what the workspace is, and how many records it has. */
function viewGlance({ records, rung }: WorkspaceFacts, close: Close): TemplateResult {
  const words = 'You left the workspace, and its id is forgotten here. It still exists until it expires.';
  const closeHere = () => close(isOwner() ? '' : words);
  const figures = facts.kinds.map(
    ({ collection, plural }) =>
      html`<div><dt>${plural}</dt><dd>${formatCount(records[collection] ?? 0)}</dd></div>`,
  );
  return viewPart(
    'glance',
    'At a glance',
    html`<p class="workspace-name"><span class="mono">${formatWorkspaceId()}</span>
        <span class="chip is-ok">${rungWords[rung]}</span></p>
      <dl class="figures">${figures}</dl>`,
    html`<p class="actions"><button type="button" class="link" @click=${closeHere}>Leave</button></p>`,
  );
}

/** Loads the placements whose outcome can be validated for at most a week. */
export const loadDue = () =>
  load('due', async () => {
    const dueBefore = dayFromNow(daysAhead + 1);
    const query = { validated: 'false', dueBefore, limit: String(mostRead) };
    return (await readList(findKind('placement'), query)).rows as Placement[];
  });

function viewDueRows(due: Placement[]): TemplateResult {
  const rows = due
    .map((row) => ({ row, ...describeCourse(row, dayFromNow()) }))
    .flatMap(({ row, daysLeft, next }) => (daysLeft !== undefined && next ? [{ row, daysLeft, next }] : []))
    .toSorted((a, b) => a.daysLeft - b.daysLeft);
  if (rows.length === 0) return html`<p>Nothing is due in the next seven days.</p>`;
  const more = rows.length - mostShown;
  return html`<ul class="plain records">
      ${rows.slice(0, mostShown).map(({ row, daysLeft, next }) => {
        const words = { left: formatDaysLeft(daysLeft), next: nextWords[next] };
        return viewRow(findKind('placement'), row, words);
      })}
    </ul>
    ${more > 0 ? viewNote(`And ${more} more: filter placements by “Due before”.`) : ''}`;
}

/** Shows what is due this week, most urgent first. */
const viewDue = (): TemplateResult =>
  viewPart(
    'due',
    'Due this week',
    viewLoaded(state.due, loadDue, viewDueRows),
    viewNote('Outcomes that can be validated for seven more days at most.'),
  );

/** Starts a claim and goes to its page, which shows the same code. */
async function startClaim(): Promise<void> {
  const { body } = await sendWrite('POST', '/workspace/claim', {});
  const { url, userCode } = body.claim as { url: string; userCode: string };
  const words = `The next page shows this code: ${userCode}. A link that your agent gave you before is void.`;
  const { pathname, hash } = new URL(url);
  if (await askSure('Claim this workspace?', words, 'Continue', '')) location.assign(pathname + hash);
}

/** Shows when the workspace expires, and how full it is. */
function viewTimeAndRoom(workspace: WorkspaceFacts): TemplateResult {
  const { records, ceilings, expiresAt, rung, claim } = workspace;
  const count = sumRecords(records);
  const longer = [
    'Every change extends this time.',
    rung !== 'claimed' && 'Letting this computer work for it, below, adds a day.',
    rung !== 'claimed' && 'Once it is claimed with a passkey it is kept much longer.',
  ];
  const claiming = button('Claim it with a passkey', () => attempt(startClaim));
  return viewPart(
    'kept',
    'Time and room',
    html`<p><strong>${formatTimeLeft(Date.parse(expiresAt) - Date.now())} left.</strong>
        It is kept until ${timeOf(expiresAt)}, then deleted with everything in it.</p>
      ${viewNote(longer.filter(Boolean).join(' '))}
      ${claim === 'claimed' ? '' : html`<p class="actions">${claiming}</p>`}
      <p>${formatCount(count)} of ${formatAmount(ceilings.records, 'record')}.</p>
      ${viewBar([{ part: count / ceilings.records }])}`,
  );
}

/** Describes the included calls: those of the rate card, and those earned by work. */
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

/** Shows what was used this month. */
function viewUsage({ operations, period, settlement, ...sums }: Usage): TemplateResult {
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
      ${viewNote(`Month ${period}. Settlement is ${settlement}: these are simulated amounts, and nothing is billed. Opening a record on this page counts as one read, as it does for an agent, and so does a name that the newest 200 do not have; lists cost nothing.`)}`,
    viewNote(html`<a href="/pricing.html">What each operation costs</a>`),
  );
}

/** Gives the workspace another id, and shows it once. */
async function rotate(): Promise<void> {
  const words =
    'The agent’s id stops working at once, everywhere. Give it the new one so that it can continue here.';
  if (!(await askSure('Replace the id?', words, 'Make a new id'))) return;
  const { workspace } = (await sendWrite('POST', '/workspace/rotation', {})).body as { workspace: string };
  await askPerson<void>(
    'The new id',
    (answer) => html`<p>It is shown this once. Anyone who has it can read and change everything in the
        workspace.</p>
      <input type="text" class="mono" readonly .value=${workspace} aria-label="New workspace id" />
      <p class="actions">${viewCopy('Copy it', workspace)}${button('Done', () => answer())}</p>`,
  );
  await refresh();
}

/** Authorises more than the hard ceiling for this month. */
const authorise = ({ total, authorised }: Usage) =>
  askForm('Authorise spending', {
    note: 'Until the end of this month, and simulated: nothing is billed.',
    fields: [
      {
        name: 'ceiling',
        title: 'Most a month, in US dollars',
        hint: 'At least what is used, at most 1,000.',
        type: 'number',
        required: true,
        min: total,
        max: 1000,
      },
    ],
    values: { ceiling: authorised },
    submit: 'Authorise',
    async run(values) {
      await sendWrite('POST', '/workspace/authorization', values);
      await refresh();
      toast('Authorised.');
    },
  });

/** Shows what only the owner can do. */
const viewOwnerActions = (usage: Usage): TemplateResult =>
  viewPart(
    'yours',
    'Yours',
    html`<p>You own this workspace by your passkey; the agent works in it by an id.</p>
      <p class="actions">
        ${button('Replace the id', () => attempt(rotate))}${button('Authorise spending', () => authorise(usage))}
      </p>`,
  );

const byWords: Record<string, string> = { id: 'the agent', owner: 'you', party: 'a party that confirms' };

/** Shows who changed what since the workspace was claimed. */
function viewLog(log: NonNullable<WorkspaceFacts['log']>): TemplateResult {
  const events = log.map(({ at, operation, by }) => ({
    at,
    words: `${splitWords(operation)}, by ${byWords[by] ?? by}`,
  }));
  return viewPart(
    'log',
    'Activity',
    events.length > 0 ? viewEvents(events) : viewNote('Nothing was done since you claimed it.'),
    viewNote('“The agent” is whoever has the id; “you” is whoever signed in with the passkey.'),
  );
}

async function exportAll(): Promise<void> {
  const report = (words: string, isBusy = true) => updateState({ exporting: { words, isBusy } });
  try {
    report(await saveExport(read, report), false);
  } catch (error) {
    report(`Not exported: ${(error as Error).message}`, false);
  }
}

const explainDeleteError = (error: Error) =>
  error instanceof ApiError && error.code === 'owner_only'
    ? 'This workspace is claimed: only its owner, signed in with their passkey, can delete it.'
    : error.message;

async function deleteAll(close: Close): Promise<void> {
  const records = sumRecords(state.workspace!.records);
  const words = `${formatAmount(records, 'record')}, and every link that was sent to a client or a candidate, are deleted at once and cannot be restored. Export first what you want to keep. Receipts that you have stay valid.`;
  if (!(await askSure('Delete the whole workspace?', words, 'Delete everything'))) return;
  await sendWrite('DELETE', '/workspace');
  await close('The workspace is deleted, with everything in it.');
}

function viewExportAndDelete(close: Close): TemplateResult {
  const { words, isBusy } = state.exporting;
  const remove = () => attempt(() => deleteAll(close), explainDeleteError);
  return viewPart(
    'keep',
    'Export, delete',
    html`<p>Everything in the workspace as one file, to keep or to put into another workspace.</p>
      <p class="actions">
        <button type="button" class="button quiet" ?disabled=${isBusy} @click=${exportAll}>Export</button>
      </p>
      <p class="note" role="status">${words}</p>
      <p>A deleted workspace cannot be restored.</p>
      <p class="actions">${button('Delete the workspace', remove)}</p>`,
  );
}

/** Shows the workspace, with a list of its records. */
export function viewWorkspace(close: Close): TemplateResult {
  const workspace = state.workspace!;
  const { rung, usage, log } = workspace;
  return html`${viewGlance(workspace, close)} ${viewDue()} ${viewRecords()} ${viewTimeAndRoom(workspace)}
    ${rung === 'claimed' ? '' : viewEarn()} ${viewUsage(usage)}
    ${isOwner() ? viewOwnerActions(usage) : ''} ${isOwner() && log ? viewLog(log) : ''}
    ${viewExportAndDelete(close)}`;
}
