import { html } from 'lit-html';
import { type ApiAnswer, ApiError } from '../api-client.ts';
import { dayFromNow } from '../format.ts';
import { askForm, askPerson, askSure, attempt, button, type FormValues, toast } from './dialog.ts';
import { isHolding, type OpenedRecord, type PageRecord } from './model.ts';
import { formatHash } from './route.ts';
import { read, sendWrite } from './session.ts';
import { refresh } from './store.ts';
import { formatFieldValue, listDifferences } from './versions.ts';

const moveWords: Record<string, string> = {
  withdrawn: 'Withdraw',
  available: 'Make available again',
  closed: 'Close',
  open: 'Open again',
  'ended-early': 'End it',
  interviewing: 'Interview',
  offered: 'Offer',
  scheduled: 'Accept',
  declined: 'Decline',
};
const describeMove = (to: string) => moveWords[to] ?? `Make it ${to.replaceAll('-', ' ')}`;

/** Shows what another caller changed, and asks whether to make the person's change anyway. */
function askOver(was: PageRecord, now: PageRecord, patch: FormValues): Promise<true | undefined> {
  const rows = listDifferences(was, now).map(
    ({ name, was: before, now: after }) => html`<tr>
      <th scope="row">${name}</th>
      <td dir="auto">${before}</td><td dir="auto">${after}</td>
      <td dir="auto">${name in patch ? formatFieldValue(patch[name]) : 'as it is now'}</td>
    </tr>`,
  );
  const heads = ['What', 'When you opened it', 'Now', 'Yours'].map(
    (text) => html`<th scope="col">${text}</th>`,
  );
  return askPerson<true>(
    'Changed by somebody else meanwhile',
    (answer) => html`<p>Your change is not saved yet. This is what is different now:</p>
      ${
        rows.length > 0
          ? html`<div class="scroll" tabindex="0" role="group" aria-label="What is different">
              <table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>
            </div>`
          : html`<p>It was saved again, with the same content.</p>`
      }
      <p class="actions">
        ${button('Save mine over it', () => answer(true), '')}${button('Keep it as it is now', () => answer())}
      </p>`,
  );
}

/**
 * Sends a change to the version that the person sees. If there is a newer version, shows what changed and asks.
 * Resolves with whether the change was made. Throws an ApiError if the service refuses it.
 */
export async function sendChange(
  { kind, row: opened, tag: first }: OpenedRecord,
  send: (tag?: string) => Promise<ApiAnswer>,
  patch: FormValues,
): Promise<boolean> {
  let [row, tag] = [opened, first];
  for (;;) {
    try {
      await send(tag);
      await refresh();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const fresh = await read(row.links.self);
      const now = fresh.body[kind.name] as PageRecord;
      if (!(await askOver(row, now, patch))) {
        await refresh();
        return false;
      }
      [row, tag] = [now, fresh.tag];
    }
  }
}

const patchRecord = (shown: OpenedRecord, patch: FormValues) =>
  sendChange(shown, (tag) => sendWrite('PATCH', shown.row.links.self, patch, tag), patch);

const unchanged = 'Nothing was changed.';

/** Returns the values that differ from the record. An emptied member is removed from the record. */
function createPatch({ kind, row }: OpenedRecord, values: FormValues): FormValues {
  const serialize = (value: unknown) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return JSON.stringify(isEmpty ? null : (value ?? null));
  };
  const changed = kind.fields.filter(({ name }) => serialize(row[name]) !== serialize(values[name]));
  return Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null]));
}

function edit(shown: OpenedRecord): Promise<void> {
  const { kind, row } = shown;
  return askForm(`Edit this ${kind.noun}`, {
    fields: kind.fields,
    values: row,
    submit: 'Save',
    async run(values) {
      const patch = createPatch(shown, values);
      const isSaved = Object.keys(patch).length === 0 || (await patchRecord(shown, patch));
      toast(isSaved ? 'Saved.' : unchanged);
    },
  });
}

