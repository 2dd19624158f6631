import { html } from 'lit-html';
import type { FormValues } from '../../_scripts/form/values.ts';
import { isolateEach } from '../../_scripts/isolate.ts';
import { askForm } from '../common/form-dialog.ts';
import { viewTitle } from '../common/names.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { KindFacts, PageRecord } from '../state/model.ts';

/** The two records that a placement connects. */
export type Ends = readonly { kind: KindFacts; row: PageRecord }[];

/** Returns what a placement of two records has without asking: both, and the occupation and the start of the order. */
function createDraft({ references }: KindFacts, ends: Ends): FormValues {
  const endOf = (name: string) => ends.find(({ kind }) => kind.name === name)!.row;
  const { onetCode, startDate } = endOf('jobOrder') as PageRecord & { startDate?: string };
  const ids = Object.entries(references).map(([member, of]) => [member, endOf(of).id]);
  return { ...Object.fromEntries(ids), onetCode, ...(startDate && { startDate }) };
}

/** Shows what came of a create, with its warnings. */
function sayCreated(words: string, { warnings = [] }: { warnings?: { message: string }[] }): void {
  const parts = [words, ...warnings.map(({ message }) => message)];
  toast(parts.join(' '), warnings.length > 0 ? 'blocked' : 'ok');
}

/** Proposes a person for an order. Everything that a proposal needs is known. */
export const propose = (tie: KindFacts, ends: Ends) =>
  attempt(async () => {
    const { body } = await sendWrite('POST', tie.path, { ...createDraft(tie, ends), status: 'proposed' });
    await refresh();
    sayCreated('Proposed.', body);
    document.getElementById('holders-name')?.focus();
  });

/** Asks for the terms of a placement, and creates it as accepted. */
export async function place(tie: KindFacts, ends: Ends): Promise<void> {
  const draft = createDraft(tie, ends);
  const titles = ends.map(({ kind, row }) => viewTitle(kind, row));
  const isAsked = (name: string) => name === 'startDate' || !(name in draft);
  await askForm(html`A ${tie.noun}: ${isolateEach(titles, ' and ')}`, {
    fields: tie.fields.filter(({ name }) => isAsked(name)),
    values: draft,
    submit: 'Place',
    async run(values) {
      const { body } = await sendWrite('POST', tie.path, { ...draft, ...values });
      location.hash = body[tie.name].id;
      await refresh();
      sayCreated('Placed.', body);
    },
  });
}

/** Statuses in which nobody can be proposed for an order, and in which a person cannot be proposed. */
const shutStatuses: Readonly<Record<string, readonly string[]>> = {
  jobOrder: ['closed', 'filled'],
  candidate: ['withdrawn'],
};

/** Whether a placement of both can be proposed: the order has openings left, and the person is not withdrawn. */
export const canPropose = (ends: Ends): boolean =>
  ends.every(({ kind, row: { status } }) => !shutStatuses[kind.name]?.includes(status));
