import { html, type TemplateResult } from 'lit-html';
import { timeOf } from '../dom.ts';
import { formatAmount, formatCount, formatTimeLeft, splitWords } from '../format.ts';
import { askSure, attempt, button } from './dialog.ts';
import { viewDue } from './due.ts';
import { creditWords, viewEarn } from './earn.ts';
import { viewExportAndDelete } from './export-and-delete.ts';
import { type Close, sumRecords, type WorkspaceFacts } from './model.ts';
import { viewOwnerActions } from './owner-actions.ts';
import { viewBar, viewEvents, viewNote, viewPart } from './parts.ts';
import { viewRecords } from './records.ts';
import { access, isOwner, sendWrite } from './session.ts';
import { facts, state } from './store.ts';
import { viewUsage } from './usage.ts';

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

/** Draws what the workspace is, and how much is in it. */
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
    rung !== 'claimed' && `Letting this computer work for it, below, adds ${creditWords}.`,
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

/** Draws the whole workspace with a list of its records. */
export function viewWorkspace(close: Close): TemplateResult {
  const workspace = state.workspace!;
  const { rung, usage, log } = workspace;
  return html`${viewGlance(workspace, close)} ${viewDue()} ${viewRecords()} ${viewTimeAndRoom(workspace)}
    ${rung === 'claimed' ? '' : viewEarn()} ${viewUsage(usage)}
    ${isOwner() ? viewOwnerActions(usage) : ''} ${isOwner() && log ? viewLog(log) : ''}
    ${viewExportAndDelete(close)}`;
}
