import { cutExcerpt } from '../kernel/envelope.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import type { Kind } from '../records/kind/kind.ts';
import { type AmountFormat, findAmountFormat, namesOtherMoney } from './amounts.ts';
import { cleanCell } from './cell-text.ts';
import { type CellFormat, findFileMember, readCell } from './cells.ts';
import { type CsvRow, type CsvTable, mostRowsAbove, parseCsv } from './csv.ts';
import { DayOrderFinder } from './days.ts';
import {
  type CredentialCell,
  type ExtraCell,
  findExtraMember,
  holdsDays,
  isExtraColumn,
  readExtraCells,
} from './extra-columns.ts';
import { isFiller } from './fillers.ts';
import {
  type FileColumn,
  findHeader,
  isOwnExport,
  mostColumns,
  type NamedColumns,
  refuseFile,
  refuseNamed,
} from './header.ts';
import { createFile, type ImportFile, refuseTooLong } from './import-file.ts';
import { type ColumnCell, readPayFormat } from './pay-format.ts';
import { hasWordsOf, readPlaceCells } from './read-places.ts';
import { type FilledCell, RowReader } from './row-reader.ts';

/** How a table is read beside its text. */
interface TableOptions {
  kind: Kind;
  /** YYYY-MM-DD. */
  today: string;
  /** Between cells, if it is known. */
  separator?: string | undefined;
  columns?: NamedColumns | undefined;
}

/** What the cells of a table are read by. */
interface TableFormat extends CellFormat {
  kind: Kind;
  columns: readonly FileColumn[];
  /** How the amounts of each column of pay are written. */
  amounts: ReadonlyMap<number, AmountFormat>;
}

/** Returns the place of a cell as a problem names it: `row 4, Pay Rate`. */
function nameCell([header]: readonly CsvRow[], { number, index }: { number: number; index: number }): string {
  const name = header?.number === number ? '' : cleanCell(header?.cells[index] ?? '');
  return `row ${number}, ${name === '' ? `column ${index + 1}` : cutExcerpt(name)}`;
}

/** Throws a Refusal if the table cannot be read, or has no rows to import. */
function refuseTable({ rows, unclosed, escaped, tooLong, tooWide }: CsvTable): void {
  if (tooLong) refuseTooLong(nameCell(rows, tooLong), 'text');
  if (tooWide !== undefined) refuseFile(`has too many cells in row ${tooWide}; send at most ${mostColumns}`);
  if (escaped !== undefined)
    refuseFile(`has a backslash before a quote in row ${escaped}; double each quote that is meant, as in ""`);
  if (unclosed !== undefined)
    refuseFile(
      `opens a quote in row ${unclosed} that never closes; close it, or double a quote that is meant`,
    );
  if (rows.length === 0) refuseFile('holds no rows; send a row of column names, and then one row a record');
  if (rows.length === 1)
    refuseFile('holds only one row; the first row names the columns, the next are records');
}

/** Splits the cells of a row that are not empty by what their columns are. */
function* listFilled({ cells }: CsvRow, columns: readonly FileColumn[]): Steps<ColumnCell[]> {
  const filled: ColumnCell[] = [];
  for (const column of columns) {
    yield;
    const text = cleanCell(cells[column.index] ?? '');
    if (text !== '') filled.push({ cell: { index: column.index, name: column.name, text }, column });
  }
  return filled;
}

/** Notes the columns of which a row says nothing, by what they are for, and keeps their names. */
function listSilent(columns: readonly FileColumn[], filled: readonly ColumnCell[]): Map<string, string> {
  const saying = new Set(filled.filter(({ cell }) => !isFiller(cell.text)).map(({ column }) => column));
  const silent = columns.filter((column) => !saying.has(column));
  return new Map(silent.flatMap(({ member, name }) => (member === undefined ? [] : [[member, name]])));
}

/** Whether a text is the error of a formula, such as #N/A. */
const isFormulaError = (text: string) => text.startsWith('#') && isFiller(text);

const isPart = (member: string, { kind }: TableFormat, whole: string) =>
  findFileMember(kind, whole).parts?.includes(member) ?? false;

