import type { Steps } from '../kernel/steps.ts';
import { isTooLong, longestCell } from './cell-text.ts';

/** One row of a CSV file, numbered as a spreadsheet numbers it. */
export interface CsvRow {
  number: number;
  cells: string[];
}

export interface CsvTable {
  separator: string;
  /** The rows that are not blank. */
  rows: CsvRow[];
  /** The number of the row in which a quote opens that never closes. */
  unclosed?: number;
  /** The number of a row with a quote that has a backslash before it. Nothing behind it is read. */
  escaped?: number;
  /** The cell that is too long, by its row and its index. Nothing behind it is read. */
  tooLong?: { number: number; index: number };
  /** The number of a row with more cells than a spreadsheet has. Nothing behind it is read. */
  tooWide?: number;
}

/** How many rows at most stand above the names of the columns, such as a title. */
export const mostRowsAbove = 10;

const mostCells = 16_384;
/** How many characters are read in one step. A cell takes as long as a few characters, even if it is empty. */
const charactersOfStep = 10_000;
const charactersOfCell = 10;
/** The most code units of a cell: a character has one or two. One more shows that it is too long. */
const mostUnits = 2 * longestCell + 1;

/** What a cell without quotes can hold, by the separator. */
const plainCells: Readonly<Record<string, RegExp>> = {
  ',': new RegExp(`[^,\\r\\n]{0,${mostUnits}}`, 'y'),
  ';': new RegExp(`[^;\\r\\n]{0,${mostUnits}}`, 'y'),
  '\t': new RegExp(`[^\\t\\r\\n]{0,${mostUnits}}`, 'y'),
};
const separators = Object.keys(plainCells);

/**
 * Returns the separator that occurs most often in the first row that has one, outside of quotes. A tie goes to the comma.
 */
function* findSeparator(text: string): Steps<string> {
  const counts = new Map(separators.map((separator) => [separator, 0]));
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (at % charactersOfStep === charactersOfStep - 1) yield;
    const character = text[at]!;
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') {
      if (Math.max(...counts.values()) > 0) break;
    } else if (counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  const most = Math.max(...counts.values());
  return separators.find((separator) => counts.get(separator) === most)!;
}

/** Reads the cells of CSV text from a position on. */
class CellReader {
  readonly #text: string;
  readonly #plain: RegExp;
  at: number;
  isUnclosed = false;
  isTooLong = false;
  /** Whether a quote within quotes has a backslash before it, and is not doubled. */
  isEscaped = false;

  constructor(text: string, separator: string, at: number) {
    this.#text = text;
    this.#plain = plainCells[separator]!;
    this.at = at;
  }

  /** Reads one cell, up to its separator or the end of its row. */
  read(): string {
    const cell = this.#readWhole();
    this.isTooLong ||= isTooLong(cell);
    return cell;
  }

  #readWhole(): string {
    const opening = / *"/y;
    opening.lastIndex = this.at;
    if (!opening.test(this.#text)) return this.#readPlain();
    this.at = opening.lastIndex;
    // Some programs write text after the closing quote. It belongs to the cell.
    return this.#readQuoted() + this.#readPlain();
  }

  #readPlain(): string {
    this.#plain.lastIndex = this.at;
    const [plain = ''] = this.#plain.exec(this.#text) ?? [];
    this.at += plain.length;
    return plain;
  }

  #readQuoted(): string {
    const parts: string[] = [];
    let length = 0;
    for (;;) {
      const end = this.#text.indexOf('"', this.at);
      if (end < 0) {
        this.isUnclosed = true;
        return '';
      }
      length += end - this.at;
      if (length > mostUnits) {
        this.isTooLong = true;
        return '';
      }
      const isDoubled = this.#text[end + 1] === '"';
      parts.push(this.#text.slice(this.at, isDoubled ? end + 1 : end));
      this.at = end + (isDoubled ? 2 : 1);
      if (isDoubled) continue;
      // A cell that ends in a backslash, such as "C:\\", ends at its separator.
      const isAtEnd = this.at >= this.#text.length || /[,;\t\r\n ]/.test(this.#text[this.at]!);
      this.isEscaped ||= this.#text[end - 1] === '\\' && !isAtEnd;
      return parts.join('');
    }
  }
}

/**
 * Parses CSV as spreadsheets write it (RFC 4180): with a byte order mark, a first line `sep=;`, commas, semicolons or
 * tabs, and any line ends. It stops after `mostRows` rows that are not blank, and at a cell or row that is too long. A
 * first line `sep=;` counts more than `given`, and without either the separator follows from the first row that has one.
 */
export function* parseCsv(sent: string, mostRows: number, given?: string): Steps<CsvTable> {
  const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent;
  const [named = '', stated = given] = /^sep=([,;\t])(?:\r\n|\r|\n)/i.exec(text) ?? [];
  const separator = stated ?? (yield* findSeparator(text));
  const table: CsvTable = { separator, rows: [] };
  const reader = new CellReader(text, separator, named.length);
  let number = named === '' ? 1 : 2;
  let read = 0;
  while (reader.at < text.length && table.rows.length < mostRows) {
    const cells: string[] = [];
    do {
      if (cells.length > 0) reader.at += 1;
      const cell = reader.read();
      cells.push(cell);
      if (reader.isEscaped) return { ...table, escaped: number };
      if (reader.isUnclosed) return { ...table, unclosed: number };
      if (reader.isTooLong)
        return {
          ...table,
          rows: [...table.rows, { number, cells }],
          tooLong: { number, index: cells.length - 1 },
        };
      if (cells.length > mostCells) return { ...table, tooWide: number };
      read += cell.length + charactersOfCell;
      if (read < charactersOfStep) continue;
      read = 0;
      yield;
    } while (text[reader.at] === separator);
    reader.at += text.startsWith('\r\n', reader.at) ? 2 : 1;
    if (cells.some((cell) => cell.trim() !== '')) table.rows.push({ number, cells });
    number += 1;
  }
  return table;
}
