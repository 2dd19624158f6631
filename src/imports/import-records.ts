import { readMediaType } from '../kernel/call.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { parseJson } from '../kernel/parse-json.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { weighRecords } from '../kernel/weight.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { Context } from '../records/service.ts';
import { writeBatch } from '../records/write/create.ts';
import { checkMembers, checkRefs, checkRequired } from './check-rows.ts';
import { codeRows, type RowCode, type SentCode } from './code-rows.ts';
import type { ImportCollection } from './columns.ts';
import { findBinary } from './decode-text.ts';
import { draftRows, type RowFinding } from './draft-rows.ts';
import { groupFindings } from './group-findings.ts';
import { type SentColumns, toNamedColumns } from './header.ts';
import type { FileRow, ImportFile } from './import-file.ts';
import { groupNotes, type NoteGroup, toIssues } from './notes.ts';
import { readCsv } from './read-csv.ts';
import { readPosting } from './read-posting.ts';
import { readResume } from './read-resume.ts';
import { keepChanges, keepCodes, markKnown } from './refresh-rows.ts';

interface ImportInput {
  format: 'csv' | 'resume' | 'posting';
  kind?: ImportCollection | undefined;
  text?: string | undefined;
  data?: unknown;
  codes?: readonly SentCode[] | undefined;
  /** What columns mean that are not known, by their names. */
  columns?: SentColumns | undefined;
  dryRun?: boolean | undefined;
  /** Whether a row whose ref a record has changes that record. */
  upsert?: boolean | undefined;
  /** `skip` leaves out rows with problems. */
  onProblem?: 'refuse' | 'skip' | undefined;
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path, message }] });
}