/** Joins the first and the last name. A column for the whole name counts before them. */
function readNameParts(
  cells: readonly (FilledCell & { member: string })[],
  reader: RowReader,
  { kind }: TableFormat,
) {
  const { parts = [], separator = ' ' } = findFileMember(kind, 'name');
  const inOrder = cells.toSorted((one, other) => parts.indexOf(one.member) - parts.indexOf(other.member));
  const seen = new Set<string>();
  const named = inOrder.filter(({ member }) => !seen.has(member) && seen.add(member));
  const first = named[0];
  if (!first) return;
  const name = named.map(({ text }) => text).join(separator);
  const isWhole = reader.row.members.name !== undefined;
  if (isWhole) for (const part of parts) reader.row.silent?.delete(part);
  else if (named.length === parts.length) reader.row.silent?.delete('name');
  const isTaken = reader.set(first, 'name', name);
  const words = isTaken ? name : String(reader.row.members.name);
  for (const cell of inOrder) if (!hasWordsOf(words, cell.text)) reader.leaveLater(cell, 'name');
}

/** Reads a row, and yields after each of its cells. */
function* readRow(row: CsvRow, file: ImportFile, format: TableFormat): Steps<void> {
  const { kind, columns, amounts } = format;
  const reader = new RowReader(file, row.number);
  const surplus = row.cells.slice(columns.length).filter((cell) => cell.trim() !== '').length;
  if (surplus > 0) {
    const why = `has ${surplus} more cells than there are columns; put a cell with a separator in quotes`;
    file.problems.push({ row: row.number, at: reader.row.at, member: 'the whole row', why });
  }
  const nameParts: (FilledCell & { member: string })[] = [];
  const places: Record<string, FilledCell> = {};
  const extras: ExtraCell[] = [];
  const credentials: CredentialCell[] = columns
    .filter(({ member }) => member === 'credentials')
    .map(({ index, name }) => ({ cell: { index, name, text: '' }, items: [] }));
  const filled = yield* listFilled(row, columns);
  reader.row.silent = listSilent(columns, filled);
  const pay = readPayFormat(filled, format);
  for (const { cell, column } of filled) {
    const { member } = column;
    const amount = amounts.get(cell.index);
    const isForeign = pay.isForeign || amount?.isForeign === true;
    const cellFormat = { ...format, ...amount, ...pay, isForeign };
    yield;
    if (member === undefined) {
      if (!isFiller(cell.text)) reader.leave(cell, { why: column.why });
    } else if (!format.isOwn && isFormulaError(cell.text)) {
      reader.leave(cell, { why: 'is an error of the spreadsheet; correct the cell', detail: cell.text });
    } else if (isExtraColumn(member)) extras.push({ ...cell, column: member, format: cellFormat });
    else if (isPart(member, format, 'name')) nameParts.push({ ...cell, member });
    else if (isPart(member, format, 'metro')) {
      if (!places[member] || isFiller(places[member].text)) places[member] = cell;
      else if (!isFiller(cell.text))
        reader.leave(cell, { why: `${member} is taken from ${places[member].name}` });
    } else {
      const reading = readCell(cell.text, kind, member, cellFormat);
      const beside = credentials.find((one) => one.cell.index === cell.index);
      const isWholePlace = member === 'metro' && !format.isOwn && reading.members?.metro !== undefined;
      yield;
      if (isWholePlace && !places.whole) places.whole = cell;
      else if (isWholePlace) reader.leave(cell, { why: `metro is taken from ${places.whole!.name}` });
      else if (beside && reading.members) Object.assign(beside, { cell, items: reading.members.credentials });
      else reader.add(cell, reading);
    }
  }
  const { whole, ...parts } = places;
  readNameParts(nameParts, reader, format);
  readPlaceCells(whole, parts, reader);
  readExtraCells(extras, { kind, reader, credentials });
  for (const { cell, items } of credentials)
    if (items.length > 0) reader.add(cell, { members: { credentials: items } });
  reader.finishWeekly();
}

/** Returns the member that a column becomes, as `mapping` shows it. */
function findTarget(member: string, { kind }: TableFormat): string {
  if (isExtraColumn(member)) return findExtraMember(member);
  return (
    Object.keys(kind.members).find((whole) => findFileMember(kind, whole).parts?.includes(member)) ?? member
  );
}

