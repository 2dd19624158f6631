import * as v from 'valibot';
import type { Finding } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { formatWording } from '../kernel/wording.ts';
import type { Kind } from '../records/kind/kind.ts';
import { createListReferences } from '../records/kind/kind-list.ts';
import type { ChangeContext, Context } from '../records/service.ts';
import { draftChange } from '../records/write/change.ts';
import { checkRecord } from '../records/write/check-record.ts';
import { Change } from '../workspace/change.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { FileRow, ImportFile } from './import-file.ts';
import { locateMember } from './notes.ts';

/** A warning about the record of a row. Its path is the name of the member. */
export interface RowFinding extends Finding {
  row: FileRow;
}

/** Drafts a new record. Returns what is wrong with it as a whole, such as an end before the start. */
function draftCreate({ at, members }: FileRow, kind: Kind, context: ChangeContext) {
  const { change, service } = context;
  const record = { ...members, id: at, createdAt: 0 } as StoredRecord;
  const { today } = change;
  const written = { record, sent: members, source: 'batch' as const };
  const { issues } = checkRecord(kind, written, { view: change, today }, context);
  const warnings = kind.rules.warn?.(record, change, service, today) ?? [];
  change.put(kind.name, record);
  return { issues, warnings };
}

/** Drafts the change of a record. Returns why it is refused, such as a move that is not possible. */
function draftUpdate({ known, members }: FileRow, kind: Kind, context: ChangeContext) {
  const before = context.change.findOwn(kind.name, known!.id)!;
  try {
    return { issues: [], warnings: draftChange(kind, before, members, context) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { issues = [{ path: 'status', message: error.details.reason ?? error.envelope.reason }] } =
      error.details;
    return { issues, warnings: [] };
  }
}

/**
 * Drafts the records of a file, and writes none of them. Notes what is wrong with each as a whole, and returns the warnings
 * that writing them gives. Each row sees those before it. Rows that lack a required member are left out.
 */
export function* draftRows(
  { rows, problems }: ImportFile,
  kind: Kind,
  context: Context,
): Steps<RowFinding[]> {
  const { service, workspace } = context;
  const change = new Change({
    listReferences: createListReferences(service.kinds),
    seed: service.seed.workspace,
    workspace: workspace?.contents,
    now: service.platform.now(),
  });
  const drafting = { ...context, change };
  const findings: RowFinding[] = [];
  for (const row of rows) {
    yield;
    if (!row.known && !v.is(kind.body, row.members)) continue;
    const { issues, warnings } = (row.known ? draftUpdate : draftCreate)(row, kind, drafting);
    for (const { path, message } of issues) {
      const words = formatWording(message);
      // A whole reason names its member itself, or is a sentence.
      const why = /^[A-Z]|^no /.test(words) ? words : `${formatWording(path)} ${words}`;
      problems.push({ ...locateMember(row, formatWording(path)), why });
    }
    findings.push(...warnings.map((warning) => ({ ...warning, row })));
  }
  return findings;
}
