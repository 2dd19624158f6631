import { Refusal } from '../kernel/refusal.ts';
import { hasMoreCharacters } from '../kernel/text.ts';

/**
 * Files to import. A parser (`read-csv.ts`, `read-resume.ts`, `read-posting.ts`) reads the text of a file in steps and
 * returns an `ImportFile`: the records that it states, with the place of each member. `code-rows.ts` turns titles into
 * codes, and `import-records.ts` checks the records and creates them as a batch.
 *
 * A parser never guesses. What it recognises is in `mapping`, what it does not is in `notTaken`, and a value that it
 * recognises but cannot read is in `problems`. Columns are recognised by their names in content/import-columns.json.
 * Personal data (phone, e-mail, birth, address) is never stored.
 */
export interface ImportFile {
  rows: FileRow[];
  /** Which part of the file became which member. */
  mapping: { from: string; to: string }[];
  problems: Problem[];
  /** What is not stored: `member` is a column, or a member of a document. */
  notTaken: { at: string; member: string }[];
}

/** Something that keeps the file from being imported. `at` is a row and its column: `row 4, Pay Rate`. */
export interface Problem {
  at: string;
  message: string;
}

/** One record of a file. */
export interface FileRow {
  /** `row 4` in a CSV file, as a spreadsheet numbers it; `data` or `data[3]` in a document. */
  at: string;
  members: Record<string, unknown>;
  /** Where each member comes from, as in a problem. */
  places: Record<string, string>;
}

/** The most characters of a cell or of a text in a document, and the most items of a list. */
export const longestCell = 10_000;
export const mostItems = 200;

/** Whether a text has more characters than a cell may have. */
export const isTooLong = (text: string): boolean => hasMoreCharacters(text, longestCell);

/** Throws a Refusal that names the place of what is too long to be read. */
export function refuseTooLong(path: string, what: 'text' | 'list'): never {
  const message =
    what === 'text'
      ? `must have at most ${longestCell.toLocaleString('en-US')} characters; shorten it, or leave it out`
      : `must hold at most ${mostItems} items; send fewer`;
  throw new Refusal('invalid_request', { issues: [{ path, message }] });
}

export const createFile = (): ImportFile => ({ rows: [], mapping: [], problems: [], notTaken: [] });

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole;
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : whole;
}

/** An apostrophe that marks a formula as text. Our own export writes it. */
const formulaMark = /^'(?='*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20])/;

/** Decodes HTML entities, and removes outer spaces and the apostrophe that marks a formula as text. */
export const cleanText = (text: string): string =>
  text
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi, decodeEntity)
    .trim()
    .replace(formulaMark, '');

/** An item of a list: in quotes, as our own export writes one that holds a separator, or up to a separator. */
const listItem = /(?<=^|[,;\r\n])[ \t]*"((?:[^"]|"")*)"[ \t]*(?=$|[,;\r\n])|[^,;\r\n]+/g;

/**
 * Splits a list at commas, semicolons and line breaks. Repeated items count once. A list of too many items is not read to
 * its end, and returns more than `mostItems`.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  for (const [plain, quoted] of text.matchAll(listItem)) {
    const item = (quoted?.replaceAll('""', '"') ?? plain).trim();
    if (item !== '') items.push(item);
    if (items.length > mostItems) return items;
  }
  return [...new Set(items)];
}
