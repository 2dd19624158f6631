import { cutExcerpt } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import type { Kind } from '../records/kind/kind.ts';
import { cleanCell } from './cell-text.ts';
import { findColumnMember, isPersonal, listColumnMembers, toHeading } from './columns.ts';
import { type CsvRow, mostRowsAbove } from './csv.ts';

/** The most columns that a file can have. */
export const mostColumns = 200;

/** What the caller says that columns mean: a member by the name of a column. */
export type NamedColumns = Readonly<Record<string, string>>;

/** What the caller says that columns mean, as it was sent: by name, or as a list. */
export type SentColumns = NamedColumns | readonly { from: string; to: string }[];

export const toNamedColumns = (sent: SentColumns): NamedColumns =>
  Array.isArray(sent)
    ? Object.fromEntries((sent as { from: string; to: string }[]).map(({ from, to }) => [from, to]))
    : (sent as NamedColumns);

export interface FileColumn {
  index: number;
  name: string;
  /** Absent if the column is not taken. */
  member?: string;
  /** Why it is not taken. */
  why: string;
}

export function refuseFile(message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path: 'text', message }] });
}

const unknown = 'is no column that is known; say what it means in columns';
const personal = 'is personal data, or a license number, which is never stored';

/** Reads the columns from the row of their names. Columns without a name are left out if they are last. */
function* readColumns({ cells }: CsvRow, kind: Kind, named: NamedColumns): Steps<FileColumn[]> {
  const count = 1 + cells.findLastIndex((cell) => cell.trim() !== '');
  if (count > mostColumns) refuseFile(`has ${count} columns; send at most ${mostColumns}`);
  const memberByWords = new Map(Object.entries(named).map(([name, member]) => [toHeading(name), member]));
  const columns: FileColumn[] = [];
  for (const [index, cell] of cells.slice(0, count).entries()) {
    yield;
    const name = cleanCell(cell);
    const words = toHeading(name);
    const member = isPersonal(words) ? undefined : (memberByWords.get(words) ?? findColumnMember(name, kind));
    const why = isPersonal(words) ? personal : unknown;
    columns.push({ index, name: name === '' ? `column ${index + 1}` : name, why, ...(member && { member }) });
  }
  return columns;
}

const countKnown = (columns: readonly FileColumn[]) =>
  columns.filter(({ member }) => member !== undefined).length;
const isTitleRow = ({ cells }: CsvRow) => cells.filter((cell) => cell.trim() !== '').length === 1;

/**
 * Finds the row that names the columns: the first of the first rows with a known column. A row of one cell is a title if
 * a row below it knows more. Returns the columns, and the index of their row. Throws a Refusal if there is none.
 */
export function* findHeader(
  rows: readonly CsvRow[],
  kind: Kind,
  named: NamedColumns,
): Steps<{ columns: FileColumn[]; at: number }> {
  let title: { columns: FileColumn[]; at: number } | undefined;
  let first: FileColumn[] | undefined;
  for (const [at, row] of rows.slice(0, mostRowsAbove + 1).entries()) {
    const columns = yield* readColumns(row, kind, named);
    first ??= columns;
    const known = countKnown(columns);
    if (known > (title ? 1 : 0) && !isTitleRow(row)) return { columns, at };
    if (known > 0 && !title) title = { columns, at };
  }
  if (title) return title;
  const names = first!.slice(0, 5).map(({ name }) => `"${cutExcerpt(name, 40)}"`);
  return refuseFile(
    `has no column that is known: ${names.join(', ')}; the first row must name the columns, or say what they mean in columns`,
  );
}

/** Throws a Refusal if the caller names a column that the file does not have, or a member that there is not. */
export function refuseNamed(named: NamedColumns, columns: readonly FileColumn[], kind: Kind): void {
  const words = new Set(columns.map(({ name }) => toHeading(name)));
  const members = listColumnMembers(kind);
  const issues = Object.entries(named).flatMap(([name, member]) => {
    const path = `columns.${cutExcerpt(name)}`;
    if (isPersonal(toHeading(name))) return [{ path, message: `${personal}; leave it out` }];
    if (!words.has(toHeading(name)))
      return [{ path, message: 'is no column of this file; send its name as the file has it' }];
    if (members.includes(member)) return [];
    return [{ path, message: `must be one of ${members.join(', ')}` }];
  });
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
}

/** Whether our own export wrote the file. Its texts are stored as they are. */
export const isOwnExport = (columns: readonly FileColumn[]): boolean =>
  ['onetCode', 'createdAt', 'updatedAt', 'revision'].every((own) => columns.some(({ name }) => name === own));
