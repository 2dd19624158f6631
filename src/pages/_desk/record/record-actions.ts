import { html } from 'lit-html';
import type { FormValues } from '../../_scripts/form/values.ts';
import { askSure } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import { viewMenu } from '../common/menu.ts';
import { viewTitle } from '../common/names.ts';
import { button } from '../common/parts.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendWrite } from '../state/client.ts';
import { isHolding, type OpenedRecord } from '../state/model.ts';
import { formatHash } from '../state/route.ts';
import { sendChange, sendPatch } from './change.ts';
import { listMoves, type PossibleMove, toMenu } from './moves.ts';

/** Lists the members that the form has. Whom a placement is of stays: another person or job is another placement. */
const listEditable = ({ fields, references }: OpenedRecord['kind']) =>
  fields.filter(({ name }) => !(name in references));

/** Returns the values that differ from the record. An emptied member is removed from the record. */
function createPatch({ kind, row }: OpenedRecord, values: FormValues): FormValues {
  const serialize = (value: unknown) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return JSON.stringify(isEmpty ? null : (value ?? null));
  };
  const changed = listEditable(kind).filter(({ name }) => serialize(row[name]) !== serialize(values[name]));
  return Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null]));
}

function edit(shown: OpenedRecord): Promise<void> {
  const { kind, row } = shown;
  return askForm(html`Edit ${viewTitle(kind, row)}`, {
    fields: [...listEditable(kind), ...kind.remarks],
    values: row,
    submit: 'Save',
    async run(values) {
      const patch = createPatch(shown, values);
      const remarks = Object.fromEntries(kind.remarks.map(({ name }) => [name, values[name]]));
      const isSaved = Object.keys(patch).length === 0 || (await sendPatch(shown, { ...patch, ...remarks }));
      toast(isSaved ? 'Saved.' : 'Nothing was changed.');
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

/** Whether a placement of the record is not over. Then no move is legal until the placement ends. */
const isAtWork = ({ holders }: OpenedRecord): boolean =>
  holders?.page.rows.some(({ status }) => isHolding(status)) ?? false;

/** A step that a person most likely takes next. */
export interface PrimaryAction {
  words: string;
  run(): unknown;
}

/** Returns the moves that are legal now, and why there are none, if the record waits for something else. */
function findMoves(shown: OpenedRecord): { moves: PossibleMove[]; stuck: string | undefined } {
  const { kind, row } = shown;
  const isStuck = row.status in kind.stuck && isAtWork(shown);
  const moves = isStuck ? [] : listMoves(kind, row);
  return { moves, stuck: moves.length === 0 ? kind.stuck[row.status] : undefined };
}

/**
 * Shows what a person can do with a record now: one action first, if there is one, then Edit, and the rest in a menu.
 */
export function viewActions(shown: OpenedRecord, primary?: PrimaryAction) {
  const { kind, row } = shown;
  if (row.example) return html`<p class="note">A public example, which nobody can change.</p>`;
  const { moves, stuck } = findMoves(shown);
  const items = [
    ...toMenu(moves, async () => shown),
    { words: `Delete ${kind.noun}`, run: () => remove(shown), tone: 'danger' },
  ];
  return html`<div>
    <p class="actions">
      ${primary ? button(primary.words, primary.run, '') : ''} ${button('Edit', () => edit(shown))} ${viewMenu('More', items)}
    </p>
    ${stuck ? html`<p class="note">It is ${row.status}. ${stuck}</p>` : ''}
  </div>`;
}
