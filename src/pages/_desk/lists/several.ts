import { html, type TemplateResult } from 'lit-html';
import { ApiError } from '../../_scripts/api-client.ts';
import type { FormField } from '../../_scripts/form/form-field.ts';
import type { FormValues } from '../../_scripts/form/values.ts';
import { dayFromNow, formatAmount, toSentenceCase } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { askPerson } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import { button } from '../common/parts.ts';
import { toast } from '../common/toast.ts';
import { describeMove, optionHints, pickReason } from '../record/moves.ts';
import { listDifferences } from '../record/versions.ts';
import { read, sendBatch } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { KindFacts, PageRecord } from '../state/model.ts';
import { formatRowName } from './columns.ts';
import { chooseAll, isChosen } from './selection.ts';

/** A move that each of several records can make. */
interface SharedMove {
  words: string;
  /** The status to send. An end has none, because its days decide the status. */
  status?: string;
  fields: readonly FormField[];
  values?: FormValues;
}

/** Lists the moves that are legal for all of several records. Those that end a placement are one. */
function listSharedMoves(kind: KindFacts, rows: readonly PageRecord[]): SharedMove[] {
  const isLegal = (to: string) =>
    rows.every(
      ({ status }) =>
        !(status in kind.stuck) && kind.moves.some((one) => one.to === to && one.from.includes(status)),
    );
  const legal = [...new Set(kind.moves.map(({ to }) => to))].filter(isLegal);
  const takesOf = (to: string) => kind.moves.flatMap((one) => (one.to === to ? one.takes : []));
  const isEnd = (to: string) => takesOf(to).includes('endDate');
  const pickFields = (names: readonly string[]) => kind.moving.filter(({ name }) => names.includes(name));
  const moves = legal
    .filter((to) => !isEnd(to))
    .map((to) => ({
      words: describeMove(to),
      status: to,
      fields: [
        ...pickFields(takesOf(to)),
        ...kind.options.flatMap((option) => (option.to === to ? option.field : [])),
        ...pickReason(kind),
      ],
    }));
  const end = legal.find(isEnd);
  if (!end || rows.some((row) => 'endDate' in row)) return moves;
  return [
    ...moves,
    {
      words: 'End them',
      fields: [...pickFields(takesOf(end)), ...pickReason(kind)],
      values: { endDate: dayFromNow() },
    },
  ];
}

/** An issue or a warning of a batch, with the place of its change among those that were sent. */
interface PlacedIssue {
  index: number;
  member: string;
  message: string;
}

/** Reads the issues or warnings that concern single changes: `changes[3].endDate`. */
function listPlacedIssues(issues: readonly { path?: string; message: string }[] = []): PlacedIssue[] {
  return issues.flatMap(({ path = '', message }) => {
    const [, index, member] = /^changes\[(\d+)\]\.(\w+)/.exec(path) ?? [];
    return index === undefined ? [] : [{ index: Number(index), member: member!, message }];
  });
}

/** Says of which record an issue is: `Nina Example: Job order id is filled already`. */
function viewIssue(kind: KindFacts, rows: readonly PageRecord[], { index, member, message }: PlacedIssue) {
  const field = [...kind.fields, ...kind.moving].find(({ name }) => name === member);
  const title = field?.title ?? toSentenceCase(member);
  return html`<strong>${isolate(formatRowName(kind, rows[index]!))}</strong>: ${title} ${message}.`;
}

const viewNames = (kind: KindFacts, rows: readonly PageRecord[]) => {
  const names = rows.slice(0, 5).map((row) => formatRowName(kind, row));
  return isolateEach([...names, ...(rows.length > 5 ? [`${rows.length - 5} more`] : [])], ', ');
};

/** Shows what the service says of single records, below a sentence about all of them. */
const showIssues = (title: string, words: string, issues: readonly TemplateResult[]) =>
  askPerson<void>(
    title,
    (answer) => html`<p>${words}</p>
      <ul class="refusals">${issues.map((issue) => html`<li>${issue}</li>`)}</ul>
      <p class="actions">${button('Close', () => answer(), '')}</p>`,
  );

