import { cutExcerpt } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import type { Kind } from '../records/kind/kind.ts';
import { type CellFormat, isListMember, readCell } from './cells.ts';
import { findColumnMember } from './columns.ts';
import { type CsvRow, type CsvTable, parseCsv } from './csv.ts';
import {
  cleanText,
  createFile,
  type FileRow,
  type ImportFile,
  mostItems,
  refuseTooLong,
} from './import-file.ts';

/** The most columns that a file can have. */
const mostColumns = 200;

interface Column {
  index: number;
  name: string;
  /** Absent if the column is not taken. */
  member?: string;
}

/** The member that a column holds a part of, and the separator between its parts. */
interface Whole {
  to: string;
  separator: string;
}

/** Returns the members whose values are several columns, by the name of each part, in the order of the parts. */
const listParts = ({ members }: Kind): ReadonlyMap<string, Whole> =>
  new Map(
    Object.entries(members).flatMap(([to, { file }]) =>
      (file?.parts ?? []).map((part): [string, Whole] => [part, { to, separator: file?.separator ?? ' ' }]),
    ),
  );

/** What the cells of a table are read by. */
interface TableFormat extends CellFormat {
  kind: Kind;
  parts: ReadonlyMap<string, Whole>;
}

function refuseFile(message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path: 'text', message }] });
}

/** Returns the place of a cell as a problem names it: `row 4, Pay Rate`. */
function nameCell([header]: readonly CsvRow[], { number, index }: { number: number; index: number }): string {
  const name = header?.number === number ? '' : cleanText(header?.cells[index] ?? '');
  return `row ${number}, ${name === '' ? `column ${index + 1}` : cutExcerpt(name)}`;
}

/** Throws a Refusal if the table has no rows to import, or more than one import takes. */
function refuseTable({ rows, unclosed, tooLong, tooWide }: CsvTable): void {
  if (tooLong) refuseTooLong(nameCell(rows, tooLong), 'text');
  if (tooWide !== undefined) refuseFile(`has too many cells in row ${tooWide}; send at most ${mostColumns}`);
  if (unclosed !== undefined)
    refuseFile(
      `opens a quote in row ${unclosed} that never closes; close it, or double a quote that is meant`,
    );
  if (rows.length === 0) refuseFile('holds no rows; send a row of column names, and then one row a record');
  if (rows.length === 1)
    refuseFile('holds only one row; the first row names the columns, the next are records');
  if (rows.length > mostRecords + 1)
    refuseFile(`must hold at most ${mostRecords} rows after the first; send the others as another file`);
}

/** Reads the columns from the row of their names. Of two columns for one member that is no list, the first is taken. */
function* readColumns({ cells }: CsvRow, { kind, parts }: TableFormat): Steps<Column[]> {
  const count = 1 + cells.findLastIndex((cell) => cell.trim() !== '');
  if (count > mostColumns) refuseFile(`has ${count} columns; send at most ${mostColumns}`);
  const seen = new Set<string>();
  const columns: Column[] = [];
  for (const [index, cell] of cells.slice(0, count).entries()) {
    yield;
    const name = cleanText(cell);
    const member = findColumnMember(name, kind);
    const isTaken = member !== undefined && (isListMember(kind, member) || !seen.has(member));
    if (isTaken) seen.add(member);
    columns.push({ index, name, ...(isTaken && { member }) });
  }
  return columns.map(({ member, ...column }) => {
    const whole = parts.get(member ?? '')?.to;
    const isTaken = member !== undefined && (whole === undefined || !seen.has(whole));
    return isTaken ? { ...column, member } : column;
  });
}

function refuseUnknownColumns(columns: readonly Column[]): void {
  if (columns.some(({ member }) => member !== undefined)) return;
  const names = columns.slice(0, 5).map(({ name }) => `"${cutExcerpt(name, 40)}"`);
  refuseFile(`has no column that is known: ${names.join(', ')}; the first row must name the columns`);
}

