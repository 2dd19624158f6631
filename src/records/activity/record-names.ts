import type { RecordOfEntry } from '../../workspace/activity.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindByName } from '../kind/kind-list.ts';

/** The most characters of a name that an entry keeps. */
const longestName = 80;

const cutName = (name: string): string =>
  name.length <= longestName ? name : [...name].slice(0, longestName).join('');

function readOwnName({ name, title }: StoredRecord): string | undefined {
  const own = name ?? title;
  return typeof own === 'string' ? cutName(own) : undefined;
}

/** Returns the name of a record, or the names of the records that it refers to if it has none. */
export function describeName(
  { name, references }: Kind,
  id: string,
  view: View,
  kinds: readonly Kind[],
): Pick<RecordOfEntry, 'name' | 'namedBy'> {
  const record = view.find(name, id);
  if (!record) return {};
  const own = readOwnName(record);
  if (own !== undefined) return { name: own };
  const namedBy = Object.entries(references).flatMap(([member, target]) => {
    const referred = view.find(findKindByName(kinds, target).name, String(record[member]));
    const otherName = referred && readOwnName(referred);
    return otherName === undefined ? [] : [{ id: referred!.id, name: otherName }];
  });
  return namedBy.length > 0 ? { namedBy } : {};
}

/**
 * Returns the name that an entry shows of a record: that of its day. Of an entry without names, which an earlier release
 * wrote, it is the name now. Returns null if there is none, or if the record is deleted.
 */
export function presentRecordName(
  { id, kind, name, namedBy }: RecordOfEntry,
  view: View,
  kinds: readonly Kind[],
): string | null {
  if (name !== undefined) return name;
  if (namedBy === undefined) {
    const now = describeName(findKindByName(kinds, kind), id, view, kinds);
    return now.name ?? joinNames(now.namedBy);
  }
  return joinNames(namedBy);
}

const joinNames = (named: RecordOfEntry['namedBy'] = []): string | null =>
  named.length > 0 ? named.map(({ name }) => name).join(', ') : null;
