/** What a file leaves to decide, grouped by what the file says: a text that stands in many rows is settled once. */

import { cleanCell } from '../../../imports/cell-text.ts';
import type { CsvRow } from '../../../imports/csv.ts';
import { lacksTitle, needsCode } from '../../../imports/needs-code.ts';
import {
  type ImportReply,
  type Note,
  numberOfRow,
  type ShownCode,
  type ShownWarning,
} from './import-model.ts';
import { type FileTable, isNameOf, type SheetColumn } from './sheet.ts';

/** A title of the file, its rows, and what it was taken for. */
export interface TitleGroup {
  /** Empty for rows without a title. */
  title: string;
  rows: number[];
  onetCode: string | null;
  certainty: ShownCode['certainty'];
}

/** Groups the rows by their titles, in the order of the file. */
export function groupTitles({ codes }: ImportReply): TitleGroup[] {
  const groups = new Map<string, TitleGroup>();
  for (const [index, code] of codes.entries()) {
    const { title, onetCode, certainty } = code;
    const group = groups.get(title ?? '') ?? { title: title ?? '', rows: [], onetCode, certainty };
    group.rows.push(numberOfRow(code, index));
    groups.set(group.title, group);
  }
  return [...groups.values()];
}

/** A text of a column that cannot be read, or may be wrong. */
export interface ValueGroup {
  key: string;
  /** The name of the column, or the member. */
  member: string;
  /** Undefined if the file has no such column. */
  column: number | undefined;
  /** Empty if the cells are. */
  value: string;
  why: string;
  rows: number[];
  /** How many more rows there are that are not known by number. */
  more: number;
}

const readTableCell = (row: CsvRow | undefined, column: number) => cleanCell(row?.cells[column] ?? '');

/** Finds the column that a note names: by its own name, or by the member that it becomes. */
export function findColumn(
  member: string,
  { mapping }: Pick<ImportReply, 'mapping'>,
  { columns }: FileTable,
): SheetColumn | undefined {
  const names = mapping.filter(({ to }) => to === member).map(({ from }) => from);
  return (
    columns.find(({ name }) => isNameOf(member, name)) ??
    columns.find(({ name }) => names.some((from) => isNameOf(from, name)))
  );
}

/** Leaves out the texts of the file that the service quotes behind a reason: they are shown beside it. */
const cutQuotes = (why: string): string => why.replace(/: ["{].*$/s, '');

/** Returns the rows of a note that have each text, and those that it does not list but that have the same text. */
function splitByValue({ rows, more = 0 }: Note, column: number, { body }: FileTable): Map<string, number[]> {
  const named = new Set(rows);
  const listed = Map.groupBy(
    body.filter(({ number }) => named.has(number)),
    (row) => readTableCell(row, column),
  );
  const all =
    more > 0 ? body.filter((row) => listed.has(readTableCell(row, column))) : [...listed.values()].flat();
  const byValue = Map.groupBy(all, (row) => readTableCell(row, column));
  return new Map([...byValue].map(([value, of]) => [value, of.map(({ number }) => number)]));
}

function splitNote(note: Note, reply: Pick<ImportReply, 'mapping'>, table: FileTable): ValueGroup[] {
  const { member, more = 0 } = note;
  const why = cutQuotes(note.why);
  const column = findColumn(member, reply, table);
  if (!column) {
    const isWhole = note.rows.length + more === table.body.length;
    const rows = isWhole ? table.body.map(({ number }) => number) : note.rows;
    return [
      { key: `${member} ${why}`, member, column: undefined, value: '', why, rows, more: isWhole ? 0 : more },
    ];
  }
  const split = [...splitByValue(note, column.index, table)];
  const found = split.reduce((sum, [, rows]) => sum + rows.length, 0);
  const left = Math.max(0, note.rows.length + more - found);
  return split.map(([value, rows], at) => ({
    key: `${column.index} ${value}`,
    ...{ member: column.name, column: column.index, value, why, rows },
    more: at === split.length - 1 ? left : 0,
  }));
}

/** Joins two groups of one text. */
const joinGroups = (one: ValueGroup, other: ValueGroup): ValueGroup => ({
  ...one,
  why: one.why.includes(other.why) ? one.why : `${one.why}; ${other.why}`,
  rows: [...new Set([...one.rows, ...other.rows])],
});

/** Whether a problem is about the title of rows, which have groups of their own. */
const isAboutTitle = ({ why }: Note) => why.includes(needsCode) || why === lacksTitle;

/** Groups problems by column and text, without those about titles. */
export function groupProblems(reply: ImportReply, table: FileTable): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const note of reply.problems.filter((one) => !isAboutTitle(one)))
    for (const group of splitNote(note, reply, table)) {
      const before = groups.get(group.key);
      groups.set(group.key, before ? joinGroups(before, group) : group);
    }
  return [...groups.values()];
}

/** Something that may be wrong in some rows, in words, with the texts that it is about. */
export interface Doubt {
  words: string;
  /** What the service says of the first row. */
  message: string;
  groups: ValueGroup[];
}

const payWords: Record<string, [one: string, many: string]> = {
  payRateUsdHour: ['pay rate', 'pay rates'],
  payRateMaxUsdHour: ['highest pay rate', 'highest pay rates'],
  billRateUsdHour: ['bill rate', 'bill rates'],
  salaryUsdYear: ['salary', 'salaries'],
  salaryMaxUsdYear: ['highest salary', 'highest salaries'],
};

/** Says of how many rows something may be wrong. */
function describeDoubt(code: string, member: string, count: number): string {
  const isOne = count === 1;
  const [one, many] = payWords[member] ?? ['amount', 'amounts'];
  switch (code) {
    case 'unusual_rate':
      return isOne ? `1 ${one} looks unusual` : `${count} ${many} look unusual`;
    case 'possible_duplicate':
      return isOne ? '1 person may be here already' : `${count} people may be here already`;
    case 'negative_margin':
      return isOne ? '1 order bills less than it pays' : `${count} orders bill less than they pay`;
    case 'not_held':
      return isOne ? '1 entry says that it is not held' : `${count} entries say that they are not held`;
    case 'day_not_read':
      return isOne
        ? '1 credential ends on a day that is not clear'
        : `${count} credentials end on days that are not clear`;
    default:
      return isOne ? '1 row may not be what you mean' : `${count} rows may not be what you mean`;
  }
}

/** Returns the member that a warning is about: `payRateUsdHour` of `candidates[0].payRateUsdHour`. */
const memberOf = ({ path }: ShownWarning): string => /\.(\w+)/.exec(path)?.[1] ?? path;

/** Lists what may be wrong in the rows of a file. Warnings about no row are left out. */
export function listDoubts({ warnings = [], mapping }: ImportReply, table: FileTable): Doubt[] {
  return warnings.flatMap((warning): Doubt[] => {
    const { rows = [], more = 0, code, message } = warning;
    if (rows.length === 0) return [];
    const member = memberOf(warning);
    const words = describeDoubt(code, member, rows.length + more);
    // The service names other rows behind its words.
    const said = message.replace(/ \(and in .*$/s, '');
    return [{ words, message: said, groups: splitNote({ member, why: '', rows, more }, { mapping }, table) }];
  });
}
