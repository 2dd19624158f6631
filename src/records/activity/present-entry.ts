import { toIsoTime } from '../../kernel/text.ts';
import type { ActivityEntry, HistoryEntry, RecordOfEntry } from '../../workspace/activity.ts';
import type { Remark } from '../../workspace/change.ts';
import type { View } from '../../workspace/view.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindById } from '../kind/kind-list.ts';
import { openView } from '../read/in-view.ts';
import type { Context } from '../service.ts';
import { findOwnRecord, isCreation } from './history.ts';
import { presentRecordName } from './record-names.ts';
import { remarkNames } from './remark.ts';
import { describeEntry } from './sentence.ts';

/** Returns the value that all of these share, if there is one. */
function findShared(values: readonly (string | undefined)[]): string | undefined {
  const sent = new Set(values.filter((value) => value !== undefined));
  return sent.size === 1 ? [...sent][0] : undefined;
}

/** Presents why an entry was made: once if all its records say the same, or else with each record. */
function presentRemarks(records: readonly RecordOfEntry[]) {
  const shared: Remark = {};
  for (const name of remarkNames) {
    const value = findShared(records.map((record) => record[name]));
    if (value !== undefined) shared[name] = value;
  }
  const presentOwn = (record: RecordOfEntry): Remark =>
    Object.fromEntries(
      remarkNames.flatMap((name) =>
        record[name] !== undefined && shared[name] === undefined ? [[name, record[name]]] : [],
      ),
    );
  return { shared, presentOwn };
}

/** Returns the sentence of an entry in the history of a record, if the kind of the record is known. */
export function presentSentence(entry: ActivityEntry, record: string | undefined, context: Context) {
  const kind = record === undefined ? undefined : findKindById(context.service.kinds, record);
  if (record === undefined || !kind) return {};
  const isDeleted = entry.operation === kind.texts.delete.operationId;
  const isAdded = isCreation(entry, findOwnRecord(record, context) ?? {}, kind);
  const event = isDeleted ? 'deleted' : isAdded ? 'added' : 'changed';
  return { sentence: describeEntry(entry, { kind, id: record, event }) };
}

export function presentEntry(entry: ActivityEntry, view: View, kinds: readonly Kind[]) {
  const { revision, at, via, client, actor, operation, records, changes, moreChanges, ...rest } = entry;
  const { shared, presentOwn } = presentRemarks(records);
  return {
    revision,
    at: toIsoTime(at),
    via,
    ...(client !== undefined && { client }),
    ...(actor !== undefined && { actor }),
    operation,
    records: records.map((record) => ({
      id: record.id,
      kind: record.kind,
      name: presentRecordName(record, view, kinds),
      ...presentOwn(record),
    })),
    ...rest,
    ...shared,
    ...(changes && { changes }),
    ...(moreChanges !== undefined && { moreChanges }),
  };
}

/** Presents an entry that came with a record which was imported. */
export function presentImported(
  { created, reason, effectiveDate, changes, at, ...rest }: HistoryEntry,
  { id, kind }: { id: string; kind: Kind },
  context: Context,
) {
  const record = {
    id,
    kind: kind.name,
    ...(reason !== undefined && { reason }),
    ...(effectiveDate !== undefined && { effectiveDate }),
  };
  const entry: ActivityEntry = {
    ...rest,
    revision: 0,
    at: Date.parse(at),
    records: [record],
    ...(changes && { changes: changes.map((change) => ({ id, ...change })) }),
  };
  return {
    ...presentEntry(entry, openView(context), context.service.kinds),
    sentence: describeEntry(entry, { kind, id, event: created ? 'added' : 'changed' }),
    imported: true,
  };
}
