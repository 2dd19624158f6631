import type { FormField } from '../../_scripts/form/form-field.ts';
import type { FormValues } from '../../_scripts/form/values.ts';
import { dayFromNow } from '../../_scripts/format.ts';
import { askSure } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import type { MenuItem } from '../common/menu.ts';
import { attempt, toast } from '../common/toast.ts';
import { read } from '../state/client.ts';
import type { KindFacts, NamedPlacement, OpenedRecord, PageRecord } from '../state/model.ts';
import { sendPatch, sendUnlessConflict } from './change.ts';
import { describeQuestion, describeSubject } from './questions.ts';

const moveWords: Record<string, string> = {
  withdrawn: 'Withdraw',
  available: 'Make available again',
  closed: 'Close',
  open: 'Open again',
  interviewing: 'Interview',
  offered: 'Make offer',
  scheduled: 'Accept',
  declined: 'Decline',
};

const spell = (status: string) => status.replaceAll('-', ' ');

/** Returns what a move to a status is called, for several records. */
export const describeMove = (to: string): string => moveWords[to] ?? `Make it ${spell(to)}`;

/** What moves of one record are called if a word of `moveWords` alone could mean the page. */
const ownWords: Record<string, string> = { withdrawn: 'Withdraw candidate', closed: 'Close order' };

const describeOwnMove = (to: string): string => ownWords[to] ?? describeMove(to);

/** Returns the field in which a person says why. */
export const pickReason = ({ remarks }: KindFacts) => remarks.filter(({ name }) => name === 'reason');

const unchanged = 'Nothing was changed.';
/** What an option of a move does. */
export const optionHints = { declineProposals: 'Each open proposal is declined, with the reason closed.' };

/** Returns the fields that a move takes. An acceptance takes the start, if the placement has none. */
function listMoveFields({ kind, row }: OpenedRecord, to: string): FormField[] {
  const { moves, moving, options, fields } = kind;
  const takes = moves.flatMap((legal) => (legal.to === to ? legal.takes : []));
  const isStartless = to === 'scheduled' && row.startDate === undefined;
  return [
    ...moving.filter(({ name }) => takes.includes(name)),
    ...options.flatMap((option) => (option.to === to ? option.field : [])),
    ...(isStartless ? fields.filter(({ name }) => name === 'startDate') : []),
    ...pickReason(kind),
  ];
}

/** Returns the start of the order of a placement that is about to be accepted and has none. */
async function readStart({ row }: OpenedRecord, to: string): Promise<FormValues> {
  const { jobOrder } = row.links as { jobOrder?: string | null };
  if (to !== 'scheduled' || row.startDate !== undefined || !jobOrder) return {};
  const { startDate } = (await read(jobOrder)).body.jobOrder as { startDate?: string };
  return startDate ? { startDate } : {};
}

/** Asks for the values of a move, or for confirmation, and makes the move. Conflicts are shown first. */
export async function openMove(shown: OpenedRecord, to: string): Promise<void> {
  const words = describeOwnMove(to);
  const { title, note, done } = describeQuestion(shown.kind, shown.row, to, words);
  await askForm(title, {
    fields: listMoveFields(shown, to),
    values: await readStart(shown, to),
    hints: { ...optionHints, startDate: 'Without one it reads as scheduled until it has a start.' },
    note,
    submit: words,
    async run(values) {
      const patch = { status: to, ...values };
      const isDone =
        to === 'scheduled' ? await sendUnlessConflict(shown, patch) : await sendPatch(shown, patch);
      toast(isDone ? done : unchanged);
    },
  });
}

/** Asks for the end of a placement, or for a correction of it. The dates decide the resulting status. */
function end(shown: OpenedRecord): Promise<void> {
  const { kind, row } = shown;
  const { endDate, endReason } = row as { endDate?: string; endReason?: string };
  const isCorrection = endDate !== undefined;
  return askForm(isCorrection ? 'Correct the end' : 'When and why did it end?', {
    fields: [
      ...kind.moving.filter(({ name }) => name === 'endDate' || name === 'endReason'),
      ...pickReason(kind),
    ],
    values: isCorrection ? { endDate, endReason } : { endDate: dayFromNow() },
    note: describeSubject(row as NamedPlacement),
    submit: isCorrection ? 'Correct it' : 'End it',
    async run(values) {
      const isDone = await sendPatch(shown, values);
      const who = (row as NamedPlacement).candidateName ?? 'The placement';
      toast(isDone ? `${who}: the end is recorded.` : unchanged);
    },
  });
}

/** Removes an end that was recorded by mistake. */
async function removeEnd(shown: OpenedRecord): Promise<void> {
  const words = 'It reads as if it had not ended. What was stated of an end by it goes too.';
  if (!(await askSure('Remove the end?', words, 'Remove it'))) return;
  await attempt(async () => {
    const isDone = await sendPatch(shown, { endDate: null });
    toast(isDone ? 'Done: it has no end any more.' : unchanged);
  });
}

/** A move that a person can make now. `to` is absent for those that only correct an end. */
export interface PossibleMove {
  to?: string;
  words: string;
  run(shown: OpenedRecord): unknown;
}

/** Lists the moves that are legal for a record. Those that end a placement are one. */
export function listMoves(kind: KindFacts, row: PageRecord): PossibleMove[] {
  const legal = kind.moves.filter(({ from }) => from.includes(row.status));
  const moves = legal
    .filter(({ takes }) => !takes.includes('endDate'))
    .map(({ to }) => ({
      to,
      words: describeOwnMove(to),
      run: (shown: OpenedRecord) => openMove(shown, to),
    }));
  if (moves.length === legal.length) return moves;
  if (!('endDate' in row)) return [...moves, { words: 'End it', run: end }];
  return [...moves, { words: 'Correct the end', run: end }, { words: 'Remove the end', run: removeEnd }];
}

/** Turns moves into the items of a menu. `open` returns the record as it is now. */
export const toMenu = (moves: readonly PossibleMove[], open: () => Promise<OpenedRecord>): MenuItem[] =>
  moves.map(({ to, words, run }) => ({
    words,
    run: () => attempt(async () => run(await open())),
    ...(to === 'declined' && { tone: 'danger' }),
  }));
