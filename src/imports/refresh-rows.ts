import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { Kind } from '../records/kind/kind.ts';
import { openView } from '../records/read/in-view.ts';
import type { Context } from '../records/service.ts';
import type { FileRow, ImportFile } from './import-file.ts';

/** Finds the record that each row changes: the one of the workspace with its ref. The first row of a ref has it. */
export function markKnown({ rows }: ImportFile, kind: Kind, context: Context): void {
  const view = openView(context);
  const seen = new Set<string>();
  for (const row of rows) {
    const { ref } = row.members;
    if (typeof ref !== 'string' || seen.has(ref)) continue;
    seen.add(ref);
    const id = view.findByRef(kind.name, ref)?.id;
    const known = id === undefined ? undefined : context.workspace?.contents.find(kind.name, id)?.record;
    if (known) row.known = known;
  }
}

/** A title that says the same as before leaves the code as it is, which a person may have chosen. */
export function keepCodes({ rows }: ImportFile): void {
  for (const { known, members } of rows) {
    const isSameTitle = members.title === undefined || members.title === known?.title;
    if (known && isSameTitle && members.onetCode === undefined) members.onetCode = known.onetCode;
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const labelOf = (line: string) => line.slice(0, line.indexOf(':') + 1);

/** Returns a note with some named lines, which replace those of the same names. */
function mergeNote(note: string, added: string): string {
  const labels = added.split('\n').map(labelOf);
  const kept = note.split('\n').filter((line) => labelOf(line) === '' || !labels.includes(labelOf(line)));
  return [...kept, added].join('\n');
}

/** Leaves in a row only what differs from its record. */
function keepDifferences(row: FileRow, status: string): void {
  const { known, onlyNew, members } = row;
  if (row.addsToNote && typeof members.note === 'string' && known!.note !== undefined)
    members.note = mergeNote(known!.note as string, members.note);
  for (const [member, value] of Object.entries(members)) {
    const isKnown = member === 'status' ? value === status : isSame(value, known![member]);
    if (isKnown || onlyNew.has(member)) delete members[member];
  }
}

/** Leaves in each row that changes a record only what it changes. */
export function* keepChanges({ rows }: ImportFile, kind: Kind, context: Context): Steps<void> {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  for (const row of rows) {
    yield;
    if (row.known) keepDifferences(row, kind.readStatus(row.known, view, today));
  }
}
