import * as v from 'valibot';
import { may, NonNegativeInteger, named, say, upTo } from '../../kernel/text.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { View } from '../../workspace/view.ts';
import { listMemberChanges, MemberChanges } from '../activity/member-changes.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindByName } from '../kind/kind-list.ts';
import type { ChangeContext } from '../service.ts';

/** A reply names at most this many affected records. */
const mostAffected = 20;
/**
 * Of the records that refer to a changed one, this many are compared. All of them show the same members of it, so either
 * each reads differently or none does. See the guide to speed.
 */
const mostReferring = 50;

const AffectedRecord = named(
  v.object({
    id: say(v.string(), 'Its id.'),
    kind: say(v.string(), 'The name of its kind.'),
    status: say(v.string(), 'Its status now.'),
    openingsLeft: may(NonNegativeInteger, 'Of a job order.'),
    changes: say(MemberChanges, 'What reads differently.'),
  }),
  'AffectedRecord',
  'Another record that reads differently because of the change. Its revision moves only if the change wrote it too.',
);

/** The member of a reply to a change that names other records that read differently because of it. */
export const affectedEntries = {
  affected: v.optional(upTo(mostAffected, AffectedRecord, 'Other records that read differently now.')),
};

/** A change compares at most this many records, so that a large batch does not keep other callers waiting. */
const mostCompared = 1000;

/**
 * The kinds, by id, of the records that a change wrote or removed, of those that these refer to or referred to, and of
 * those that refer to a changed or removed one. What refers to a removed one no longer holds the other records that it
 * refers to, so those are touched too.
 */
function listTouched({ change: view, service: { kinds } }: ChangeContext): Map<string, Kind> {
  const touched = new Map<string, Kind>();
  const referringKinds = kinds.filter(({ references }) => Object.keys(references).length > 0);
  const addReferences = (kind: Kind, record: StoredRecord) => {
    for (const [member, name] of Object.entries(kind.references))
      touched.set(record[member] as string, findKindByName(kinds, name));
  };
  const draftedIds = new Set(view.drafted.map(({ record }) => record.id));
  const listReferring = (kind: Kind, { id }: StoredRecord) =>
    view
      .listReferring(kind.name, id)
      .filter((record) => !draftedIds.has(record.id))
      .slice(0, mostReferring);
  const addReferring = (to: StoredRecord) => {
    for (const kind of referringKinds)
      for (const record of listReferring(kind, to)) touched.set(record.id, kind);
  };
  for (const { kind: name, record, before } of view.drafted) {
    const kind = findKindByName(kinds, name);
    touched.set(record.id, kind);
    addReferences(kind, record);
    if (!before) continue;
    addReferences(kind, before.record);
    addReferring(record);
  }
  for (const { kind, record } of view.removed) {
    addReferences(findKindByName(kinds, kind), record);
    addReferring(record);
    for (const referring of referringKinds)
      for (const other of listReferring(referring, record)) addReferences(referring, other);
  }
  return touched;
}

/** Presents what is derived of a record. Both views of a comparison have the same day, so that only the change differs. */
function presentDerived(kind: Kind, id: string, view: View, today: string) {
  const record = view.find(kind.name, id);
  return record && kind.present(record, view, today);
}

/** Members of a row that change with each write, or hold more than their history tells. */
const untold = ['id', 'revision', 'updatedAt', 'transitions', 'links', 'outcome'];

/** The members in which two rows of a kind can differ. */
const listComparedMembers = ({ toldMembers = [] }: Kind, before: object, after: object): string[] => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...[...names].filter((name) => !untold.includes(name)), ...toldMembers];
};

type Row = Readonly<Record<string, unknown>> & { status: string };

/** Presents a record that reads differently, by its rows before and after. Returns undefined if it does not. */
export function presentAffectedRecord(kind: Kind, id: string, before: Row, after: Row): object | undefined {
  const changes = listMemberChanges(kind, listComparedMembers(kind, before, after), before, after);
  if (changes.length === 0) return undefined;
  const { status, openingsLeft } = after;
  return { id, kind: kind.name, status, ...(openingsLeft !== undefined && { openingsLeft }), changes };
}

/**
 * Returns the member `affected` of the reply to a drafted change, or nothing if no other record reads differently. The
 * reply shows the records with the ids in `shown`.
 */
export function presentAffected(shown: readonly string[], context: ChangeContext): { affected?: object[] } {
  const { change: view } = context;
  const { today } = view;
  const before = new View(view.seed, view.workspace);
  const touched = listTouched(context);
  for (const id of shown) touched.delete(id);
  const affected: object[] = [];
  for (const [id, kind] of [...touched].slice(0, mostCompared)) {
    const derived = presentDerived(kind, id, view, today);
    const earlier = presentDerived(kind, id, before, today);
    if (!derived || !earlier) continue;
    const record = presentAffectedRecord(kind, id, earlier, derived);
    if (record) affected.push(record);
    if (affected.length === mostAffected) break;
  }
  return affected.length > 0 ? { affected } : {};
}
