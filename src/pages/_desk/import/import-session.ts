/** What follows from an import that is under way: what is sent, and what is left to decide. */
import { groupProblems, groupTitles, listDoubts } from './import-groups.ts';
import { type ImportSession, listReadRows, type ReadRow } from './import-model.ts';
import { type FileTable, formatSheet, omitParts, splitSheet } from './sheet.ts';

/** Returns the table of a file, split at the names of its columns. Undefined if it has none. */
export function readTable({ sheet, reply }: ImportSession): FileTable | undefined {
  if (!sheet) return undefined;
  return splitSheet(sheet, reply?.mapping.map(({ from }) => from) ?? []);
}

/** Formats the file with the corrections of the person. Returns it as it is if there are none. */
function formatFile({ args, sheet, original, leftRows, leftColumns }: ImportSession): string {
  const isUnchanged = sheet === original && leftRows.size === 0 && leftColumns.size === 0;
  return sheet && !isUnchanged ? formatSheet(omitParts(sheet, leftRows, leftColumns)) : args.text;
}

/** Lists the codes that the person chose, by row. */
export function listSentCodes({
  reply,
  codes,
  leftRows,
  unread,
}: ImportSession): { at: string; onetCode: string }[] {
  const isLeft = (at: string) => {
    const number = Number(/^row (\d+)$/.exec(at)?.[1]);
    return leftRows.has(number) || unread.has(number);
  };
  return (reply?.codes ?? []).flatMap(({ at, title }) => {
    const onetCode = codes.get(title ?? '');
    return onetCode !== undefined && !isLeft(at) ? [{ at, onetCode }] : [];
  });
}

/** Returns the body of POST /imports. A dry run shows all rows; the import leaves out those with problems. */
export function createArgs(session: ImportSession, isDry: boolean): object {
  const { args, kind, meanings } = session;
  const codes = listSentCodes(session);
  return {
    ...args,
    text: formatFile(session),
    ...(args.format === 'csv' && { kind }),
    ...(meanings.size > 0 && { columns: Object.fromEntries(meanings) }),
    ...(codes.length > 0 && { codes }),
    upsert: true,
    ...(!isDry && { onProblem: 'skip' }),
    dryRun: isDry,
  };
}

/** How many rows are imported, and how many are not. */
interface RowCounts {
  added: number;
  changed: number;
  bad: number;
}

function countRows(rows: readonly ReadRow[]): RowCounts {
  const good = rows.filter(({ code, record }) => record && !code.hasProblem);
  const changed = good.filter(({ code }) => code.id !== undefined).length;
  const bad = rows.filter(({ code }) => code.hasProblem).length;
  return { added: good.length - changed, changed, bad };
}

const noTable: FileTable = { columns: [], header: { number: 0, cells: [] }, body: [] };

/** What the service said of a file, as the steps of the page show it. Undefined until it was read once. */
export function readFindings(session: ImportSession) {
  const { reply, kind } = session;
  if (!reply || !kind) return undefined;
  const table = readTable(session) ?? noTable;
  const rows = listReadRows(reply, kind);
  return {
    reply,
    table,
    rows,
    counts: countRows(rows),
    titles: groupTitles(reply),
    problems: groupProblems(reply, table),
    doubts: listDoubts(reply, table),
  };
}

export type ImportFindings = NonNullable<ReturnType<typeof readFindings>>;

export const importSteps = ['columns', 'values', 'rows'] as const;
export type ImportStep = (typeof importSteps)[number];

/** Lists the steps of a file: a document has no columns. */
export const listSteps = ({ args }: ImportSession): readonly ImportStep[] =>
  args.format === 'csv' ? importSteps : importSteps.slice(1);

/** What a column is for, as the service or the person says. */
type ColumnState = 'known' | 'left' | 'unknown' | 'personal';

/** Says what a column is for. A column is personal if the service never stores it. */
export function findColumnState(
  name: string,
  index: number,
  { leftColumns, meanings, reply }: ImportSession,
): { state: ColumnState; member?: string } {
  if (leftColumns.has(index)) return { state: 'left' };
  const chosen = meanings.get(name);
  if (chosen !== undefined) return { state: 'known', member: chosen };
  const member = reply?.mapping.find(({ from }) => from === name)?.to;
  if (member !== undefined) return { state: 'known', member };
  const isPersonal = reply?.notTaken.some((note) => note.member === name && /never stored/.test(note.why));
  return { state: isPersonal ? 'personal' : 'unknown' };
}

/** Returns the first step at which the person has something to decide. */
export function findOpenStep(session: ImportSession): ImportStep {
  const findings = readFindings(session);
  const steps = listSteps(session);
  if (!findings) return steps[0]!;
  const { table, titles, problems } = findings;
  const isOpen = ({ name, index, filled }: FileTable['columns'][number]) =>
    filled > 0 && findColumnState(name, index, session).state === 'unknown';
  if (steps.includes('columns') && table.columns.some(isOpen)) return 'columns';
  const isUnclear =
    problems.length > 0 || titles.some(({ certainty, onetCode }) => certainty === 'unsure' && !onetCode);
  return isUnclear ? 'values' : 'rows';
}
