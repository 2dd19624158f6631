/** How a change reached the service. */
export const vias = ['http', 'mcp', 'owner', 'shortlist', 'confirmation', 'brief'] as const;
export type Via = (typeof vias)[number];

/** A record of an entry. A deleted record has its id and its kind alone. */
export interface RecordOfEntry {
  id: string;
  kind: string;
  /** Its name after the change, cut. */
  name?: string;
  /** If it has no name: the records that name it, with theirs. */
  namedBy?: readonly { id: string; name: string }[];
  /** Why it changed, as the caller says. */
  reason?: string;
  /** The day from which the change counts, as the caller says. */
  effectiveDate?: string;
}

/**
 * One member of a record that changed. A text is cut. A list is told by what was added and removed. A private member, and
 * any member of a deleted record, has no values.
 */
export interface MemberChange {
  id: string;
  member: string;
  /** null if it had no value. */
  from?: unknown;
  to?: unknown;
  added?: readonly unknown[];
  removed?: readonly unknown[];
}

/** What one change of a workspace did, as it is stored. Entries of earlier releases have less. */
export interface ActivityEntry {
  revision: number;
  /** Milliseconds since the epoch. */
  at: number;
  via: Via;
  /** The name that the program that made the change gives itself. */
  client?: string;
  /** Who asked for the change, as the caller says. */
  actor?: string;
  /** The operationId. */
  operation: string;
  /** The first records that the change wrote, at most `mostRecordsOfEntry`. */
  records: readonly RecordOfEntry[];
  /** How many more records it wrote. */
  more?: number;
  /** How many records it created, by kind, if it wrote several. */
  created?: Readonly<Record<string, number>>;
  /** The members that the caller sent, if the change wrote one record. */
  members?: readonly string[];
  /** The status before and after, if the change moved a single record. */
  from?: string;
  to?: string;
  /** What it changed in records that existed, at most `mostChangesOfEntry`. */
  changes?: readonly MemberChange[];
  /** How many more members it changed. */
  moreChanges?: number;
}

/**
 * A change of one record, as an export shows it. A batch stores it with the record that it creates. This service did not
 * see the change.
 */
export interface HistoryEntry
  extends Pick<
      ActivityEntry,
      'via' | 'client' | 'actor' | 'operation' | 'members' | 'from' | 'to' | 'moreChanges'
    >,
    Pick<RecordOfEntry, 'reason' | 'effectiveDate'> {
  /** RFC 3339. */
  at: string;
  /** Whether the change made the record. */
  created?: true;
  changes?: readonly Omit<MemberChange, 'id'>[];
}

/** How many of the newest changes of a record an export has, and how many imported ones a record keeps. */
export const mostHistory = 100;
/** The most bytes of them as JSON in UTF-8. */
export const mostBytesOfHistory = 65_536;

export const mostRecordsOfEntry = 20;
export const mostChangesOfEntry = 40;
/** An entry takes at most this many bytes as JSON in UTF-8. */
export const mostBytesOfEntry = 4096;
/** How many of the newest entries a store keeps. */
export const mostActivity = 1000;

/** Removes the names and the values of deleted records. Returns the entry itself if it has none. */
function blankEntry(entry: ActivityEntry, deletedIds: ReadonlySet<string>): ActivityEntry {
  const { records, changes = [], from: _, to: __, ...rest } = entry;
  const isNamed = ({ id, namedBy = [] }: RecordOfEntry) =>
    deletedIds.has(id) || namedBy.some((other) => deletedIds.has(other.id));
  if (!records.some(isNamed) && !changes.some(({ id }) => deletedIds.has(id))) return entry;
  const isOfDeleted = records.length === 1 && deletedIds.has(records[0]!.id);
  const blankRecord = (record: RecordOfEntry): RecordOfEntry => {
    const { id, kind, namedBy } = record;
    if (deletedIds.has(id)) return { id, kind };
    return namedBy ? { ...record, namedBy: namedBy.filter((other) => !deletedIds.has(other.id)) } : record;
  };
  return {
    ...(isOfDeleted ? rest : entry),
    records: records.map(blankRecord),
    ...(changes.length > 0 && {
      changes: changes.map((one) => (deletedIds.has(one.id) ? { id: one.id, member: one.member } : one)),
    }),
  };
}

/** Returns those of these entries that name or tell of removed records, without their names and values. */
export function listBlanked(
  entries: Iterable<ActivityEntry>,
  removed: readonly { record: { id: string } }[],
): ActivityEntry[] {
  const deletedIds = new Set(removed.map(({ record }) => record.id));
  return [...entries].flatMap((entry) => {
    const blank = blankEntry(entry, deletedIds);
    return blank === entry ? [] : blank;
  });
}
