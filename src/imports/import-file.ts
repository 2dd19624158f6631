import { Refusal } from '../kernel/refusal.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { longestCell } from './cell-text.ts';

/**
 * Files to import. A parser (`read-csv.ts`, `read-resume.ts`, `read-posting.ts`) reads the text of a file in steps and
 * returns an `ImportFile`: the records that it states, with the place of each member. `code-rows.ts` turns titles into
 * codes, and `import-records.ts` checks the records and writes them as a batch.
 *
 * A parser never guesses, and drops nothing without a word. What it recognises is in `mapping`. Each part of each cell
 * or member reaches a record, or is in `notTaken` or `problems`; only fillers such as "N/A" are not mentioned. Columns
 * are recognised by their names in content/import-columns.json. Personal data (phone, e-mail, birth, address) is never
 * stored.
 */
export interface ImportFile {
  rows: FileRow[];
  /** Which part of the file became which member, and how the file was understood. */
  mapping: { from: string; to: string }[];
  /** What keeps a row from being imported. */
  problems: FileNote[];
  /** What is not stored. */
  notTaken: FileNote[];
}

/** What is said of one place in a file. `groupNotes` joins those that say the same. */
export interface FileNote {
  /** Absent if it is about the whole file. */
  row?: number | undefined;
  /** The place as a refusal names it: `row 4, Pay Rate` or `data.basics.label`. */
  at: string;
  /** The column, or the member of a document. */
  member: string;
  why: string;
  /** What the place holds, if that helps to find or correct it. */
  detail?: string | undefined;
}

/** One record of a file. */
export interface FileRow {
  /** `row 4` in a CSV file, as a spreadsheet numbers it; `data` or `data[3]` in a document. */
  at: string;
  /** The 4 of `row 4`. The records of a document are numbered from 1. */
  number: number;
  members: Record<string, unknown>;
  /** Where each member comes from, as in a problem. */
  places: Record<string, string>;
  /** Members that only a new record gets: a change leaves them as they are. */
  onlyNew: Set<string>;
  /** Days that follow from "immediately". A change leaves a day that is no later as it is. */
  fromToday: Set<string>;
  /** Whether the note is made of named lines alone. A change keeps the other lines that the record has. */
  addsToNote?: true;
  /** Members that a cell could have stated beside those that it states. A change of these removes them. */
  insteadOf?: { states: string[]; others: readonly string[] }[];
  /** The columns that say nothing in this row: their names, by what they are for. A change keeps what they said before. */
  silent?: Map<string, string>;
  /** The record of the workspace that the row changes. */
  known?: StoredRecord;
}

/** The most items of a list. */
export const mostItems = 200;

/** Throws a Refusal that names the place of what is too long to be read. */
export function refuseTooLong(path: string, what: 'text' | 'list'): never {
  const message =
    what === 'text'
      ? `must have at most ${longestCell.toLocaleString('en-US')} characters; shorten it, or leave it out`
      : `must hold at most ${mostItems} items; send fewer`;
  throw new Refusal('invalid_request', { issues: [{ path, message }] });
}

export const createFile = (): ImportFile => ({ rows: [], mapping: [], problems: [], notTaken: [] });

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
