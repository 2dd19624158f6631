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
}

/** What a cell without quotes can hold, by the separator. */
const plainCells: Readonly<Record<string, RegExp>> = {
  ',': /[^,\r\n]*/y,
  ';': /[^;\r\n]*/y,
  '\t': /[^\t\r\n]*/y,
};
const separators = Object.keys(plainCells);

/** Returns the separator that occurs most often in the first row, outside of quotes. A tie goes to the comma. */
function findSeparator(text: string): string {
  const counts = new Map(separators.map((separator) => [separator, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (counts.has(character)) counts.set(character, counts.get(character)! + 1);
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

  constructor(text: string, separator: string, at: number) {
    this.#text = text;
    this.#plain = plainCells[separator]!;
    this.at = at;
  }

  /** Reads one cell, up to its separator or the end of its row. */
  read(): string {
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
    for (;;) {
      const end = this.#text.indexOf('"', this.at);
      if (end < 0) {
        this.isUnclosed = true;
        parts.push(this.#text.slice(this.at));
        this.at = this.#text.length;
        return parts.join('');
      }
      const isDoubled = this.#text[end + 1] === '"';
      parts.push(this.#text.slice(this.at, isDoubled ? end + 1 : end));
      this.at = end + (isDoubled ? 2 : 1);
      if (!isDoubled) return parts.join('');
    }
  }
}

/**
 * Parses CSV as spreadsheets write it (RFC 4180): with a byte order mark, a first line `sep=;`, commas, semicolons or
 * tabs, and any line ends. It stops after `mostRows` rows that are not blank. A first line `sep=;` counts more than
 * `given`, and without either the separator follows from the first row.
 */
export function parseCsv(sent: string, mostRows: number, given?: string): CsvTable {
  const text = sent.replace(/^\uFEFF/, '');
  const [named = '', separator = given ?? findSeparator(text)] =
    /^sep=([,;\t])(?:\r\n|\r|\n)/i.exec(text) ?? [];
  const table: CsvTable = { separator, rows: [] };
  const reader = new CellReader(text, separator, named.length);
  let number = named === '' ? 1 : 2;
  while (reader.at < text.length && table.rows.length < mostRows) {
    const cells = [reader.read()];
    while (text[reader.at] === separator) {
      reader.at += 1;
      cells.push(reader.read());
    }
    reader.at += text.startsWith('\r\n', reader.at) ? 2 : 1;
    if (reader.isUnclosed) return { ...table, unclosed: number };
    if (cells.some((cell) => cell.trim() !== '')) table.rows.push({ number, cells });
    number += 1;
  }
  return table;
}
