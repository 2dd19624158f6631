import * as v from 'valibot';
import { kinds } from '../kinds.ts';
import { findKindById } from '../records/kind/kind-list.ts';
import type { ActivityEntry } from '../workspace/activity.ts';
import { Condition, isMatch, listMisses, Pattern, type PatternScope } from './pattern.ts';

/**
 * Something that can happen to a record. `id` is `#key` of the fixture. `member` and `to` are of a change. `where` is a
 * pattern of the record as it is at the end, so it matches no deleted record. `operation` is that of the call. `by` leaves
 * out what people of the brief do.
 */
export const EventPattern = v.strictObject({
  kind: v.string(),
  event: v.picklist(['created', 'changed', 'deleted']),
  id: v.optional(v.string()),
  member: v.optional(Condition),
  to: v.optional(v.nullable(Condition)),
  where: v.optional(Pattern),
  operation: v.optional(Condition),
  by: v.optional(v.literal('agent')),
});
export type EventPattern = v.InferOutput<typeof EventPattern>;

/** Something that happened to a record. `id` is absent if its entry does not list the record. */
interface RecordEvent extends Pick<EventPattern, 'kind' | 'event'> {
  revision: number;
  operation: string;
  isOfAgent: boolean;
  id?: string;
  member?: string;
  to?: unknown;
}

/** Returns the first events of each kind: as many as records of that kind were created. */
const takeCreated = <T extends { kind: string }>(
  events: readonly T[],
  created: Readonly<Record<string, number>>,
): T[] =>
  Object.entries(created).flatMap(([kind, count]) =>
    events.filter((event) => event.kind === kind).slice(0, count),
  );

/** Lists what an entry did: each record that it created or deleted, and each member that it changed. */
function listEntryEvents(entry: ActivityEntry): RecordEvent[] {
  const { revision, via, operation, records, created = {}, changes = [] } = entry;
  const base = { revision, operation, isOfAgent: via !== 'brief' };
  const isDeletion = operation.startsWith('delete');
  const changedIds = new Set(changes.map(({ id }) => id));
  const others = records.filter(({ id }) => !changedIds.has(id));
  const isCreation = /^(create|import|start)/.test(operation) && operation !== 'createShortlist';
  const event = isDeletion ? 'deleted' : 'created';
  const named = isDeletion || isCreation ? others.map(({ id, kind }) => ({ ...base, event, kind, id })) : [];
  // A batch says how many it created. Others that it lists had changes that its entry has no room for.
  const listed = operation === 'createBatch' && entry.created ? takeCreated(named, created) : named;
  const unlisted = Object.entries(created).flatMap(([kind, count]) => {
    const rest = count - listed.filter((one) => one.kind === kind).length;
    return Array.from({ length: Math.max(0, rest) }, () => ({ ...base, event, kind }));
  });
  const changed = changes.map(({ id, member, to }) => ({
    ...base,
    event: 'changed' as const,
    // An entry lists its first records only.
    kind: findKindById(kinds, id)?.name ?? '',
    id,
    member,
    to,
  }));
  return [...listed, ...unlisted, ...changed] as RecordEvent[];
}

/** What happened in the workspace of a brief, oldest first. */
export class BriefHistory {
  readonly #events: readonly RecordEvent[];
  readonly #scope: PatternScope;

  constructor(entries: readonly ActivityEntry[], scope: PatternScope) {
    this.#events = entries.filter(({ operation }) => operation !== 'startBrief').flatMap(listEntryEvents);
    this.#scope = scope;
  }

  /** Lists the revisions at which something happened. */
  listRevisions(pattern: EventPattern): number[] {
    return this.#events.filter((event) => this.#isMatch(pattern, event)).map(({ revision }) => revision);
  }

  #isMatch(pattern: EventPattern, event: RecordEvent): boolean {
    const { kind, id, member, to, where, operation, by } = pattern;
    const meets = (test: Condition | undefined, value: unknown) =>
      test === undefined || isMatch(test, value, this.#scope);
    if (kind !== event.kind || pattern.event !== event.event) return false;
    if (by && !event.isOfAgent) return false;
    if (id !== undefined && this.#scope.resolve(id) !== event.id) return false;
    if (!meets(member, event.member) || !meets(operation, event.operation)) return false;
    if (to === null ? event.to !== null : !meets(to, event.to)) return false;
    if (!where) return true;
    const row = this.#scope.findRow(event.id);
    return row !== undefined && listMisses(where, row, this.#scope).length === 0;
  }
}