/** Shows why the service refused some of the changes, so that it made none. */
function showRefusals(kind: KindFacts, rows: readonly PageRecord[], issues: readonly PlacedIssue[]) {
  const count = new Set(issues.map(({ index }) => index)).size;
  return showIssues(
    'Nothing was changed',
    `${count} of ${formatAmount(rows.length, kind.noun, kind.plural)} cannot be moved:`,
    issues.map((issue) => viewIssue(kind, rows, issue)),
  );
}

/** Reads the records that changed meanwhile, shows what is different, and asks whether to move all anyway. */
async function askOverSeveral(kind: KindFacts, rows: readonly PageRecord[], stale: ReadonlySet<number>) {
  const readNow = async (row: PageRecord) => (await read(row.links.self)).body[kind.name] as PageRecord;
  const now = await Promise.all(rows.map((row, index) => (stale.has(index) ? readNow(row) : row)));
  const changes = [...stale].map((index) => {
    const differences = listDifferences(rows[index]!, now[index]!);
    return html`<tr><th scope="row" dir="auto">${formatRowName(kind, rows[index]!)}</th>
      <td dir="auto">${differences.map(({ name, was, now: is }) => html`<p>${name}: ${isolate(was)} → ${isolate(is)}</p>`)}</td></tr>`;
  });
  const isSure = await askPerson<true>(
    'Changed by somebody else meanwhile',
    (answer) => html`<p>Nothing is moved yet. This is what is different now:</p>
      <div class="scroll" tabindex="0" role="group" aria-label="What is different"><table>
        <thead><tr><th scope="col">Record</th><th scope="col">What changed</th></tr></thead><tbody>${changes}</tbody>
      </table></div>
      <p class="actions">${button('Move them anyway', () => answer(true), '')}${button('Keep them as they are now', () => answer())}</p>`,
  );
  return isSure ? now : undefined;
}

/** Returns the refusal with its issues at the fields of the form, or undefined if it is not about these fields. */
function toFormRefusal(
  error: ApiError,
  issues: readonly PlacedIssue[],
  fields: readonly FormField[],
): ApiError | undefined {
  if (!issues.every(({ member }) => fields.some(({ name }) => name === member))) return undefined;
  const messages = new Map(issues.map(({ member, message }) => [member, message]));
  const own = [...messages].map(([path, message]) => ({ path, message }));
  return new ApiError(error.status, { ...error.body, issues: own });
}

/**
 * Asks what to do about a refused batch. Returns the records to try again with, at the revisions that the person has seen,
 * or undefined if the person has seen why nothing is moved. Throws a refusal that belongs into the form.
 */
async function answerRefusal(
  kind: KindFacts,
  rows: readonly PageRecord[],
  { error, fields }: { error: unknown; fields: readonly FormField[] },
): Promise<readonly PageRecord[] | undefined> {
  const issues = error instanceof ApiError ? listPlacedIssues(error.body?.issues) : [];
  if (!(error instanceof ApiError) || issues.length === 0) throw error;
  const stale = new Set(issues.flatMap(({ index, member }) => (member === 'revision' ? index : [])));
  if (stale.size > 0) return askOverSeveral(kind, rows, stale);
  const refusal = toFormRefusal(error, issues, fields);
  if (refusal) throw refusal;
  await showRefusals(kind, rows, issues);
  return undefined;
}

/** The records that a person moves after having seen what speaks against some of them. */
interface Choice {
  rows: readonly PageRecord[];
  isStrict: boolean;
}