/** Asks for the end of a placement, or for a correction of it. The dates decide the resulting status. */
function end(shown: OpenedRecord): Promise<void> {
  const { kind, row } = shown;
  const { endDate, endReason } = row as { endDate?: string; endReason?: string };
  const isCorrection = endDate !== undefined;
  return askForm(isCorrection ? 'Correct the end' : 'When and why did it end?', {
    fields: kind.moving.filter(({ name }) => name === 'endDate' || name === 'endReason'),
    values: isCorrection ? { endDate, endReason } : { endDate: dayFromNow() },
    submit: isCorrection ? 'Correct it' : 'End it',
    async run(values) {
      const isDone = await patchRecord(shown, values);
      toast(isDone ? 'Done: the end is recorded.' : unchanged);
    },
  });
}

/** Removes an end that was recorded by mistake. */
async function removeEnd(shown: OpenedRecord): Promise<void> {
  const words = 'It reads as if it had not ended. What was stated of an end by it goes too.';
  if (!(await askSure('Remove the end?', words, 'Remove it'))) return;
  await attempt(async () => {
    const isDone = await patchRecord(shown, { endDate: null });
    toast(isDone ? 'Done: it has no end any more.' : unchanged);
  });
}

const optionHints = { declineProposals: 'Each open proposal is declined, with the reason closed.' };

/** Asks for what a move requires, or for confirmation, and makes the move. */
export function move(shown: OpenedRecord, to: string): Promise<void> {
  const { moves, moving, options } = shown.kind;
  const takes = moves.flatMap((legalMove) => (legalMove.to === to ? legalMove.takes : []));
  return askForm(`${describeMove(to)}: are you sure?`, {
    fields: [
      ...moving.filter(({ name }) => takes.includes(name)),
      ...options.flatMap((option) => (option.to === to ? option.field : [])),
    ],
    values: {},
    hints: optionHints,
    submit: describeMove(to),
    async run(values) {
      const isDone = await patchRecord(shown, { status: to, ...values });
      toast(isDone ? `Done: it is ${to.replaceAll('-', ' ')} now.` : unchanged);
    },
  });
}

async function remove(shown: OpenedRecord): Promise<void> {
  const { kind, row } = shown;
  const words =
    'It is gone at once and cannot be restored. Records that refer to it stay, without it, and hold nothing.';
  if (!(await askSure(`Delete this ${kind.noun}?`, words, 'Delete it'))) return;
  await attempt(async () => {
    if (!(await sendChange(shown, (tag) => sendWrite('DELETE', row.links.self, undefined, tag), {}))) return;
    location.hash = formatHash(kind);
    toast(`The ${kind.noun} is deleted.`);
  });
}

/** Shows the buttons that end a placement, or correct its end. */
function viewEndings(shown: OpenedRecord): unknown[] {
  if (!('endDate' in shown.row)) return [button('End it', () => end(shown))];
  return [button('Correct the end', () => end(shown)), button('Remove the end', () => removeEnd(shown))];
}

/** Whether a placement of the record is not over. Then no move is legal until the placement ends. */
const isAtWork = ({ holders }: OpenedRecord): boolean =>
  holders?.page.rows.some(({ status }) => isHolding(status)) ?? false;

/** Shows what a person can do with a record now. */
export function viewActions(shown: OpenedRecord) {
  const { kind, row } = shown;
  if (row.example) return html`<p class="note">A public example, which nobody can change.</p>`;
  const isStuck = row.status in kind.stuck && isAtWork(shown);
  const legal = kind.moves.filter(({ from }) => from.includes(row.status) && !isStuck);
  const [endings, moves] = [true, false].map((is) =>
    legal.filter(({ takes }) => takes.includes('endDate') === is),
  ) as [typeof legal, typeof legal];
  const stuck = moves.length === 0 && endings.length === 0 && kind.stuck[row.status];
  return html`<div>
    <p class="actions">
      ${button('Edit', () => edit(shown))}
      ${moves.map(({ to }) => button(describeMove(to), () => move(shown, to)))}
      ${endings.length > 0 ? viewEndings(shown) : ''}
      ${button('Delete', () => remove(shown), 'quiet danger')}
    </p>
    ${stuck ? html`<p class="note">It is ${row.status}. ${stuck}</p>` : ''}
  </div>`;
}
