/** The reply of POST /imports, as far as the page shows it. */
export interface ImportReply {
  records: Partial<Record<ImportKind, Row[]>>;
  mapping: { from: string; to: string }[];
  codes: ShownCode[];
  problems: Place[];
  notTaken: { at: string; member: string }[];
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
}

interface Place {
  at: string;
  message: string;
}

/** What a page lets an import do. */
export interface ImportApi {
  /** Calls POST /imports with the access of the page. Rejects with an ApiError if it is refused. */
  send(args: object): Promise<{ body: ImportReply }>;
  /** Called when the records were created. `workspace` is the one that holds them. */
  finish(words: string, workspace: string): unknown;
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

/** Returns the row of a place: `row 4` of `row 4, Pay Rate`, and `data[1]` of `data[1].basics.name`. */
export const rowOfPlace = (at: string): string => /^(?:row \d+|data(?:\[\d+\])?)/.exec(at)?.[0] ?? at;
