/** The reply of POST /imports, as far as the page shows it. */
export interface ImportReply {
  /** `changes` are changes of records that the workspace has. */
  records: Partial<Record<ImportKind | 'changes', Row[]>>;
  mapping: { from: string; to: string }[];
  codes: ShownCode[];
  problems: Note[];
  notTaken: Note[];
  statement: string;
  warnings?: { path: string; message: string }[];
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
}

/** What is said of a column or a member in some rows. */
export interface Note {
  member: string;
  why: string;
  rows: number[];
  more?: number;
}

/** What a page lets an import do. */
export interface ImportApi {
  /** Calls POST /imports with the access of the page. Rejects with an ApiError if it is refused. */
  send(args: object): Promise<{ body: ImportReply }>;
  /** Called when the records were written. `workspace` is the one that holds new ones. */
  finish(words: string, workspace: string | undefined): unknown;
}

/** A file that is shown, and where its import reads it. */
export interface ShownFile {
  name: string;
  args: FileArgs;
  /** What a person should check, or an empty text. */
  note: string;
  /** Whether the service runs in this browser, so that nothing leaves it. */
  isLocal: boolean;
}

/** A file as POST /imports takes it. */
export interface FileArgs {
  format: 'csv' | 'resume' | 'posting';
  text: string;
}

export const kindWords: Record<ImportKind, [one: string, many: string]> = {
  candidates: ['candidate', 'candidates'],
  jobOrders: ['job order', 'job orders'],
};

/** Returns the number of a row as notes name it: 4 of `row 4`, and the position of a record in a document from 1. */
const numberOfRow = (code: ShownCode, index: number): number =>
  Number(/^row (\d+)$/.exec(code.at)?.[1] ?? index + 1);

/** A row of the file: what it becomes, and what is wrong in it. */
export interface ReadRow {
  record: Row;
  code: ShownCode;
  problems: readonly string[];
}

/**
 * Lists the rows of a file with what each becomes: a new record, or a change with only what differs. A row that changes
 * nothing is left out.
 */
export function listReadRows({ codes, records, problems }: ImportReply, kind: ImportKind): ReadRow[] {
  const added = [...(records[kind] ?? [])];
  const changes = new Map((records.changes ?? []).map((change) => [change.id, change]));
  return codes.flatMap((code, index) => {
    const number = numberOfRow(code, index);
    const own = problems.filter(({ rows }) => rows.includes(number));
    const change = code.id === undefined ? added.shift() : changes.get(code.id);
    if (!change) return [];
    const { id: _, revision: __, ...record } = change;
    return [{ record, code, problems: own.map(({ member, why }) => `${member}: ${why}`) }];
  });
}

/** Says of which rows a note is. Returns an empty text if it is about the whole file. */
export function formatRows({ rows, more }: Note): string {
  if (rows.length === 0) return '';
  const others = more === undefined ? '' : ` and ${more} more`;
  return `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${others}`;
}