/** Adds values to the members of a row. Lists of several columns become one list. */
function addMembers(row: FileRow, members: Readonly<Record<string, unknown>>, place: string): void {
  for (const [member, value] of Object.entries(members)) {
    const before = row.members[member];
    const isList = Array.isArray(before) && Array.isArray(value);
    // A column for the most of a range comes before what another column says of the whole range.
    if (before !== undefined && !isList) continue;
    const whole = isList ? [...new Set([...before, ...value])] : value;
    if (Array.isArray(whole) && whole.length > mostItems) refuseTooLong(place, 'list');
    row.members[member] = whole;
    row.places[member] ??= place;
  }
}

/** Joins a name or a place of two columns. */
function addJoined(
  row: FileRow,
  cells: readonly { column: Column; text: string }[],
  parts: TableFormat['parts'],
): void {
  for (const { column, text } of cells) {
    const { to, separator } = parts.get(column.member!)!;
    const before = row.members[to];
    row.members[to] = before === undefined ? text : `${before}${separator}${text}`;
    row.places[to] ??= `${row.at}, ${cutExcerpt(column.name)}`;
  }
}

/** Reads a row, and yields after each of its cells. */
function* readRow(
  { number, cells }: CsvRow,
  columns: readonly Column[],
  file: ImportFile,
  format: TableFormat,
): Steps<FileRow> {
  const row: FileRow = { at: `row ${number}`, members: {}, places: {} };
  const surplus = cells.slice(columns.length).filter((cell) => cell.trim() !== '').length;
  if (surplus > 0) {
    const message = `has ${surplus} more cells than there are columns; put a cell with a separator in quotes`;
    file.problems.push({ at: row.at, message });
  }
  const filled: { column: Column; text: string }[] = [];
  for (const column of columns.filter(({ member }) => member !== undefined)) {
    yield;
    const text = cleanText(cells[column.index] ?? '');
    if (text !== '') filled.push({ column, text });
  }
  const { kind, parts } = format;
  const order = [...parts.keys()];
  const rank = ({ column }: { column: Column }) => order.indexOf(column.member!);
  const joined = filled.filter((cell) => rank(cell) >= 0);
  addJoined(
    row,
    joined.toSorted((one, other) => rank(one) - rank(other)),
    parts,
  );
  for (const { column, text } of filled.filter((cell) => !joined.includes(cell))) {
    const at = `${row.at}, ${cutExcerpt(column.name)}`;
    yield;
    const reading = readCell(text, kind, column.member!, format);
    const { members, problem, left } = reading;
    if (reading.hasTooMany) refuseTooLong(at, 'list');
    if (problem !== undefined) file.problems.push({ at, message: `"${cutExcerpt(text, 40)}" ${problem}` });
    else if (members) addMembers(row, members, at);
    else file.notTaken.push({ at: row.at, member: cutExcerpt(column.name) });
    if (left !== undefined) file.notTaken.push({ at, member: left });
  }
  return row;
}

/**
 * Reads a CSV file whose first row names its columns. Throws a Refusal if it is no table, has more than 200 rows of
 * records, has no known column, or has a cell or a list that is too long.
 */
export function* readCsv(text: string, kind: Kind, today: string, separator?: string): Steps<ImportFile> {
  const table = yield* parseCsv(text, mostRecords + 2, separator);
  refuseTable(table);
  const [header, ...rows] = table.rows as [CsvRow, ...CsvRow[]];
  const format = { kind, parts: listParts(kind), hasDecimalComma: table.separator === ';', today };
  const columns = yield* readColumns(header, format);
  refuseUnknownColumns(columns);
  const file = createFile();
  for (const { index, name, member } of columns) {
    const from = cutExcerpt(name);
    if (member !== undefined) file.mapping.push({ from, to: format.parts.get(member)?.to ?? member });
    else file.notTaken.push({ at: `column ${index + 1}`, member: from });
  }
  for (const row of rows) file.rows.push(yield* readRow(row, columns, file, format));
  return file;
}
