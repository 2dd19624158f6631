/** The table of a CSV file, as a person corrects it before it is imported. */

import { cleanCell } from '../../../imports/cell-text.ts';
import { type CsvRow, mostRowsAbove, parseCsv } from '../../../imports/csv.ts';
import { runAtOnce } from '../../../kernel/steps.ts';

/** A table. Its rows keep the numbers by which the service names them. */
export interface Sheet {
  separator: string;
  rows: readonly CsvRow[];
}

/** Parses a CSV file. Returns undefined if the service refuses it, for example for a quote that never closes. */
export function parseSheet(text: string): Sheet | undefined {
  const table = runAtOnce(parseCsv(text, Number.POSITIVE_INFINITY));
  const { separator, rows, unclosed, tooLong, tooWide } = table;
  const isWhole = unclosed === undefined && tooLong === undefined && tooWide === undefined;
  return isWhole && rows.length > 0 ? { separator, rows } : undefined;
}

const formatCell = (text: string) =>
  /[",;\t\r\n]|^\s/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Formats a table as a CSV file that the service parses to the same rows, with the same numbers. */
export function formatSheet({ separator, rows }: Sheet): string {
  const cellsByNumber = new Map(rows.map(({ number, cells }) => [number, cells]));
  const last = rows.at(-1)?.number ?? 0;
  const lines = Array.from({ length: last }, (_, index) =>
    (cellsByNumber.get(index + 1) ?? []).map(formatCell).join(separator),
  );
  // A file whose first line names its separator has no row 1.
  if (!cellsByNumber.has(1)) lines[0] = `sep=${separator}`;
  // A blank row is skipped. It says what separates cells, if no other row does.
  return [...lines, separator].join('\n');
}

/** Writes a text into a column of some rows. */
export function writeCells(sheet: Sheet, rows: ReadonlySet<number>, column: number, text: string): Sheet {
  const write = (row: CsvRow): CsvRow => {
    const cells = Array.from({ length: Math.max(row.cells.length, column + 1) }, (_, at) =>
      at === column ? text : (row.cells[at] ?? ''),
    );
    return { ...row, cells };
  };
  return { ...sheet, rows: sheet.rows.map((row) => (rows.has(row.number) ? write(row) : row)) };
}

/** Returns a table without some rows and columns. The other rows keep their numbers. */
export function omitParts(sheet: Sheet, rows: ReadonlySet<number>, columns: ReadonlySet<number>): Sheet {
  const omitCells = ({ number, cells }: CsvRow): CsvRow => ({
    number,
    cells: cells.filter((_, at) => !columns.has(at)),
  });
  return { ...sheet, rows: sheet.rows.filter(({ number }) => !rows.has(number)).map(omitCells) };
}

/** A column of a table, with some of its cells. */
export interface SheetColumn {
  index: number;
  name: string;
  /** The first different texts in it. */
  samples: string[];
  /** How many rows have a text in it. */
  filled: number;
}

/** The most cells of a column that are shown as samples. */
const mostSamples = 3;

/** Whether the service means a column by a name that it may have cut. */
export const isNameOf = (said: string, name: string): boolean =>
  said === name || (said.length >= 100 && name.startsWith(said));

/** Returns the index of the row that names the columns: among the first, the one with most of the known names. */
function findHeaderIndex({ rows }: Sheet, known: readonly string[]): number {
  const count = ({ cells }: CsvRow) =>
    cells.filter((cell) => known.some((name) => isNameOf(name, cleanCell(cell)))).length;
  const counts = rows.slice(0, mostRowsAbove + 1).map(count);
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

/** The columns of a table, the row that names them, and the rows below it. */
export interface FileTable {
  columns: SheetColumn[];
  header: CsvRow;
  body: CsvRow[];
}

/** Splits a table at the row that names its columns. `known` are names that the service has understood. */
export function splitSheet(sheet: Sheet, known: readonly string[]): FileTable {
  const at = findHeaderIndex(sheet, known);
  const header = sheet.rows[at]!;
  const body = sheet.rows.slice(at + 1);
  const columns = header.cells.map((cell, index) => {
    const texts = body.map(({ cells }) => cleanCell(cells[index] ?? '')).filter((text) => text !== '');
    const samples = [...new Set(texts)].slice(0, mostSamples);
    return { index, name: cleanCell(cell), samples, filled: texts.length };
  });
  const named = columns.map((column) => ({ ...column, name: column.name || `column ${column.index + 1}` }));
  return {
    columns: named.filter(({ filled, index }) => filled > 0 || columns[index]!.name !== ''),
    header,
    body,
  };
}

/** Writes a text into some rows of a new column at the end of a table. */
export function addColumn(
  sheet: Sheet,
  { header }: FileTable,
  { name, rows, text }: { name: string; rows: ReadonlySet<number>; text: string },
): Sheet {
  const column = header.cells.length;
  return writeCells(writeCells(sheet, new Set([header.number]), column, name), rows, column, text);
}
