import * as v from 'valibot';
import type { Steps } from '../kernel/steps.ts';
import type { Kind } from '../records/kind/kind.ts';
import { openView } from '../records/read/in-view.ts';
import type { Context } from '../records/service.ts';
import { checkRef } from '../records/write/check-record.ts';
import { listColumnNames } from './columns.ts';
import type { ImportFile } from './import-file.ts';
import { locateMember, quote } from './notes.ts';

/** Returns what is wrong with a value by the rules of its member, or its value as the kind stores it. */
function parseMember(value: unknown, member: string, kind: Kind): { message?: string; output?: unknown } {
  const schema = kind.body.entries[member] as v.GenericSchema;
  const parsed = v.safeParse(schema, value);
  const [issue] = [...(parsed.issues ?? []), ...(member === 'ref' ? checkRef(kind, value) : [])];
  return issue ? { message: issue.message } : { output: parsed.output };
}

/** Returns the items of a list that break a rule. Returns all of it if only the whole list breaks one. */
function findBroken(
  list: readonly unknown[],
  member: string,
  kind: Kind,
): { value: unknown; message: string }[] {
  const broken = list.flatMap((value) => {
    const { message } = parseMember([value], member, kind);
    return message === undefined ? [] : [{ value, message }];
  });
  const { message } = parseMember(list, member, kind);
  return broken.length > 0 || message === undefined ? broken : [{ value: list, message }];
}

/**
 * Checks each member of a body by the rules of its kind. A value that breaks one is removed from the record and is a
 * problem, and so is an item of a list, without the others. A ref that cannot be one is only not taken.
 */
export function* checkMembers({ rows, problems, notTaken }: ImportFile, kind: Kind): Steps<void> {
  for (const row of rows) {
    yield;
    const { members } = row;
    for (const member of Object.keys(members).filter((name) => name in kind.body.entries)) {
      const value = members[member];
      const { message, output } = parseMember(value, member, kind);
      if (message === undefined) {
        members[member] = output;
        continue;
      }
      const place = locateMember(row, member);
      if (member === 'ref')
        notTaken.push({ ...place, why: `can be no ref: ${message}`, detail: quote(value) });
      const broken = Array.isArray(value) ? findBroken(value, member, kind) : [{ value, message }];
      if (member !== 'ref')
        for (const one of broken) problems.push({ ...place, why: one.message, detail: quote(one.value) });
      const kept = Array.isArray(value)
        ? value.filter((item) => !broken.some((one) => one.value === item))
        : [];
      if (kept.length > 0 && !broken.some((one) => one.value === value)) members[member] = kept;
      else delete members[member];
    }
  }
}

const isRequired = ([name, { type }]: [string, { type: string }]) =>
  type !== 'optional' && name !== 'onetCode';

/** Notes each required member that a new record lacks. If all rows of a file lack it, one problem says so. */
export function checkRequired({ rows, problems }: ImportFile, kind: Kind, isCsv: boolean): void {
  const added = rows.filter(({ known }) => !known);
  for (const [member] of Object.entries(kind.body.entries as Record<string, v.GenericSchema>).filter(
    isRequired,
  )) {
    // A value that breaks a rule has its own problem.
    const lacking = added.filter(({ members, places }) => members[member] === undefined && !places[member]);
    const names = listColumnNames(kind, member).join(', ');
    const isWhole = isCsv && lacking.length === rows.length;
    const why = isWhole
      ? `has no value for ${member}; name a column ${names}`
      : `has no ${member}; every ${kind.noun} needs one`;
    for (const row of lacking)
      problems.push({ ...locateMember(row, member), ...(isWhole && { at: 'row 1' }), why });
  }
}

/** Notes each ref that two rows have, or that a record of the workspace has whom the row does not change. */
export function checkRefs({ rows, problems }: ImportFile, kind: Kind, context: Context): void {
  const view = openView(context);
  const seen = new Map<string, string>();
  for (const row of rows) {
    const { ref } = row.members;
    if (typeof ref !== 'string') continue;
    const place = { ...locateMember(row, 'ref'), detail: quote(ref) };
    const other = seen.get(ref);
    if (other !== undefined) problems.push({ ...place, why: `is that of ${other} too` });
    else if (!row.known && view.findByRef(kind.name, ref))
      problems.push({
        ...place,
        why: `is that of a ${kind.noun} in this workspace; send upsert true to change it`,
      });
    if (other === undefined) seen.set(ref, row.at);
  }
}
