import { el } from '../dom.ts';
import { isOwner } from './access.ts';
import { write } from './ask.ts';
import { current, onWorkspace, place, refresh } from './desk.ts';
import { askPerson, askSure, button, copyButton, redraw } from './dialog.ts';
import { drawForm } from './form.ts';
import { toMoment } from './glance.ts';
import { say } from './say.ts';

const byWords: Record<string, string> = { id: 'the agent', owner: 'you', party: 'a party that confirms' };

/** `updateCandidate` as `update candidate`. */
const toWords = (operation: string) => operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Gives the workspace another id, and shows it this once. */
async function rotate(): Promise<void> {
  const words =
    'The id that the agent has is unknown at once, everywhere. Give it the new one if it is to go on working here.';
  if (!(await askSure('Give it a new id?', words, 'Make a new id'))) return;
  try {
    const { body } = await write('POST', '/workspace/rotation', {});
    const line = el('input', {
      type: 'text',
      class: 'mono',
      readonly: true,
      value: body.workspace,
      'aria-label': 'New workspace id',
    });
    await askPerson<void>('The new id', (leave) => [
      el('p', {}, 'It is shown this once. Who has it can read and change all that is in the workspace.'),
      line,
      el(
        'p',
        { class: 'actions' },
        copyButton('Copy it', () => body.workspace, line),
        button('Done', () => leave()),
      ),
    ]);
    await refresh();
  } catch (error) {
    say((error as Error).message, 'blocked');
  }
}

/** Authorises more than the hard ceiling for this month. */
async function authorise(): Promise<void> {
  const { usage } = current()!;
  await askPerson<void>('Authorise spending', (leave) => [
    el('p', { class: 'note' }, 'Until the end of this month, and simulated: nothing is billed.'),
    drawForm({
      fields: [
        {
          name: 'ceiling',
          title: 'Most a month, in US dollars',
          hint: 'At least what is used, at most 1,000.',
          type: 'number',
          required: true,
          min: usage?.total ?? 0,
          max: 1000,
        },
      ],
      values: { ceiling: usage?.authorised },
      submit: 'Authorise',
      leave,
      async run(values) {
        await write('POST', '/workspace/authorization', values);
        await refresh();
        leave();
        say('Authorised.');
      },
    }),
  ]);
}

/** What an owner alone may do and see. */
export function attachYours(): void {
  onWorkspace(({ log, usage }) => {
    place('yours-part').hidden = !isOwner();
    place('log-part').hidden = !isOwner() || log === undefined;
    if (!isOwner()) return;
    redraw(
      place('yours'),
      el('p', {}, 'You hold this workspace by your passkey; the agent works in it by an id.'),
      el(
        'p',
        { class: 'actions' },
        button('Give it a new id', rotate, 'quiet', 'rotate'),
        usage ? button('Authorise spending', authorise, 'quiet', 'authorise') : '',
      ),
    );
    const rows = (log ?? []).map(({ at, operation, by }) =>
      el(
        'li',
        {},
        el('time', { datetime: at, class: 'note' }, toMoment(at)),
        el('p', {}, `${toWords(operation)}, by ${byWords[by] ?? by}`),
      ),
    );
    redraw(
      place('log'),
      rows.length > 0
        ? el('ol', { class: 'plain history' }, ...rows)
        : el('p', { class: 'note' }, 'Nothing was done since you claimed it.'),
    );
  });
}