function readData({ text, data }: ImportInput): unknown {
  if (data !== undefined) return data;
  if (text === undefined) return refuse('data', 'is missing; send the document as data, or its JSON as text');
  try {
    return parseJson(new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return refuse('text', 'is not JSON; send the document as data');
  }
}

/** The collection that a document is imported into. A CSV file can be for either. */
const collectionOf = { resume: 'candidates', posting: 'jobOrders' } as const;

/** The media type of a table with tabs between its cells. */
export const tabSeparated = 'text/tab-separated-values';

/** Parses the file. Throws a Refusal if it cannot be read at all. */
function* readFile(input: ImportInput, { call, service }: Context): Steps<{ kind: Kind; file: ImportFile }> {
  const { format, kind: collection, text } = input;
  const findKind = (wanted: ImportCollection) => service.kinds.find((one) => one.collection === wanted)!;
  const today = toIsoDate(service.platform.now());
  if (text !== undefined && input.data !== undefined)
    refuse('data', 'goes without text; send one of the two');
  const binary = text === undefined ? undefined : findBinary(text);
  if (binary !== undefined) refuse('text', binary);
  if (format === 'csv') {
    if (collection === undefined) return refuse('kind', 'is missing; send candidates or jobOrders');
    if (text === undefined) return refuse('text', 'is missing; send the text of the CSV file');
    const separator = readMediaType(call) === tabSeparated ? '\t' : undefined;
    const kind = findKind(collection);
    const columns = toNamedColumns(input.columns ?? {});
    return { kind, file: yield* readCsv(text, { kind, today, separator, columns }) };
  }
  if (input.columns !== undefined) refuse('columns', 'belongs to a CSV file; leave it out');
  const wanted = collectionOf[format];
  if (collection !== undefined && collection !== wanted) refuse('kind', `must be ${wanted} for this format`);
  const data = readData(input);
  const kind = findKind(wanted);
  const file = yield* format === 'resume' ? readResume(data, today) : readPosting(data, kind, today);
  return { kind, file };
}

const statements = {
  dry: 'Nothing is stored: this was a dry run. Send dryRun false to write these records, in your workspace or in a new one.',
  done: 'These records are stored in your workspace, and readable to anyone who has its id.',
  nothing: 'The file changes nothing: its records are in your workspace already.',
};
const sandbox = 'A public sandbox is no place for personal data.';

/** What a file becomes. */
interface CheckedFile {
  kind: Kind;
  file: ImportFile;
  codes: RowCode[];
  /** The rows that become new records, and those that change records. */
  added: FileRow[];
  changed: FileRow[];
  findings: RowFinding[];
  problems: NoteGroup[];
  notTaken: NoteGroup[];
}

function* checkFile(input: ImportInput, context: Context): Steps<CheckedFile> {
  const { kind, file } = yield* readFile(input, context);
  const { rows, problems } = file;
  yield* wait(weighRecords(context.call, rows.length));
  yield* checkMembers(file, kind);
  if (input.upsert) markKnown(file, kind, context);
  checkRequired(file, kind, input.format === 'csv');
  checkRefs(file, kind, context);
  keepCodes(file);
  const codes = yield* codeRows(file, input.codes ?? [], context);
  yield* keepChanges(file, kind, context);
  const listGood = () => {
    const bad = new Set(problems.map(({ row }) => row));
    return input.onProblem === 'skip' ? rows.filter(({ number }) => !bad.has(number)) : rows;
  };
  const findings = yield* draftRows({ ...file, rows: listGood() }, kind, context);
  const good = listGood();
  const added = good.filter(({ known }) => !known);
  const changed = good.filter(({ known, members }) => known && Object.keys(members).length > 0);
  const isRefused = input.dryRun === false && problems.length > 0;
  if (isRefused && (input.onProblem !== 'skip' || good.length === 0))
    throw new Refusal('invalid_request', { issues: yield* toIssues(problems) });
  const groups = {
    problems: yield* groupNotes(problems),
    notTaken: yield* groupNotes(file.notTaken),
  };
  return { kind, file, codes, added, changed, findings, ...groups };
}

/** Returns the members of a reply that say what became of the file. */
function presentFile({ file, codes, problems, notTaken }: CheckedFile) {
  const bad = new Set(file.problems.map(({ row }) => row));
  const presentCode = (code: RowCode, index: number) => {
    const { known, number } = file.rows[index]!;
    return { ...code, ...(known && { id: known.id }), ...(bad.has(number) && { hasProblem: true }) };
  };
  return { mapping: file.mapping, codes: codes.map(presentCode), problems, notTaken };
}

/** Returns the changes of records as a batch takes them. */
const listChanges = ({ changed }: CheckedFile) =>
  changed.map(({ known, members }) => ({ id: known!.id, revision: known!.revision ?? 1, ...members }));

const listRecords = (checked: CheckedFile, isRefresh: boolean) => ({
  [checked.kind.collection]: checked.added.map(({ members }) => members),
  ...(isRefresh && { changes: listChanges(checked) }),
});

/** Returns the warnings of a file, those of the same kind as one, with their places in the batch. */
function listWarnings({ kind, added, changed, findings }: CheckedFile) {
  const locate = (row: FileRow) =>
    row.known ? `changes[${changed.indexOf(row)}]` : `${kind.collection}[${added.indexOf(row)}]`;
  const shown = findings.filter(({ row }) => added.includes(row) || changed.includes(row));
  return groupFindings(shown, locate);
}

/** Writes the records as one batch: creates the new ones, and then changes the others. */
async function writeRows(checked: CheckedFile, context: Context): Promise<OperationReply> {
  const { kind, added, changed } = checked;
  const bodies = { [kind.collection]: added.map(({ members }) => members) };
  const changes = changed.map(({ known, members }, index) => ({
    kind,
    id: known!.id,
    revision: known!.revision ?? 1,
    patch: members,
    at: `changes[${index}].`,
  }));
  return writeBatch({ bodies, ...(changes.length > 0 && { changes }), source: { from: 'batch' } }, context);
}

/** Writes the records of a file, if there is anything to write. */
async function storeFile(
  checked: CheckedFile,
  isRefresh: boolean,
  context: Context,
): Promise<OperationReply> {
  const { kind, added, changed } = checked;
  if (added.length + changed.length === 0) {
    const records = listRecords(checked, isRefresh);
    const statement = statements.nothing;
    return { status: 200, body: { type: 'OK', records, ...presentFile(checked), statement } };
  }
  // The batch would warn of each record. The file says the same once.
  const reply = await writeRows(checked, context);
  if (reply.status >= 300) return reply;
  const {
    type,
    warnings: _,
    [kind.collection]: created,
    changes,
    statement,
    ...rest
  } = reply.body as Record<string, unknown>;
  const warnings = [...context.warnings, ...listWarnings(checked)];
  const body = {
    type,
    ...(warnings.length > 0 && { warnings }),
    records: { [kind.collection]: created, ...(isRefresh && { changes: changes ?? [] }) },
    ...presentFile(checked),
    statement: [statement, statements.done, sandbox].filter(Boolean).join(' '),
    ...rest,
  };
  return { ...reply, body };
}

/**
 * Reads a file and returns the records that it holds, with what is unclear in it. With `dryRun: false` it writes them,
 * all or none; with `onProblem: 'skip'` all without a problem.
 */
export async function importRecords(input: ImportInput, context: Context): Promise<OperationReply> {
  const { service, call, operation } = context;
  const of = { client: call.client, operation: operation.operationId };
  const checked = await service.platform.runSteps(checkFile(input, context), of);
  const isRefresh = input.upsert ?? false;
  if (input.dryRun === false) return storeFile(checked, isRefresh, context);
  context.warnings.push(...listWarnings(checked));
  const body = {
    type: 'OK',
    records: listRecords(checked, isRefresh),
    ...presentFile(checked),
    statement: `${statements.dry} ${sandbox}`,
  };
  return { status: 200, body };
}
