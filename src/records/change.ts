import * as v from 'valibot';
import { refuseOtherVersion, toEntityTag } from '../kernel/entity-tag.ts';
import { type Issue, toExcerpt, type Warning } from '../kernel/envelope.ts';
import { withRules } from '../kernel/json-schema.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { may, mayNamed, textSchema, toDay } from '../kernel/text.ts';
import type { Entry, StoredRecord } from '../workspace/record.ts';
import { checkRecord, refuseKnownRef } from './check-record.ts';
import { type Kind, mostTransitions } from './kind.ts';
import { toKindOfId } from './kinds.ts';
import type { PresentedRecord } from './record.ts';
import { present } from './view.ts';
import { type Decision, type Moment, type Plan, write } from './write.ts';

type MemberSchema = v.GenericSchema & { type: string; wrapped?: v.GenericSchema };
type Patch = Readonly<Record<string, unknown>>;

const isOptional = (entry: MemberSchema) => entry.type === 'optional';

const toChangeable = ({ body, moving }: Kind) => ({ ...body.entries, ...moving?.entries });

const toNullable = (entry: v.GenericSchema) => may(v.nullable(entry), v.getDescription(entry) ?? '');

/** What a change of a record may hold (RFC 7396): any member of its body, null for one that is to go, and a move. */
export function toChangeSchema(kind: Kind) {
  const entries = Object.entries(toChangeable(kind)).map(([name, entry]) => [
    name,
    isOptional(entry as MemberSchema)
      ? toNullable((entry as MemberSchema).wrapped!)
      : v.optional(entry as MemberSchema),
  ]);
  const members = Object.fromEntries(entries) as v.ObjectEntries;
  if (kind.moves.length === 0) return v.object(members);
  const schema = v.object({
    ...members,
    status: mayNamed(
      v.union([v.picklist(kind.moves.map(({ to }) => to)), v.string('must be a string')], 'must be a string'),
      'Status',
      `The status to move to: ${toMovesText(kind)}.`,
    ),
    reason: v.optional(textSchema(200, 'Reason', 'Why it moves; kept in `transitions`.')),
  });
  return withRules(schema, { dependentRequired: { reason: ['status'], ...kind.moving?.needs.change } });
}

export function toMovesText({ moves }: Kind): string {
  if (moves.length === 0) return 'none';
  const byFrom = Map.groupBy(moves, ({ from }) => from.join(' or '));
  return [...byFrom].map(([from, to]) => `${to.map((one) => one.to).join(' or ')} from ${from}`).join('; ');
}

/** An issue where a ref could be taken for the id of another record. */
export function checkRef({ prefix }: Kind, ref: unknown): Issue[] {
  if (typeof ref !== 'string' || !ref.startsWith(prefix)) return [];
  return [{ path: 'ref', message: `must not begin with ${prefix}, as ids do` }];
}

/** What is wrong in a change that no schema tells: a required member that is null, one that is not the caller's. */
export function checkChange(kind: Kind, args: Patch): Issue[] {
  const body = toChangeable(kind);
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  for (const [path, entry] of Object.entries(body)) {
    if (args[path] === null && !isOptional(entry as MemberSchema))
      add(path, 'is required, so it cannot be null; leave it out to keep it');
  }
  issues.push(...checkRef(kind, args.ref));
  if (args.reason !== undefined && args.status === undefined)
    add('reason', 'goes with a move; send status with it');
  for (const path of Object.keys(kind.record.entries)) {
    if (path in args && path !== 'status' && !(path in body))
      add(path, 'is given by the service and cannot be changed; leave it out');
  }
  return issues;
}

