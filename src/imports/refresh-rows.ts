import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { findKnown, pickChanges } from '../records/batch/upsert.ts';
import type { Kind } from '../records/kind/kind.ts';
import { openView } from '../records/read/in-view.ts';
import type { Context } from '../records/service.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { FileRow, ImportFile } from './import-file.ts';

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

const labelOf = (line: string) => line.slice(0, line.indexOf(':') + 1);

/** Returns a note with some named lines, which replace those of the same names. */
function mergeNote(note: string, added: string): string {
  const labels = added.split('\n').map(labelOf);
  const kept = note.split('\n').filter((line) => labelOf(line) === '' || !labels.includes(labelOf(line)));
  return [...kept, added].join('\n');
}

/** Whether a change leaves a member of a record as it is, although the file says something else. */
function isKept({ onlyNew, fromToday, members }: FileRow, known: StoredRecord, member: string): boolean {
  if (onlyNew.has(member)) return true;
  const before = known[member];
  return fromToday.has(member) && before !== undefined && String(before) <= String(members[member]);
}

/** Leaves in each row that changes a record only what differs from its record. */
export function* keepChanges({ rows }: ImportFile, kind: Kind, context: Context): Steps<void> {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  for (const row of rows) {
    const { known, members, addsToNote } = row;
    yield;
    if (!known) continue;
    if (addsToNote && typeof members.note === 'string' && known.note !== undefined)
      members.note = mergeNote(known.note as string, members.note);
    const changes = pickChanges(kind, known, members, { view, today });
    for (const member of Object.keys(members))
      if (!(member in changes) || isKept(row, known, member)) delete members[member];
  }
}