/** Shows what speaks against single records before any is moved, and asks which are moved. */
async function askDespiteConflicts(
  kind: KindFacts,
  rows: readonly PageRecord[],
  { words, issues }: { words: string; issues: readonly PlacedIssue[] },
): Promise<Choice | undefined> {
  const against = new Set(issues.map(({ index }) => index));
  const free = rows.filter((_, index) => !against.has(index));
  const viewChoices = (answer: (choice?: Choice) => void) => html`<p>Nothing is changed yet.</p>
    <ul class="refusals">${issues.map((issue) => html`<li>${viewIssue(kind, rows, issue)}</li>`)}</ul>
    <p class="actions">
      ${free.length > 0 ? button(`${words} the ${free.length} without conflicts`, () => answer({ rows: free, isStrict: true }), '') : ''}
      ${button(`${words} all ${rows.length} anyway`, () => answer({ rows, isStrict: false }))}
      ${button('Cancel', () => answer())}
    </p>`;
  return askPerson<Choice>(`Something speaks against ${against.size} of ${rows.length}`, viewChoices);
}

/**
 * Sends one batch that moves all records or none. An acceptance is refused for what the service would warn of, and the person
 * then chooses whom to accept. Resolves with those who were moved, or with undefined if none was.
 */
async function sendMove(
  kind: KindFacts,
  chosen: readonly PageRecord[],
  { move: { words, status, fields }, values }: { move: SharedMove; values: FormValues },
): Promise<readonly PageRecord[] | undefined> {
  let choice: Choice | undefined = { rows: chosen, isStrict: status === 'scheduled' };
  while (choice) {
    const { rows, isStrict }: Choice = choice;
    const changes = rows.map(({ id, revision }) => ({ id, revision, ...(status && { status }), ...values }));
    try {
      await sendBatch(changes, isStrict);
      return rows;
    } catch (error) {
      const issues = listPlacedIssues(error instanceof ApiError ? error.body?.issues : []);
      const isConflict = error instanceof ApiError && error.code === 'conflict' && issues.length > 0;
      if (isConflict) choice = await askDespiteConflicts(kind, rows, { words, issues });
      else {
        const now = await answerRefusal(kind, rows, { error, fields });
        choice = now && { rows: now, isStrict };
      }
    }
  }
  return undefined;
}

/** Says what follows a move, for all records. */
const consequences: Record<string, string> = {
  interviewing: 'This holds no opening.',
  offered: 'An offer holds no opening until it is accepted.',
  scheduled: 'Each takes an opening of its order.',
  declined: 'They can be proposed again.',
};

/** Asks once for what a move takes, and moves all records by it. */
async function moveSeveral(kind: KindFacts, rows: readonly PageRecord[], move: SharedMove): Promise<void> {
  const amount = formatAmount(rows.length, kind.noun, kind.plural);
  let moved: readonly PageRecord[] | undefined;
  await askForm(`${move.words}: ${amount}?`, {
    fields: move.fields,
    values: move.values ?? {},
    note: html`${viewNames(kind, rows)}. ${consequences[move.status ?? ''] ?? ''} Nobody is emailed.`,
    hints: optionHints,
    submit: move.words,
    async run(values) {
      moved = await sendMove(kind, rows, { move, values });
      if (moved) chooseAll([], false);
      await refresh();
      const done = formatAmount(moved?.length ?? 0, kind.noun, kind.plural);
      toast(moved ? `${done}: ${move.status?.replaceAll('-', ' ') ?? 'ended'}.` : 'Nothing was changed.');
    },
  });
  if (!moved) return;
  document.getElementById('records-name')?.focus({ preventScroll: true });
}

/** Returns the records of a page that are chosen. */
export const listChosen = (rows: readonly PageRecord[]) => rows.filter(({ id }) => isChosen(id));

/** Shows how many records are chosen, and the moves that all of them can make. */
export function viewSeveral(kind: KindFacts, rows: readonly PageRecord[]): TemplateResult {
  const moves = listSharedMoves(kind, rows);
  return html`<div class="several" role="group" aria-label="Selected">
    <strong>${rows.length} selected</strong>
    ${moves.map((move) => button(move.words, () => moveSeveral(kind, rows, move)))}
    ${moves.length === 0 ? html`<span class="note">No move fits all of them.</span>` : ''}
    ${button('Clear', () => chooseAll([], false), 'link')}
  </div>`;
}
