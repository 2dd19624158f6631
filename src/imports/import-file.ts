/**
 * Files to import. A parser (`read-csv.ts`, `read-resume.ts`, `read-posting.ts`) is a pure function from the text of a
 * file to an `ImportFile`: the records that it states, with the place of each member. `code-rows.ts` turns titles into
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

/** Splits a list at commas, semicolons and line breaks. Repeated items count once. */
export function splitList(text: string): string[] {
  const items = Array.from(
    text.matchAll(listItem),
    ([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain,
  );
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}
