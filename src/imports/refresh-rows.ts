import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { findKnown, pickChanges } from '../records/batch/upsert.ts';
import type { Kind } from '../records/kind/kind.ts';
import { openView } from '../records/read/in-view.ts';
import type { Context } from '../records/service.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { FileRow, ImportFile } from './import-file.ts';
import { keepSilent } from './keep-silent.ts';

/** Finds the record that each row changes: the one of the workspace with its ref. The first row of a ref has it. */
export function markKnown({ rows }: ImportFile, kind: Kind, context: Context): void {
  const view = openView(context);
  const seen = new Set<string>();
  for (const row of rows) {
    const { ref } = row.members;
    if (typeof ref !== 'string' || seen.has(ref)) continue;
    seen.add(ref);
    const known = findKnown(view, kind, ref);
    if (known) row.known = known.record;
  }
}

/** A title that says the same as before leaves the code as it is, which a person may have chosen. */
export function keepCodes({ rows }: ImportFile): void {
  for (const { known, members } of rows) {
    const isSameTitle = members.title === undefined || members.title === known?.title;
    if (known && isSameTitle && members.onetCode === undefined) members.onetCode = known.onetCode;
  }
}

/** Whether a change leaves a member of a record as it is, although the file says something else. */
function isKept({ onlyNew, fromToday, members }: FileRow, known: StoredRecord, member: string): boolean {
  if (onlyNew.has(member)) return true;
  const before = known[member];
  return fromToday.has(member) && before !== undefined && String(before) <= String(members[member]);
}

/** Removes the pay of a record that its changed pay replaces: the most of a range, or pay in the other unit. */
function removeReplaced(
  { members, insteadOf = [], silent }: FileRow,
  known: StoredRecord,
  stated: Set<string>,
): void {
  for (const { states, others } of insteadOf) {
    if (!states.some((member) => member in members)) continue;
    for (const member of others)
      if (known[member] !== undefined && !stated.has(member) && !silent?.has(member)) members[member] = null;
  }
}

/** Leaves in each row that changes a record only what differs from its record. */
export function* keepChanges(file: ImportFile, kind: Kind, context: Context): Steps<void> {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  for (const row of file.rows) {
    const { known, members } = row;
    yield;
    if (!known) continue;
    keepSilent(row, file, kind);
    const stated = new Set(Object.keys(members));
    const changes = pickChanges(kind, known, members, { view, today });
    for (const member of Object.keys(members))
      if (!(member in changes) || isKept(row, known, member)) delete members[member];
    removeReplaced(row, known, stated);
  }
}
