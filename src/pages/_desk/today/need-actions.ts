import { html } from 'lit-html';
import { isolate } from '../../_scripts/isolate.ts';
import { askForm } from '../common/form-dialog.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendPatch } from '../record/change.ts';
import { openMove } from '../record/moves.ts';
import { askOutcome, askToConfirm } from '../record/outcome.ts';
import { describeSubject } from '../record/questions.ts';
import { shareShortlist } from '../record/share.ts';
import { read } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { NamedPlacement, OpenedRecord, PageRecord, Placement } from '../state/model.ts';
import { facts, findKind } from '../state/page-facts.ts';
import type { Need, NeedAction } from './needs.ts';

/** Asks the first party that has not confirmed what is stated. */
function askParty(shown: OpenedRecord): Promise<void> {
  const { confirmations, pending = [] } = (shown.row as Placement).outcome;
  const missing = facts.parties.filter((name) => !confirmations.some(({ party }) => party === name));
  const party = missing[0] ?? facts.parties[0]!;
  return askToConfirm(shown, party, pending.find((one) => one.party === party)?.expiresAt);
}

/** Asks for the first day of work, and stores it. */
const askStart = (shown: OpenedRecord): Promise<void> =>
  askForm(html`When does ${isolate(describeSubject(shown.row as NamedPlacement))} start?`, {
    fields: shown.kind.fields.filter(({ name }) => name === 'startDate'),
    submit: 'Save',
    async run(values) {
      if (await sendPatch(shown, values)) toast('The start is saved.');
    },
  });

const actions: Record<Exclude<NeedAction, 'open' | 'review'>, (shown: OpenedRecord) => Promise<unknown>> = {
  state: askOutcome,
  restate: askOutcome,
  ask: askParty,
  start: askStart,
  offer: (shown) => openMove(shown, 'offered'),
  accept: (shown) => openMove(shown, 'scheduled'),
  share: (shown) => shareShortlist(shown),
};

/** Reads a record as it is now, and opens a dialog for it. Then moves the focus to the list if its row is gone. */
async function openRecord(
  { id, kind: name }: Need,
  run: (shown: OpenedRecord) => Promise<unknown>,
): Promise<void> {
  await attempt(async () => {
    const kind = findKind(name);
    const { body, tag } = await read(`${kind.path}/${id}`, { orNothing: true });
    const row = body[kind.name] as PageRecord | undefined;
    if (row) await run({ kind, row, tag });
    else {
      toast(`This ${kind.noun} was deleted.`, 'blocked');
      await refresh();
    }
  });
  if (document.activeElement === document.body) document.getElementById('needs-name')?.focus();
}

/** Opens the dialog of a need. */
export const act = (need: Need, action: Exclude<NeedAction, 'open' | 'review'>): Promise<void> =>
  openRecord(need, actions[action]);

/** Opens the dialog that moves the record of a need to a status. */
export const moveTo = (need: Need, to: string): Promise<void> =>
  openRecord(need, (shown) => openMove(shown, to));
