import * as v from 'valibot';
import { cutExcerpt, type Finding } from '../kernel/envelope.ts';
import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { formatWording } from '../kernel/wording.ts';
import type { Kind } from '../records/kind/kind.ts';
import { createListReferences } from '../records/kind/kind-list.ts';
import { openView } from '../records/read/in-view.ts';
import type { Context } from '../records/service.ts';
import { checkRecord, checkRef } from '../records/write/check-record.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { DraftView } from '../workspace/view.ts';
import { listColumnNames } from './columns.ts';
import type { FileRow, ImportFile } from './import-file.ts';

const quote = (value: unknown) =>
  `"${cutExcerpt(Array.isArray(value) ? value.join(', ') : String(value), 40)}"`;

/** Returns what is wrong with a member, or undefined. Otherwise the row has it as its kind stores it. */
function checkMember(row: FileRow, member: string, kind: Kind): string | undefined {
  const value = row.members[member];
  const schema = kind.body.entries[member] as v.GenericSchema;
  const parsed = v.safeParse(schema, value);
  const [issue] = [...(parsed.issues ?? []), ...(member === 'ref' ? checkRef(kind, value) : [])];
  if (!issue) row.members[member] = parsed.output;
  return issue?.message;
}

/**
 * Checks each member of a body by the rules of its kind. A value that breaks one is removed from the record and is a problem. A
 * ref that cannot be one is only not taken.
 */
export function* checkMembers({ rows, problems, notTaken }: ImportFile, kind: Kind): Steps<void> {
  for (const row of rows) {
    yield;
    for (const member of Object.keys(row.members).filter((name) => name in kind.body.entries)) {
      const message = checkMember(row, member, kind);
      if (message === undefined) continue;
      const at = row.places[member] ?? row.at;
      if (member === 'ref') notTaken.push({ at, member });
      else problems.push({ at, message: `${quote(row.members[member])} ${message}` });
      delete row.members[member];
    }
  }
}

const isRequired = ([name, { type }]: [string, { type: string }]) =>
  type !== 'optional' && name !== 'onetCode';

/** Notes each required member that a row lacks. If all rows of a file lack it, one problem says so. */
export function checkRequired({ rows, problems }: ImportFile, kind: Kind, isCsv: boolean): void {
  for (const [member] of Object.entries(kind.body.entries as Record<string, v.GenericSchema>).filter(
    isRequired,
  )) {
    // A value that breaks a rule has its own problem.
    const lacking = rows.filter(({ members, places }) => members[member] === undefined && !places[member]);
    const names = listColumnNames(kind, member).join(', ');
    if (isCsv && lacking.length === rows.length) {
      problems.push({ at: 'row 1', message: `has no value for ${member}; name a column ${names}` });
      continue;
    }
    for (const { at } of lacking)
      problems.push({ at, message: `has no ${member}; every ${kind.noun} needs one` });
  }
}

/** Notes each ref that two rows have, or that a record of the workspace has. */
export function checkRefs({ rows, problems }: ImportFile, kind: Kind, context: Context): void {
  const view = openView(context);
  const seen = new Map<string, string>();
  for (const { at, members, places } of rows) {
    const { ref } = members;
    if (typeof ref !== 'string') continue;
    const place = places.ref ?? at;
    const other = seen.get(ref);
    if (other !== undefined) problems.push({ at: place, message: `${quote(ref)} is that of ${other} too` });
    else if (view.findByRef(kind.name, ref))
      problems.push({ at: place, message: `${quote(ref)} is that of a ${kind.noun} in this workspace` });
    seen.set(ref, at);
  }
}

/**
 * Notes what is wrong with records as a whole, such as an end before the start, and returns the warnings that creating
 * them would give. Rows that lack a required member are left out.
 */
export function* checkWhole({ rows, problems }: ImportFile, kind: Kind, context: Context): Steps<Finding[]> {
  const { service, workspace } = context;
  // Two rows can be the same person, so each row sees those before it, with the row as its id.
  const listReferences = createListReferences(service.kinds);
  const view = new DraftView(listReferences, service.seed.workspace, workspace?.contents);
  const today = toIsoDate(service.platform.now());
  const findings: Finding[] = [];
  for (const [index, { at, members, places }] of rows.entries()) {
    yield;
    if (!v.is(kind.body, members)) continue;
    const record = { ...members, id: at, createdAt: 0 } as StoredRecord;
    const { issues } = checkRecord(
      kind,
      { record, sent: members, source: 'batch' },
      { view, today },
      context,
    );
    for (const { path, message } of issues)
      problems.push({ at: places[path] ?? at, message: `${path} ${formatWording(message)}` });
    const warnings = kind.rules.warn?.(record, view, service, today) ?? [];
    const place = (path: string) => `${kind.collection}[${index}].${path}`;
    findings.push(...warnings.map((warning) => ({ ...warning, path: place(warning.path) })));
    view.put(kind.name, record);
  }
  return findings;
}
