import { type Steps, wait } from '../../kernel/steps.ts';
import { type ActivityEntry, mostActivity } from '../../workspace/activity.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { openView } from '../read/in-view.ts';
import type { Context } from '../service.ts';

/** How many entries are read from the store at once. */
const entriesOfSlice = 200;

/** Returns the record of the workspace with this id, of whatever kind. */
function findOwnRecord(id: string, context: Context): StoredRecord | undefined {
  const view = openView(context);
  for (const { name } of context.service.kinds) {
    const entry = view.findOwn(name, id);
    if (entry) return entry.record;
  }
  return undefined;
}

/**
 * Returns a function that says whether an entry wrote a record. An entry has the ids of its first records only. One of
 * more records counts if it made, moved or last changed the record, by the times that the record has.
 */
function createWriteTest(id: string, context: Context): (entry: ActivityEntry) => boolean {
  const { createdAt, updatedAt, transitions = [] } = findOwnRecord(id, context) ?? {};
  const times = new Set([createdAt, updatedAt, ...transitions.map(({ at }) => at)]);
  return ({ records, more = 0, at, changes = [] }) =>
    records.some((record) => record.id === id) ||
    (more > 0 && (times.has(at) || changes.some((change) => change.id === id)));
}

/**
 * Reads the entries after revision `since` that wrote a record, newest first, up to the revision that the workspace
 * had when it was opened. It reads all entries that are kept at most.
 */
export function* readHistory(
  { record, since = 0 }: { record: string; since?: number | undefined },
  context: Context,
): Steps<readonly ActivityEntry[]> {
  const { service, workspace } = context;
  const { head } = workspace!.contents;
  const hasWritten = createWriteTest(record, context);
  const oldest = Math.max(since, head.revision - mostActivity) + 1;

  const found: ActivityEntry[] = [];
  for (let before = head.revision + 1; before > oldest; ) {
    const entries = yield* wait(service.store.readActivity(head, { before, limit: entriesOfSlice }));
    if (entries.length === 0) break;
    for (const entry of entries) {
      if (entry.revision >= oldest && hasWritten(entry)) found.push(entry);
      yield;
    }
    before = entries.at(-1)!.revision;
  }
  return found;
}