/** The fact with the members of a merge patch (RFC 7396). */
function merge(fact: StoredRecord, patch: Patch): StoredRecord {
  const members = Object.entries({ ...fact, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(members) as StoredRecord;
}

interface Move {
  to: string;
  reason?: string | undefined;
  by?: 'shortlist';
}

/** The fact after a move, if that is legal; its reason is kept with it, and the link that asked for it. */
export function move(kind: Kind, fact: StoredRecord, from: string, sent: Move, now: number): StoredRecord {
  const { to, reason = fact.endReason ?? fact.declineReason, by } = sent;
  const legal = kind.moves.filter((one) => one.from.includes(from)).map((one) => one.to);
  if (!legal.includes(to)) {
    const none = `no move is legal now. ${kind.stuck?.[from] ?? ''}`.trim();
    const message = legal.length > 0 ? `legal now: ${legal.join(', ')}` : none;
    throw new Refusal('illegal_transition', {
      reason: `The ${kind.noun} is ${from}; ${message}`,
      issues: [{ path: 'status', message }],
    });
  }
  const { asked: _, ...rest } = fact;
  const made = { at: now, from, to, ...(reason !== undefined && { reason }), ...(by && { by }) };
  const transitions = [...(fact.transitions ?? []), made].slice(-mostTransitions);
  return { ...rest, transitions, ...(kind.kept.includes(to) && { asked: to }) } as StoredRecord;
}

const toRecordTag = (row: PresentedRecord) => toEntityTag(JSON.stringify(row));

/** The 404 of a record that is not in view; an id of another kind is answered with what to call for that. */
export function toNoRecord(kind: Kind, id: string, { operation, service }: Context): Outcome {
  const { noun, path } = kind;
  const other = toKindOfId(id);
  const there = other && other !== kind ? operation.path.replace(path, other.path) : undefined;
  const row = service.operations.find((one) => one.path === there && one.method === operation.method);
  const way = row ? ` Use ${row.operationId}, ${row.method} ${row.path}, for that.` : '';
  const message = there
    ? `${toExcerpt(id)} is the id of a ${other!.noun}, and here belongs that of a ${noun}.${way}`
    : `No ${noun} has this id in view. See ${path} for those there are; one that you made needs X-Workspace (or the argument workspace).`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
}

export function refuseSeedRecord(service: Service, id: string | undefined): void {
  if (id !== undefined && service.seed.byId.has(id)) throw new Refusal('read_only');
}

/** Refuses a change whose caller has read another version of the record (RFC 9110 section 13.1.1). */
function checkVersion({ record }: Entry, row: PresentedRecord, { options }: Context): void {
  const isOther = options.revision !== undefined && options.revision !== (record.revision ?? 1);
  if (isOther) throw new Refusal('changed');
  refuseOtherVersion(options.ifMatch, toRecordTag(row));
}

/** What one change of a record needs beside its decision. */
type More = Pick<Plan, 'id' | 'salt' | 'fill'>;

/** Changes one record of a workspace. `decide` gets it as it is stored, and as it reads. */
export async function changeOne(
  kind: Kind,
  id: string,
  context: Context,
  decide: (was: Entry, row: PresentedRecord, moment: Moment) => Decision,
  more: More = {},
): Promise<Outcome> {
  refuseSeedRecord(context.service, id);
  const plan: Plan = {
    id,
    ...more,
    decide(moment) {
      const was = moment.view.findOwn(kind.name, id);
      if (!was) return { outcome: toNoRecord(kind, id, context), isUnchanged: true };
      const row = present(kind, was.record, moment.view, toDay(moment.now));
      checkVersion(was, row, context);
      return decide(was, row, moment);
    },
  };
  return write(plan, context);
}

export const toNext = (record: StoredRecord, { record: before }: Entry, now: number): StoredRecord => ({
  ...record,
  updatedAt: now,
  revision: (before.revision ?? 1) + 1,
});

/** Puts `record` in the place of another: returns the reply 200, and what the record then disagrees with. */
export function replace(
  kind: Kind,
  was: Entry,
  record: StoredRecord,
  { now, view, service }: Moment,
  amend?: Kind['amend'],
): { outcome: Outcome; warnings: Warning[] } {
  const next = toNext(record, was, now);
  const warnings = kind.warn?.(next, view, service) ?? [];
  Object.assign(next, amend?.(was.record, next, view));
  view.put(kind.name, next, was);
  const row = present(kind, next, view, toDay(now));
  const headers = { ETag: toRecordTag(row) };
  return { outcome: { status: 200, headers, body: { type: 'OK', [kind.name]: row } }, warnings };
}

/** Applies a merge patch to one record. Replies with the changed record. */
export function update(kind: Kind, id: string, patch: Patch, context: Context): Promise<Outcome> {
  const { status, reason, ...members } = patch as { status?: string; reason?: string };
  return changeOne(kind, id, context, (was, row, moment) => {
    const { now, view } = moment;
    refuseKnownRef(kind, patch.ref, view, { id });
    const merged = merge(was.record, members);
    const next = status === undefined ? merged : move(kind, merged, row.status, { to: status, reason }, now);
    const { issues, warnings } = checkRecord(kind, next, patch, view, toDay(now), context);
    if (issues.length > 0) throw new Refusal('invalid_request', { issues });
    const changed = replace(kind, was, next, moment, kind.amend);
    const concerns = createConcerns(kind, was.record, next, status !== undefined);
    return { ...changed, warnings: [...warnings, ...changed.warnings.filter(concerns)] };
  });
}

/** Returns which warnings a change is answered with: those of what it changes. */
function createConcerns(kind: Kind, before: StoredRecord, after: StoredRecord, isMove: boolean) {
  const isOther = (path: string) => {
    const [member = ''] = path.split('[');
    return before[member] !== after[member];
  };
  const isMoved = ['onetCode', ...Object.keys(kind.references)].some(isOther);
  // A move that begins to hold others is checked as a new record is.
  const begins = isMove && kind.hold(after) !== '' && kind.hold(after) !== kind.hold(before);
  return ({ path }: Warning) => begins || (path === 'onetCode' ? isMoved : isOther(path));
}

export function remove(kind: Kind, id: string, context: Context): Promise<Outcome> {
  return changeOne(kind, id, context, (was, _, { view }) => {
    view.remove(was);
    const outcome = { status: 200, body: { type: 'OK', deleted: id } };
    return { outcome, removedTokens: kind.tokens?.(was.record) ?? [] };
  });
}
