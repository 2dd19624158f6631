import { html, type TemplateResult } from 'lit-html';
import { formatCount } from '../../_scripts/format.ts';
import { askPerson, askSure, viewCopy } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import { button, viewPart } from '../common/parts.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { WorkspaceFacts } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';

/** Gives the workspace another id, and shows it this once. */
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
const authorise = ({ total, authorised }: WorkspaceFacts['usage']) =>
  askForm('Authorise spending', {
    note: 'Until the end of this month, and simulated: nothing is billed.',
    fields: [
      {
        ...facts.ceiling,
        title: 'Most a month, in US dollars',
        hint: `At least what is used, at most ${formatCount(facts.ceiling.max!)}.`,
        min: total,
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

/** What only the owner can do. */
export const viewOwnerActions = (usage: WorkspaceFacts['usage']): TemplateResult =>
  viewPart(
    'yours',
    'Yours',
    html`<p>You own this workspace by your passkey; the agent works in it by an id.</p>
      <p class="actions">
        ${button('Replace the id', () => attempt(rotate))}${button('Authorise spending', () => authorise(usage))}
      </p>`,
  );
