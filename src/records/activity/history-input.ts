import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { countJsonBytes } from '../../kernel/json.ts';
import { findDeceiving } from '../../kernel/plain-text.ts';
import {
  listSchema,
  maxCharacters,
  may,
  NonNegativeInteger,
  parseTime,
  textSchema,
  toIsoTime,
} from '../../kernel/text.ts';
import {
  type HistoryEntry,
  mostBytesOfEntry,
  mostBytesOfHistory,
  mostChangesOfEntry,
  mostHistory,
  vias,
} from '../../workspace/activity.ts';
import type { Kind } from '../kind/kind.ts';
import { explainFuture, PastTime } from '../kind/transitions.ts';
import type { RecordService } from '../service.ts';
import { isPrivateMember, listToldMembers, longestValue } from './member-changes.ts';
import { remarkEntries } from './remark.ts';

/** The most members that an entry names. */
const mostNames = 60;

const Name = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z.]{1,60}$/, 'must be the name of a member'),
);

/** A text as an entry shows it: cut, and with its line breaks. */
const ValueText = v.pipe(
  v.string(),
  maxCharacters(longestValue),
  v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
  v.check(
    (text) => findDeceiving(text, 'many') === undefined,
    ({ input }) => findDeceiving(input, 'many')!,
  ),
);

const Value = v.lazy((sent) =>
  typeof sent === 'string'
    ? ValueText
    : v.union(
        [v.null(), v.pipe(v.number(), v.finite()), v.boolean()],
        'must be a text, a number, true, false or null',
      ),
);
const Item = v.pipe(
  Value,
  v.check((item) => item !== null, 'must be a text, a number, true or false'),
);
const Values = listSchema(Item, mostNames, 'items', 'values');

/** Returns the schema of a change in the history of a record. No value of a private member is taken. */
function createHistoryChangeSchema(kind: Kind) {
  const members = listToldMembers(kind);
  const change = v.object(
    {
      member: v.picklist(members, `must be one of ${members.join(', ')}`),
      from: v.optional(Value),
      to: v.optional(Value),
      added: v.optional(Values),
      removed: v.optional(Values),
    },
    'must be an object',
  );
  return v.pipe(
    change,
    v.check(
      ({ member, ...values }) => Object.keys(values).length === 0 || !isPrivateMember(kind, member),
      'is private; send its name alone',
    ),
    v.check(
      ({ from, to }) => (from === undefined) === (to === undefined),
      'has one of from and to; send both, or neither',
    ),
  );
}

/** The contract shows an entry as an object alone, which keeps it short: a caller sends what an export has. */
const ShownEntry = v.looseObject({});

/** Returns the schema of the history of a record, as an export has it and a batch accepts it. */
export function createHistorySchema(kind: Kind) {
  const { statuses } = kind.lifecycle;
  const Status = v.optional(v.picklist(statuses, `must be one of ${statuses.join(', ')}`));
  const entry = v.object(
    {
      at: PastTime,
      via: v.picklist(vias, `must be one of ${vias.join(', ')}`),
      client: v.optional(textSchema(40, 'Client', '')),
      actor: v.optional(textSchema(80, 'Actor', '')),
      operation: v.pipe(v.string('must be a string'), maxCharacters(60)),
      created: v.optional(v.literal(true, 'must be true, or left out')),
      ...remarkEntries,
      members: v.optional(listSchema(Name, mostNames, 'members')),
      from: Status,
      to: Status,
      changes: v.optional(
        listSchema(createHistoryChangeSchema(kind), mostChangesOfEntry, 'changes', 'objects'),
      ),
      moreChanges: v.optional(NonNegativeInteger),
    },
    'must be an object',
  );
  // JSON has no undefined, so only the contract is built with it.
  const item = v.lazy((sent) => (sent === undefined ? ShownEntry : entry));
  return may(listSchema(item, mostHistory, 'entries', 'objects'), 'Its history, as an export has it.');
}

/** Returns what is wrong with one entry of a history. */
function checkEntry(
  entry: HistoryEntry,
  path: string,
  { now, service }: { now: number; service: Pick<RecordService, 'operations'> },
): Issue[] {
  const { at, operation } = entry;
  const isChange = service.operations.some((row) => row.operationId === operation && row.effect !== 'read');
  const issues: Issue[] = [];
  if (parseTime(at) > now) issues.push({ path: `${path}.at`, message: explainFuture(now) });
  if (!isChange)
    issues.push({
      path: `${path}.operation`,
      message: 'must be the operationId of an operation that changes records',
    });
  if (countJsonBytes(entry) > mostBytesOfEntry)
    issues.push({ path, message: `must have at most ${mostBytesOfEntry} bytes` });
  return issues;
}

/** Returns an issue for each entry that is in the future, too large, or of an operation that changes nothing. */
export function checkHistory(
  history: readonly HistoryEntry[],
  now: number,
  service: Pick<RecordService, 'operations'>,
): Issue[] {
  if (countJsonBytes(history) > mostBytesOfHistory)
    return [
      { path: 'history', message: `must have at most ${mostBytesOfHistory} bytes; send fewer entries` },
    ];
  return history.flatMap((entry, index) => checkEntry(entry, `history[${index}]`, { now, service }));
}

export const withUtcTimes = (history: readonly HistoryEntry[]): HistoryEntry[] =>
  history.map((entry) => ({ ...entry, at: toIsoTime(parseTime(entry.at)) }));

/** Replaces the ids of other records in the history of a record. `resolve` gets the kind that a member refers to. */
export const replaceIds = (
  history: readonly HistoryEntry[],
  { references }: Kind,
  resolve: (target: string, sent: unknown) => unknown,
): HistoryEntry[] =>
  history.map((entry) => {
    const changes = entry.changes?.map((change) => {
      const target = references[change.member];
      if (target === undefined) return change;
      return { ...change, from: resolve(target, change.from), to: resolve(target, change.to) };
    });
    return changes ? { ...entry, changes } : entry;
  });
