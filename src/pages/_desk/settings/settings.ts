/** The settings: what concerns the workspace as a whole, from its time and room to its deletion. */
import { html, type TemplateResult } from 'lit-html';
import { timeOf } from '../../_scripts/dom.ts';
import { formatAmount, formatCount, formatTimeLeft, splitWords } from '../../_scripts/format.ts';
import { askSure } from '../common/dialog.ts';
import { button, viewBar, viewEvents, viewNote, viewPart } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { formatWorkspaceId, isOwner, sendWrite } from '../state/client.ts';
import { type Close, sumRecords, type WorkspaceFacts } from '../state/model.ts';
import { state } from '../state/state.ts';
import { creditWords, viewEarn } from './earn.ts';
import { viewExportAndDelete } from './export-and-delete.ts';
import { viewOwnerActions } from './owner-actions.ts';
import { viewUsage } from './usage.ts';

const rungWords = {
  sandbox: 'Sandbox',
  worked: 'Kept longer by work',
  claimed: 'Claimed by a person',
};

/** Shows what the workspace is, and the way out of it. */
function viewGlance({ rung }: WorkspaceFacts, close: Close): TemplateResult {
  const words = 'You left the workspace, and its id is forgotten here. It still exists until it expires.';
  const leave = () => close(isOwner() ? '' : words);
  return viewPart(
    'glance',
    'This workspace',
    html`<p class="workspace-name"><span class="mono">${formatWorkspaceId()}</span>
        <span class="chip is-ok">${rungWords[rung]}</span></p>
      <p class="actions">${button('Leave', leave)}</p>`,
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

/** Draws what concerns the workspace as a whole: its time and room, what was used, claiming, export and deletion. */
export function viewSettings(close: Close): TemplateResult {
  const workspace = state.workspace!;
  const { rung, usage, log } = workspace;
  return html`<h2 class="unseen" id="settings-name" tabindex="-1">Settings</h2>
    ${viewGlance(workspace, close)} ${viewTimeAndRoom(workspace)}
    ${rung === 'claimed' ? '' : viewEarn()} ${viewUsage(usage)}
    ${isOwner() ? viewOwnerActions(usage) : ''} ${isOwner() && log ? viewLog(log) : ''}
    ${viewExportAndDelete(close)}`;
}
