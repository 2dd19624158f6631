import { html } from 'lit-html';
import type { FormValues } from '../../_scripts/form/values.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { askForm } from '../common/form-dialog.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { NamedPlacement } from '../state/model.ts';
import { findKind } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { type Fit, isCurrent, nameOfJob } from './fits.ts';

/** Returns what a placement has without asking: the person, the order, and its occupation and start. */
function createDraft({ person, order }: Fit): FormValues {
  const { id, onetCode, startDate } = order;
  return { candidateId: person.id, jobOrderId: id, onetCode, ...(startDate && { startDate }) };
}

const joinWarnings = ({ warnings = [] }: { warnings?: { message: string }[] }) =>
  warnings.map(({ message }) => message).join(' ');

/** Removes a proposal that was just made. */
const withdrawProposal = ({ links, candidateName }: NamedPlacement) =>
  attempt(async () => {
    await sendWrite('DELETE', links.self!);
    await refresh();
    toast(`${candidateName}: not proposed any more.`);
  });

/** Moves the focus to the row that waits for it, if it is drawn. */
export function focusRow(): void {
  const { row } = state.focused;
  const name = row && document.getElementById(row)?.querySelector<HTMLElement>('.fit-open');
  if (!name) return;
  name.focus();
  state.focused.row = undefined;
}

/** Proposes a person for an order, and offers to undo it. Everything that a proposal needs is known. */
export const propose = (fit: Fit): Promise<void> =>
  attempt(async () => {
    const { body } = await sendWrite('POST', '/placements', { ...createDraft(fit), status: 'proposed' });
    const made: NamedPlacement = body.placement;
    state.focused.row = made.id;
    await refresh();
    focusRow();
    const warning = joinWarnings(body);
    const words = `${fit.person.name}: proposed. ${warning || 'Nobody is emailed.'}`;
    const undo = { words: 'Undo', run: () => withdrawProposal(made) };
    toast(words, warning ? 'blocked' : 'ok', undo);
  });

/** Asks for the terms of a placement, and creates it as accepted. */
export async function place(fit: Fit): Promise<void> {
  const draft = createDraft(fit);
  const { fields } = findKind('placement');
  const { person, order } = fit;
  await askForm(html`Place ${isolate(person.name)} as ${isolate(nameOfJob(order))}?`, {
    fields: fields.filter(({ name }) => name === 'startDate' || !(name in draft)),
    values: draft,
    note: 'It is accepted at once, and takes an opening. Nobody is emailed.',
    submit: 'Place',
    async run(values) {
      const { body } = await sendWrite('POST', '/placements', { ...draft, ...values });
      location.hash = body.placement.id;
      await refresh();
      const warning = joinWarnings(body);
      toast(`${person.name}: placed. ${warning}`.trim(), warning ? 'blocked' : 'ok');
    },
  });
}

/** Whether the person can be proposed: the order has openings left, the person is not withdrawn, and no placement is live. */
export const canPropose = (fit: Fit): boolean =>
  fit.order.status !== 'closed' &&
  fit.order.status !== 'filled' &&
  fit.person.status !== 'withdrawn' &&
  !isCurrent(fit);
