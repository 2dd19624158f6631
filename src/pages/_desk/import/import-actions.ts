/** What a person does with a file that is being imported. Each change is followed by a dry run of the file. */
import { listIssues } from '../../_scripts/form/issues.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { toast } from '../common/toast.ts';
import { enterWorkspace } from '../page/workspace.ts';
import { sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import { findKind } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import type { ValueGroup } from './import-groups.ts';
import {
  createSession,
  type ImportKind,
  type ImportReply,
  type ImportSession,
  kindWords,
  type OfferedCode,
} from './import-model.ts';
import {
  createArgs,
  findOpenStep,
  type ImportStep,
  listSentCodes,
  readFindings,
  readTable,
} from './import-session.ts';
import { addColumn, parseSheet, type SheetColumn, writeCells } from './sheet.ts';

const importAddress = '#import';

const change = (changes: Partial<ImportSession>): void => {
  if (state.importing) updateState({ importing: { ...state.importing, ...changes } });
};

export const formatStepAddress = (step: ImportStep): string => `${importAddress}?step=${step}`;

/** Shows a step of the import. The address names it, so that Back returns to the one before. */
export const goToStep = (step: ImportStep): void => {
  location.hash = formatStepAddress(step);
};

/** Says why the service refused a file, in words about the file. */
function explainFault(error: unknown): string {
  const [first, ...others] = listIssues(error);
  if (!first) return (error as Error).message;
  const say = ({ path, message }: { path: string; message: string }) =>
    `${path === 'text' ? 'The file' : path} ${message}.`;
  return [first, ...others].map(say).join(' ');
}

const send = async (session: ImportSession, isDry: boolean): Promise<ImportReply> =>
  (await sendWrite('POST', '/imports', createArgs(session, isDry))).body;

/** The most titles that are looked up at once. */
const mostTitles = 100;
const longestTitle = 200;

/** Reads which occupations the titles without a sure code may mean. Without an answer there are only fields to search in. */
async function loadOffers(isLatest: () => boolean): Promise<void> {
  if (!isLatest()) return;
  const { offers } = state.importing!;
  const wanted = (readFindings(state.importing!)?.titles ?? [])
    .filter(({ title, certainty }) => certainty !== 'stated' && title !== '' && title.length <= longestTitle)
    .map(({ title }) => title)
    .filter((title) => !offers.has(title))
    .slice(0, mostTitles);
  if (wanted.length === 0) return;
  const { body } = await sendWrite('POST', '/titles', { titles: wanted });
  const found = (body.titles as { title: string; occupations: OfferedCode[] }[]).map(
    ({ title, occupations }) => [title, occupations] as const,
  );
  if (isLatest()) change({ offers: new Map([...offers, ...found]) });
}

/** Runs a call while the page says that it reads, and shows why it was refused. A later call replaces an earlier one. */
async function run(call: (isLatest: () => boolean) => Promise<void>): Promise<void> {
  const turn = {};
  change({ turn, isBusy: true, fault: '' });
  const isLatest = () => state.importing?.turn === turn;
  try {
    await call(isLatest);
  } catch (error) {
    if (isLatest()) change({ fault: explainFault(error) });
  }
  if (isLatest()) change({ isBusy: false });
}

/** Reads the file dry. A title that came up only now gets the code that the person chose for it. */
const readDry = (): Promise<void> =>
  run(async (isLatest) => {
    const sent = listSentCodes(state.importing!);
    let reply = await send(state.importing!, true);
    if (!isLatest()) return;
    const isSettled =
      JSON.stringify(listSentCodes({ ...state.importing!, reply, unread: new Set() })) ===
      JSON.stringify(sent);
    change({ unread: new Set() });
    if (!isSettled) reply = await send({ ...state.importing!, reply }, true);
    if (isLatest()) change({ reply });
    await loadOffers(isLatest).catch(() => {});
  });

/** Changes the file or what is known of it, and reads it again. */
export async function correct(changes: Partial<ImportSession>): Promise<void> {
  change(changes);
  await readDry();
}

/** Says what a row of the file is. */
export const chooseKind = (kind: ImportKind): Promise<void> =>
  correct({ kind, reply: undefined, meanings: new Map(), leftColumns: new Set() });

/** Says what a column means. `undefined` leaves it out. A column without a name gets that of the member. */
export function chooseMeaning({ index, name }: SheetColumn, member: string | undefined): Promise<void> {
  const { meanings, leftColumns, sheet } = state.importing!;
  const { header } = readTable(state.importing!)!;
  const others = [...meanings].filter(([one]) => one !== name);
  if (member === undefined)
    return correct({ meanings: new Map(others), leftColumns: new Set([...leftColumns, index]) });
  const left = new Set([...leftColumns].filter((one) => one !== index));
  if ((header.cells[index] ?? '').trim() === '')
    return correct({ leftColumns: left, sheet: writeCells(sheet!, new Set([header.number]), index, member) });
  return correct({ leftColumns: left, meanings: new Map([...others, [name, member]]) });
}

/** Chooses the occupation of all rows with a title. */
export const settleTitle = (title: string, code: string): Promise<void> =>
  correct({ codes: new Map([...state.importing!.codes, [title, code]]) });

/** Writes a text into a column of some rows. A group whose column the file does not have gets a new one. */
export function writeValue(
  { column, member, rows }: Pick<ValueGroup, 'column' | 'member' | 'rows'>,
  text: string,
): Promise<void> {
  const session = state.importing!;
  const wanted = new Set(rows);
  const sheet =
    column === undefined
      ? addColumn(session.sheet!, readTable(session)!, { name: member, rows: wanted, text })
      : writeCells(session.sheet!, wanted, column, text);
  return correct({ sheet, edited: undefined, unread: new Set([...session.unread, ...wanted]) });
}

/** Leaves some rows out. */
export const leaveRows = (rows: readonly number[]): Promise<void> =>
  correct({ leftRows: new Set([...state.importing!.leftRows, ...rows]) });

/** Takes the rows in that were left out. */
export const takeRows = (): Promise<void> => correct({ leftRows: new Set() });

export const editCell = (edited: ImportSession['edited']): void => change({ edited });
export const showAllRows = (): void => change({ showsAll: true });

/** Returns the session of a file that was read. Only a table can be corrected. */
export const openSession = (file: Pick<ImportSession, 'name' | 'args' | 'note' | 'isLocal'>): ImportSession =>
  createSession({ ...file, sheet: file.args.format === 'csv' ? parseSheet(file.args.text) : undefined });

const kindOfFormat = { resume: 'candidates', posting: 'jobOrders' } as const;

/** Says how well a table holds records of a kind: by its rows without a problem, then by the columns that are known. */
const rateReply = (reply: ImportReply | undefined): number =>
  reply ? 1000 * reply.codes.filter(({ hasProblem }) => !hasProblem).length + reply.mapping.length : 0;

/** Reads a table as each kind. Chooses the kind that it holds better, and none if it holds both as well. */
const guessKind = (): Promise<void> =>
  run(async (isLatest) => {
    const kinds = Object.keys(kindWords) as ImportKind[];
    const replies = await Promise.all(
      kinds.map((kind) => send({ ...state.importing!, kind }, true).catch(() => undefined)),
    );
    const [people = 0, orders = 0] = replies.map(rateReply);
    if (people === orders || !isLatest()) return;
    const at = people > orders ? 0 : 1;
    change({ kind: kinds[at], reply: replies[at] });
    await loadOffers(isLatest).catch(() => {});
  });

/** Reads a file that was just opened, and shows the first step at which the person has something to decide. */
export async function beginImport(): Promise<void> {
  const { format } = state.importing!.args;
  location.hash = importAddress;
  await (format === 'csv' ? guessKind() : correct({ kind: kindOfFormat[format] }));
  if (state.importing) location.replace(formatStepAddress(findOpenStep(state.importing)));
}

/** Says how many records are new, and how many are changed. */
function describeDone({ records }: ImportReply, kind: ImportKind): string {
  const [one, many] = kindWords[kind];
  const changes = records.changes?.length ?? 0;
  const counts = [
    `${formatAmount(records[kind]?.length ?? 0, one, many)} imported`,
    changes > 0 && `${formatAmount(changes, one, many)} changed`,
  ];
  return counts.filter(Boolean).join(', ');
}

/** Writes the records, and shows the list that they are in. */
export const importRows = (): Promise<void> =>
  run(async () => {
    const { name, kind } = state.importing!;
    const reply = await send(state.importing!, false);
    if (state.workspace || reply.workspace === undefined) await refresh();
    else await enterWorkspace({ id: reply.workspace });
    updateState({ importing: undefined });
    location.hash = formatHash(findKind(kind === 'candidates' ? 'candidate' : 'jobOrder'));
    toast(`${describeDone(reply, kind!)} from ${name}.`);
  });

/** Forgets the file, and shows what was there before it. */
export function cancelImport(): void {
  updateState({ importing: undefined });
  location.hash = state.workspace ? formatHash(state.lastList.kind) : '';
}
