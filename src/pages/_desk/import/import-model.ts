import type { Sheet } from './sheet.ts';

/** The reply of POST /imports, as far as the page shows it. */
export interface ImportReply {
  /** `changes` are changes of records that the workspace has. */
  records: Partial<Record<ImportKind | 'changes', Row[]>>;
  mapping: { from: string; to: string }[];
  codes: ShownCode[];
  problems: Note[];
  notTaken: Note[];
  warnings?: ShownWarning[];
  workspace?: string;
}

export type ImportKind = 'candidates' | 'jobOrders';
export type Row = Record<string, unknown>;

/** The code of a row, and how it was found. */
export interface ShownCode {
  at: string;
  title: string | null;
  onetCode: string | null;
  certainty: 'stated' | 'sure' | 'likely' | 'unsure';
  /** The record that the row changes. */
  id?: string;
  hasProblem?: boolean;
}

/** What is said of a column or a member in some rows. */
export interface Note {
  member: string;
  why: string;
  rows: number[];
  more?: number;
}

/** What is accepted though it may not be meant. `rows` are those of a file. */
export interface ShownWarning {
  code: string;
  path: string;
  message: string;
  rows?: number[];
  more?: number;
}

/** A file as POST /imports takes it. */
export interface FileArgs {
  format: 'csv' | 'resume' | 'posting';
  text: string;
}

/** An occupation that may be meant by a title. */
export interface OfferedCode {
  id: string;
  title: string;
}

/** The file that is being imported: what it says, what the person has chosen, and what the service said last. */
export interface ImportSession {
  name: string;
  args: FileArgs;
  /** What a person should check, or an empty text. */
  note: string;
  /** Whether the service runs in this browser, so that nothing leaves it. */
  isLocal: boolean;
  /** The table of a CSV file that can be read, with the corrections of the person. */
  sheet: Sheet | undefined;
  /** The table as it was read. */
  original: Sheet | undefined;
  kind: ImportKind | undefined;
  /** What the person says that columns mean, by their names. */
  meanings: ReadonlyMap<string, string>;
  leftColumns: ReadonlySet<number>;
  leftRows: ReadonlySet<number>;
  /** The codes that the person chose, by title. */
  codes: ReadonlyMap<string, string>;
  /** Occupations that titles without a sure code may mean. */
  offers: ReadonlyMap<string, readonly OfferedCode[]>;
  reply: ImportReply | undefined;
  /** Why the last call was refused, or an empty text. */
  fault: string;
  isBusy: boolean;
  /** Identifies the last call. */
  turn: object | undefined;
  /** The rows that the person changed and the service has not read yet. */
  unread: ReadonlySet<number>;
  /** The cell that the person corrects. */
  edited: { row: number; column: number } | undefined;
  /** Whether all rows are shown, and not only the first ones. */
  showsAll: boolean;
}

/** Returns the session of a file that was just read. */
export const createSession = (
  file: Pick<ImportSession, 'name' | 'args' | 'note' | 'isLocal' | 'sheet'>,
): ImportSession => ({
  ...file,
  original: file.sheet,
  kind: undefined,
  meanings: new Map(),
  leftColumns: new Set(),
  leftRows: new Set(),
  codes: new Map(),
  offers: new Map(),
  reply: undefined,
  fault: '',
  isBusy: false,
  turn: undefined,
  unread: new Set(),
  edited: undefined,
  showsAll: false,
});

export const kindWords: Record<ImportKind, [one: string, many: string]> = {
  candidates: ['candidate', 'candidates'],
  jobOrders: ['job order', 'job orders'],
};

/** Returns the number of a row as notes name it: 4 of `row 4`, and the position of a record in a document from 1. */
export const numberOfRow = (code: ShownCode, index: number): number =>
  Number(/^row (\d+)$/.exec(code.at)?.[1] ?? index + 1);

/** A row of the file, and what it becomes. */
export interface ReadRow {
  number: number;
  code: ShownCode;
  /** The new record, or the change with what differs. Undefined if the row changes nothing. */
  record: Row | undefined;
}

/** Lists the rows of a file with what each becomes. */
export function listReadRows({ codes, records }: ImportReply, kind: ImportKind): ReadRow[] {
  const added = [...(records[kind] ?? [])];
  const changes = new Map((records.changes ?? []).map((change) => [change.id, change]));
  return codes.map((code, index) => {
    const {
      id: _,
      revision: __,
      ...record
    } = (code.id === undefined ? added.shift() : changes.get(code.id)) ?? {};
    const isEmpty = Object.keys(record).length === 0;
    return { number: numberOfRow(code, index), code, record: isEmpty ? undefined : record };
  });
}

/** Says of which rows a note is. Returns an empty text if it is about the whole file. */
export function formatRows({ rows, more }: Pick<Note, 'rows' | 'more'>): string {
  if (rows.length === 0) return '';
  const others = more === undefined ? '' : ` and ${more} more`;
  return `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${others}`;
}
