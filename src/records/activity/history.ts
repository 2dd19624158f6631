import { countJsonBytes } from '../../kernel/json.ts';
import { type Steps, wait } from '../../kernel/steps.ts';
import {
  type ActivityEntry,
  type HistoryEntry,
  mostActivity,
  mostBytesOfHistory,
  mostHistory,
} from '../../workspace/activity.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindById } from '../kind/kind-list.ts';
import { openView } from '../read/in-view.ts';
import type { Context } from '../service.ts';

/** How many entries are read from the store at once. */
const entriesOfSlice = 200;

/** A record whose history is read. One that is deleted has its id alone. */
type Recorded = Pick<StoredRecord, 'id' | 'createdAt' | 'updatedAt' | 'transitions'>;

/** Returns the record of the workspace with this id. */
export function findOwnRecord(id: string, context: Context): StoredRecord | undefined {
  const kind = findKindById(context.service.kinds, id);
  return kind && openView(context).findOwn(kind.name, id)?.record;
}

/**
 * Returns a function that lists which of these records an entry wrote. An entry has the ids of its first records only. One
 * of more records counts if it made, moved or last changed the record, by the times that the record has. Each step reads one
 * record.
 */
function* createWriteSearch(
  recorded: Iterable<{ record: Recorded }>,
): Steps<(entry: ActivityEntry) => Iterable<string>> {
  const wanted = new Set<string>();
  const byTime = new Map<number, string[]>();
  for (const { record } of recorded) {
    const { id, createdAt, updatedAt, transitions = [] } = record;
    wanted.add(id);
    for (const at of new Set([createdAt, updatedAt, ...transitions.map((move) => move.at)]))
      if (at !== undefined) byTime.getOrInsertComputed(at, () => []).push(id);
    yield;
  }
  return ({ records: listed, more = 0, at, changes = [] }) => {
    const ids = listed.map(({ id }) => id);
    if (more > 0) ids.push(...changes.map(({ id }) => id), ...(byTime.get(at) ?? []));
    return new Set(ids).intersection(wanted);
  };
}

/**
 * Reads the entries after revision `since` that wrote one of these records, newest first, up to the revision that the
 * workspace had when it was opened. It reads all entries that are kept at most.
 */
export function* readHistories(
  recorded: Iterable<{ record: Recorded }>,
  { since = 0 }: { since?: number | undefined },
  context: Context,
): Steps<ReadonlyMap<string, ActivityEntry[]>> {
  const { service, workspace } = context;
  const { head } = workspace!.contents;
  const listWritten = yield* createWriteSearch(recorded);
  const oldest = Math.max(since, head.revision - mostActivity) + 1;

  const histories = new Map<string, ActivityEntry[]>();
  for (let before = head.revision + 1; before > oldest; ) {
    const entries = yield* wait(service.store.readActivity(head, { before, limit: entriesOfSlice }));
    if (entries.length === 0) break;
    for (const entry of entries) {
      if (entry.revision >= oldest)
        for (const id of listWritten(entry)) histories.getOrInsertComputed(id, () => []).push(entry);
      yield;
    }
    before = entries.at(-1)!.revision;
  }
  return histories;
}

/** Whether an entry that has no change of a record created it: it has the time of the record, or is a create. */
export const isCreation = (
  { at, operation }: Pick<ActivityEntry, 'at' | 'operation'>,
  { createdAt }: Pick<StoredRecord, 'createdAt'>,
  { texts }: Kind,
): boolean => createdAt === at || operation === texts.create.operationId;

/** Returns the part of an entry that is about one record. */
function pickHistory(entry: ActivityEntry, record: StoredRecord, kind: Kind): HistoryEntry {
  const { at, via, client, actor, operation, records, more, changes = [] } = entry;
  const { reason, effectiveDate } = records.find(({ id }) => id === record.id) ?? {};
  const own = changes.flatMap(({ id, ...change }) => (id === record.id ? [change] : []));
  // The members that were sent, the move and the count of other changes belong to an entry of one record.
  const { members, from, to, moreChanges } = records.length === 1 && !more ? entry : {};
  return {
    at: new Date(at).toISOString(),
    via,
    ...(client !== undefined && { client }),
    ...(actor !== undefined && { actor }),
    operation,
    ...(own.length === 0 && isCreation(entry, record, kind) && { created: true as const }),
    ...(reason !== undefined && { reason }),
    ...(effectiveDate !== undefined && { effectiveDate }),
    ...(members && { members }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(own.length > 0 && { changes: own }),
    ...(moreChanges !== undefined && { moreChanges }),
  };
}

/** Returns the newest entries of a history that one record may have. */
function cutHistory(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const newest = history.slice(-mostHistory);
  let bytes = 2;
  const tooOld = newest.findLastIndex((entry) => {
    bytes += countJsonBytes(entry) + 1;
    return bytes > mostBytesOfHistory;
  });
  return newest.slice(tooOld + 1);
}

/**
 * Returns the newest changes of a record, oldest first: those that came with it, and then those of this workspace, which are
 * given newest first.
 */
export function joinHistory(
  record: StoredRecord,
  kind: Kind,
  entries: readonly ActivityEntry[] = [],
): readonly HistoryEntry[] {
  const own = entries.slice(0, mostHistory).map((entry) => pickHistory(entry, record, kind));
  return cutHistory([...(record.history ?? []), ...own.toReversed()]);
}