/** Whether the cells of a column can hold days. */
function hasDays({ member }: FileColumn, kind: Kind): boolean {
  if (member === undefined) return false;
  if (isExtraColumn(member)) return holdsDays(member);
  const file = findFileMember(kind, member);
  return file.form === 'day' || (file.form === 'list' && file.hasDays === true);
}

const isPay = ({ member }: FileColumn, kind: Kind) =>
  member === 'weeklyGross' || (member !== undefined && findFileMember(kind, member).form === 'pay');

/** Looks at all rows for how days and numbers are written. */
function* findFormat(
  rows: readonly CsvRow[],
  columns: readonly FileColumn[],
  { kind, today }: TableOptions,
  hasDecimalComma: boolean,
): Steps<{ format: TableFormat; days: DayOrderFinder }> {
  const days = new DayOrderFinder();
  const amounts = new Map<number, AmountFormat>();
  for (const column of columns) {
    const texts: string[] = [];
    for (const { cells } of rows) {
      yield;
      const text = cells[column.index] ?? '';
      if (hasDays(column, kind)) days.add(text);
      else days.addUnread(text.trim());
      if (isPay(column, kind)) texts.push(cleanCell(text));
    }
    if (!isPay(column, kind)) continue;
    const isForeign = namesOtherMoney(column.name);
    amounts.set(column.index, { ...findAmountFormat(texts, hasDecimalComma), isForeign });
  }
  const isOwn = isOwnExport(columns);
  const format = {
    kind,
    columns,
    amounts,
    hasDecimalComma,
    today,
    order: days.order,
    pointOrder: days.pointOrder,
    isOwn,
  };
  return { format, days };
}

/** Notes the rows above the names of the columns. */
function leaveAbove(rows: readonly CsvRow[], file: ImportFile): void {
  for (const { number, cells } of rows) {
    const member = cutExcerpt(cells.map(cleanCell).filter(Boolean).join(' '));
    const why = 'is above the names of the columns';
    file.notTaken.push({ row: number, at: `row ${number}`, member, why });
  }
}

/** Notes the columns of which no cell says anything, so that each name of the file is mentioned. */
function leaveEmptyColumns(columns: readonly FileColumn[], file: ImportFile): void {
  const noted = new Set(file.notTaken.map(({ member }) => member));
  for (const { index, name, member, why } of columns) {
    const shown = cutExcerpt(name);
    const isNamed = name !== `column ${index + 1}`;
    if (member === undefined && isNamed && !noted.has(shown))
      file.notTaken.push({ at: `column ${index + 1}`, member: shown, why });
  }
}

/**
 * Reads a CSV file whose first row names its columns; a title may be above them. Throws a Refusal if it is no table, has
 * more than 200 rows of records, has no known column, or has a cell or a list that is too long.
 */
export function* readCsv(text: string, options: TableOptions): Steps<ImportFile> {
  const { kind, separator, columns: named = {} } = options;
  const table = yield* parseCsv(text, mostRecords + mostRowsAbove + 2, separator);
  refuseTable(table);
  const { columns, at } = yield* findHeader(table.rows, kind, named);
  refuseNamed(named, columns, kind);
  const rows = table.rows.slice(at + 1);
  if (rows.length === 0) refuseFile('holds no row below the names of its columns');
  if (rows.length > mostRecords)
    refuseFile(`must hold at most ${mostRecords} rows after the first; send the others as another file`);
  const { format, days } = yield* findFormat(rows, columns, options, table.separator === ';');
  const file = createFile();
  leaveAbove(table.rows.slice(0, at), file);
  for (const { name, member } of columns)
    if (member !== undefined) file.mapping.push({ from: cutExcerpt(name), to: findTarget(member, format) });
  for (const row of rows) yield* readRow(row, file, format);
  leaveEmptyColumns(columns, file);
  const order = days.explain();
  if (order) file.mapping.push(order);
  const [comma] = [...format.amounts.values()].flatMap(({ shownBy }) => shownBy ?? []);
  if (comma !== undefined)
    file.mapping.push({ from: `amounts such as ${comma}`, to: 'with a decimal comma' });
  return file;
}
