import * as v from 'valibot';
import { memoize } from '../../kernel/cache.ts';
import { may, NonNegativeInteger, named, say, upTo } from '../../kernel/text.ts';
import { type MemberChange, mostChangesOfEntry } from '../../workspace/activity.ts';
import type { Kind } from '../kind/kind.ts';

type Row = Readonly<Record<string, unknown>>;

/** The most characters of a text that a change shows. */
export const longestValue = 200;

/** The members of a record that its history tells: what a caller sends, its status, and what its kind adds. */
export const listToldMembers = memoize(
  ({ body, lifecycle, toldMembers = [], privateMembers = [] }: Kind): readonly string[] => [
    ...Object.keys(body.entries),
    ...Object.keys(lifecycle.details?.entries ?? {}),
    'status',
    ...toldMembers,
    ...privateMembers,
  ],
  { most: 20 },
);

/** Whether the history tells no values of a member. */
export const isPrivateMember = ({ members, privateMembers }: Kind, member: string): boolean =>
  members[member]?.isPrivate ?? privateMembers?.includes(member) ?? false;

/** Reads a member of a row, or a member of a member: `outcome.result`. */
function readMember(row: Row, path: string): unknown {
  if (!path.includes('.')) return row[path];
  const [name = '', inner = ''] = path.split('.');
  return (row[name] as Row | undefined)?.[inner];
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

function cutValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value.length <= longestValue) return value;
  return [...value].slice(0, longestValue).join('');
}

/** Says how the value of a member changed: a list by what was added and removed. */
function describeValues(from: unknown, to: unknown): Omit<MemberChange, 'id' | 'member'> {
  if (!Array.isArray(from) && !Array.isArray(to)) return { from: cutValue(from), to: cutValue(to) };
  const [earlier, later] = [from ?? [], to ?? []] as [unknown[], unknown[]];
  return {
    added: later.filter((item) => !earlier.includes(item)).map(cutValue),
    removed: earlier.filter((item) => !later.includes(item)).map(cutValue),
  };
}

/** Lists the changes between two rows of a record of a kind, in the order of `members`. */
export function listMemberChanges(
  kind: Kind,
  members: readonly string[],
  before: Row,
  after: Row,
): Omit<MemberChange, 'id'>[] {
  const changes: Omit<MemberChange, 'id'>[] = [];
  for (const member of members) {
    const from = readMember(before, member);
    const to = readMember(after, member);
    if (isSame(from, to)) continue;
    changes.push({ member, ...(isPrivateMember(kind, member) ? {} : describeValues(from, to)) });
  }
  return changes;
}

const Value = v.unknown();

const valueEntries = {
  member: say(v.string(), 'Its name, such as `billRateUsdHour` or `outcome.result`.'),
  from: may(Value, 'Its value before, null for none. A text is cut to 200 characters.'),
  to: may(Value, 'Its value after.'),
  added: may(v.array(Value), 'Of a list: what is new in it.'),
  removed: may(v.array(Value), 'Of a list: what was in it.'),
};

/** What changed in one record. */
export const MemberChanges = v.array(
  named(
    v.object(valueEntries),
    'MemberChange',
    'A member that changed. A private one, as a note, shows no value.',
  ),
);

/** The members of an entry of the activity that say what changed. */
export const changeEntries = {
  changes: v.optional(
    upTo(
      mostChangesOfEntry,
      named(
        v.object({ id: say(v.string(), 'Of the record.'), ...valueEntries }),
        'RecordedChange',
        'A member of a record that changed. Of a deleted record it shows no value.',
      ),
      'What changed in records that existed.',
    ),
  ),
  moreChanges: may(NonNegativeInteger, 'How many more members changed.'),
};
