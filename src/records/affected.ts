import * as v from 'valibot';
import { may, NonNegativeInteger, named, say, toIsoDate, upTo } from '../kernel/text.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { View } from '../workspace/view.ts';
import type { Kind } from './kind.ts';
import { findKindByName } from './kind-list.ts';
import type { WriteContext } from './write.ts';

/** A reply names at most this many affected records. */
const mostAffected = 20;

const AffectedRecord = named(
  v.object({
    id: say(v.string(), 'Its id.'),
    kind: say(v.string(), 'The name of its kind.'),
    status: say(v.string(), 'Its status now.'),
    openingsLeft: may(NonNegativeInteger, 'Of a job order.'),
  }),
  'AffectedRecord',
  'Another record whose status or openingsLeft follows from the change. That alone does not move its revision.',
);

/** The member of a reply to a change that names other records that read differently because of it. */
export const affectedEntries = {
  affected: v.optional(upTo(mostAffected, AffectedRecord, 'Other records that read differently now.')),
};

/** The kinds, by id, of the records that a change wrote or removed, and of those that these refer to or referred to. */
function listTouched({ view, service: { kinds } }: WriteContext): Map<string, Kind> {
  const touched = new Map<string, Kind>();
  const visit = (kind: Kind, record: StoredRecord) => {
    touched.set(record.id, kind);
    for (const [member, name] of Object.entries(kind.references))
      touched.set(record[member] as string, findKindByName(kinds, name));
  };
  for (const { kind: name, record, before } of view.drafted) {
    const kind = findKindByName(kinds, name);
    visit(kind, record);
    if (before) visit(kind, before.record);
  }
  for (const { kind, record } of view.removed) visit(findKindByName(kinds, kind), record);
  return touched;
}

function presentState(kind: Kind, id: string, view: View, today: string) {
  const record = view.find(kind.name, id);
  if (!record) return undefined;
  const { status, openingsLeft } = kind.present(record, view, today);
  return { status, ...(openingsLeft !== undefined && { openingsLeft }) };
}

/**
 * Returns the member `affected` of the reply to a drafted change, or nothing if no other record reads differently. The
 * reply shows the records with the ids in `shown`.
 */
export function presentAffected(shown: readonly string[], write: WriteContext): { affected?: object[] } {
  const { view, now } = write;
  const today = toIsoDate(now);
  const before = new View(view.seed, view.workspace);
  const touched = listTouched(write);
  for (const id of shown) touched.delete(id);
  const affected: object[] = [];
  for (const [id, kind] of touched) {
    const state = presentState(kind, id, view, today);
    if (!state || JSON.stringify(state) === JSON.stringify(presentState(kind, id, before, today))) continue;
    affected.push({ id, kind: kind.name, ...state });
    if (affected.length === mostAffected) break;
  }
  return affected.length > 0 ? { affected } : {};
}
