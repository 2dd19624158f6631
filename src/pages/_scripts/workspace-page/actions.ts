import { el } from '../dom.ts';
import { write } from './ask.ts';
import { patchRecord, type Shown, sendChange } from './change.ts';
import { toToday } from './desk.ts';
import { askPerson, askSure, button } from './dialog.ts';
import type { KindFacts } from './facts.ts';
import { drawForm, type Values } from './form.ts';
import { say } from './say.ts';

const moveWords: Record<string, string> = {
  withdrawn: 'Withdraw',
  available: 'Make available again',
  closed: 'Close',
  open: 'Open again',
  'ended-early': 'End early',
};
const toWords = (to: string) => moveWords[to] ?? `Make it ${to.replaceAll('-', ' ')}`;

/** Only what differs from what the record holds; what was emptied is taken away. */
function toPatch({ kind, row }: Shown, values: Values): Record<string, unknown> {
  const changed = kind.fields.filter(({ name }) => {
    const [before, after] = [row[name] ?? null, values[name] ?? null];
    const isNone = Array.isArray(before) && before.length === 0 && after === null;
    return !isNone && JSON.stringify(before) !== JSON.stringify(after);
  });
  return Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null]));
}

async function mend(shown: Shown): Promise<void> {
  await askPerson<void>(`Mend this ${shown.kind.noun}`, (leave) => [
    drawForm({
      fields: shown.kind.fields,
      values: shown.row,
      submit: 'Save',
      leave,
      async run(values) {
        const patch = toPatch(shown, values);
        const isSaved = Object.keys(patch).length === 0 || (await patchRecord(shown, patch));
        leave();
        say(isSaved ? 'Saved.' : 'Left as it is now.');
      },
    }),
  ]);
}

/** Asks for what a move needs, or to be sure, and makes it. */
async function move(shown: Shown, to: string): Promise<void> {
  const { kind } = shown;
  await askPerson<void>(`${toWords(to)}: are you sure?`, (leave) => [
    drawForm({
      fields: kind.moving,
      values: { endDate: toToday() },
      submit: toWords(to),
      leave,
      async run(values) {
        const isDone = await patchRecord(shown, { status: to, ...values });
        leave();
        say(isDone ? `Done: it is ${to.replaceAll('-', ' ')} now.` : 'Left as it is now.');
      },
    }),
  ]);
}

async function erase(shown: Shown): Promise<void> {
  const { noun } = shown.kind;
  const words = 'It is gone at once, and cannot be brought back. What refers to it stays, without it.';
  if (!(await askSure(`Erase this ${noun}?`, words, 'Erase it'))) return;
  try {
    if (await sendChange(shown, (tag) => write('DELETE', shown.row.links.self, undefined, tag), {})) {
      location.hash = 'records';
      say(`The ${noun} is erased.`);
    }
  } catch (error) {
    say((error as Error).message, 'blocked');
  }
}

const movesOf = ({ moves }: KindFacts, status: string) =>
  moves.filter(({ from }) => from.includes(status)).map(({ to }) => to);

/** What may be done with a record now. */
export function drawActions(shown: Shown): HTMLElement {
  const { kind, row } = shown;
  if (row.example) return el('p', { class: 'note' }, 'A public example, which nobody changes.');
  const moves = movesOf(kind, row.status);
  const stuck = moves.length === 0 ? kind.stuck[row.status] : undefined;
  return el(
    'div',
    { class: 'doing' },
    el(
      'p',
      { class: 'actions' },
      button('Mend', () => mend(shown), 'quiet', 'mend'),
      ...moves.map((to) => button(toWords(to), () => move(shown, to), 'quiet', `move-${to}`)),
      button('Erase', () => erase(shown), 'quiet', 'erase'),
    ),
    stuck ? el('p', { class: 'note' }, `It is ${row.status}. ${stuck}`) : '',
  );
}
