import { readMediaType } from '../kernel/call.ts';
import { type Finding, pickWarnings } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { parseJson } from '../kernel/parse-json.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { weighRecords } from '../kernel/weight.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { Context } from '../records/service.ts';
import { writeBatch } from '../records/write/create.ts';
import { checkMembers, checkRefs, checkRequired, checkWhole } from './check-rows.ts';
import { codeRows, type RowCode, type SentCode } from './code-rows.ts';
import type { ImportCollection } from './columns.ts';
import { findBinary } from './decode-text.ts';
import type { ImportFile } from './import-file.ts';
import { readCsv } from './read-csv.ts';
import { readPosting } from './read-posting.ts';
import { readResume } from './read-resume.ts';

interface ImportInput {
  format: 'csv' | 'resume' | 'posting';
  kind?: ImportCollection | undefined;
  text?: string | undefined;
  data?: unknown;
  codes?: readonly SentCode[] | undefined;
  dryRun?: boolean | undefined;
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
    return { kind, file: yield* readCsv(text, kind, today, separator) };
  }
  const wanted = collectionOf[format];
  if (collection !== undefined && collection !== wanted) refuse('kind', `must be ${wanted} for this format`);
  const data = readData(input);
  const file = yield* format === 'resume' ? readResume(data) : readPosting(data, today);
  return { kind: findKind(wanted), file };
}

const statements = {
  dry: 'Nothing is stored: this was a dry run. Send dryRun false to create these records in your workspace, or in a new one.',
  done: 'These records are stored in your workspace, and readable to anyone who has its id.',
};
const sandbox = 'A public sandbox is no place for personal data.';

interface CheckedFile {
  kind: Kind;
  file: ImportFile;
  codes: RowCode[];
  findings: Finding[];
}

function* checkFile(input: ImportInput, context: Context): Steps<CheckedFile> {
  const { kind, file } = yield* readFile(input, context);
  yield* wait(weighRecords(context.call, file.rows.length));
  yield* checkMembers(file, kind);
  checkRequired(file, kind, input.format === 'csv');
  checkRefs(file, kind, context);
  const codes = yield* codeRows(file, input.codes ?? [], context);
  const findings = yield* checkWhole(file, kind, context);
  return { kind, file, codes, findings };
}

/** Returns the members of a reply that say what became of the file. */
const presentFile = ({ file: { mapping, problems, notTaken }, codes }: CheckedFile) => ({
  mapping,
  codes,
  problems,
  notTaken,
});

/** Creates the records as one batch. Throws a Refusal if the file has a problem. */
async function createRows(checked: CheckedFile, context: Context): Promise<OperationReply> {
  const { kind, file } = checked;
  const { collection } = kind;
  if (file.problems.length > 0) {
    const issues = file.problems.map(({ at, message }) => ({ path: at, message }));
    throw new Refusal('invalid_request', { issues });
  }
  const bodies = { [collection]: file.rows.map(({ members }) => members) };
  const reply = await writeBatch({ bodies, source: { from: 'batch' } }, context);
  if (reply.status !== 201) return reply;
  const { type, warnings, [collection]: created, statement, ...rest } = reply.body as Record<string, unknown>;
  const body = {
    type,
    ...(warnings !== undefined && { warnings }),
    records: { [collection]: created },
    ...presentFile(checked),
    statement: [statement, statements.done, sandbox].filter(Boolean).join(' '),
    ...rest,
  };
  return { ...reply, body };
}

/**
 * Reads a file and returns the records that it holds, with what is unclear in it. With `dryRun: false` it creates them,
 * all or none.
 */
export async function importRecords(input: ImportInput, context: Context): Promise<OperationReply> {
  const { service, call, operation } = context;
  const of = { client: call.client, operation: operation.operationId };
  const checked = await service.platform.runSteps(checkFile(input, context), of);
  if (input.dryRun === false) return createRows(checked, context);
  context.warnings.push(...pickWarnings(checked.findings));
  const { kind, file } = checked;
  const body = {
    type: 'OK',
    records: { [kind.collection]: file.rows.map(({ members }) => members) },
    ...presentFile(checked),
    statement: `${statements.dry} ${sandbox}`,
  };
  return { status: 200, body };
}
