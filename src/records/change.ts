import * as v from 'valibot';
import type { Issue, Warning } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { textSchema, toDay } from '../kernel/text.ts';
import { changeOne, replace } from './change-one.ts';
import { checkPeriod, type Kind, mostTransitions, Ref } from './kind.ts';
import { type StoredRecord, toRefName } from './record.ts';
import { isRefused, refuseKnownRef, resolveReferences, toReferenceNames } from './references.ts';
import { toOccupied } from './view.ts';

type Entry = v.GenericSchema & { type: string; wrapped?: v.GenericSchema };
type Patch = Readonly<Record<string, unknown>>;

const isOptional = (entry: Entry) => entry.type === 'optional';

/** The members of a kind that a caller may change. */
const toChangeable = (kind: Kind) => ({
  ...kind.body.entries,
  ref: v.optional(Ref),
  ...kind.moving?.entries,
});

/** An optional member, which null takes away. */
const toNullable = (entry: v.GenericSchema) =>
  v.optional(v.pipe(v.nullable(entry), v.description(v.getDescription(entry) ?? '')));

/** What a change of a record may hold (RFC 7396): any member of its body, null for one that is to go, and a move. */
export function toChangeSchema(kind: Kind) {
  const entries = Object.entries(toChangeable(kind)).map(([name, entry]) => [
    name,
    isOptional(entry as Entry) ? toNullable((entry as Entry).wrapped!) : v.optional(entry as Entry),
  ]);
  const members = Object.fromEntries(entries) as v.ObjectEntries;
  if (kind.moves.length === 0) return v.object(members);
  return v.object({
    ...members,
    status: v.optional(
      v.pipe(
        v.union(
          [v.picklist(kind.moves.map(({ to }) => to)), v.string('must be a string')],
          'must be a string',
        ),
        v.title('Status'),
        v.description(`The status to move to: ${toMovesText(kind)}.`),
      ),
    ),
    reason: v.optional(textSchema(200, 'Reason', 'Why it moves; kept in `transitions`.')),
  });
}

/** The legal moves of a kind in words. */
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

/** What is amiss in a change that no schema tells: a required member that is null, one that is not the caller's. */
export function checkChange(kind: Kind, args: Patch): Issue[] {
  const body = toChangeable(kind);
  const required = Object.entries(body).filter(
    ([name, entry]) => args[name] === null && !isOptional(entry as Entry),
  );
  const refs = checkRef(kind, args.ref);
  const isStray = args.reason !== undefined && args.status === undefined;
  const stray = { path: 'reason', message: 'goes with a move; send status with it' };
  const { entries } = kind.record as unknown as { entries: object };
  const given = Object.keys(entries).filter((name) => name in args && name !== 'status' && !(name in body));
  return [
    ...required.map(([path]) => ({
      path,
      message: 'is required, so it cannot be null; leave it out to keep it',
    })),
    ...refs,
    ...(isStray ? [stray] : []),
    ...given.map((path) => ({
      path,
      message: 'is given by the service and cannot be changed; leave it out',
    })),
  ];
}

/** The fact with the members of a merge patch (RFC 7396). */
function merge(fact: StoredRecord, patch: Patch): StoredRecord {
  const members = Object.entries({ ...fact, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(members) as StoredRecord;
}

/** The fact after the move to `to`, if that is legal; its reason is kept with it, and the link that asked for it. */
export function move(
  kind: Kind,
  fact: StoredRecord,
  from: string,
  {
    to,
    reason = (fact.endReason ?? fact.declineReason) as string | undefined,
    by,
  }: { to: string; reason?: string | undefined; by?: 'shortlist' },
  now: number,
): StoredRecord {
  const legal = kind.moves.filter((one) => one.from.includes(from)).map((one) => one.to);
  if (!legal.includes(to)) {
    const next =
      legal.length > 0
        ? `legal now: ${legal.join(', ')}`
        : `no move is legal now. ${kind.stuck?.[from] ?? ''}`;
    const why = `The ${kind.noun} is ${from}; ${next.trim()}`;
    throw new Refusal('illegal_transition', {
      reason: why,
      issues: [{ path: 'status', message: next.trim() }],
    });
  }
  const { asked: _, ...rest } = fact;
  const said = { ...(reason !== undefined && { reason }), ...(by && { by }) };
  const moves = [...(fact.transitions ?? []), { at: now, from, to, ...said }];
  const asked = kind.kept.includes(to) && { asked: to };
  return { ...rest, transitions: moves.slice(-mostTransitions), ...asked } as StoredRecord;
}

/** Changes one record as a merge patch says, and answers it as it then reads. */
export function update(kind: Kind, id: string, patch: Patch, context: Context): Promise<Outcome> {
  const { status, reason, ...members } = patch;
  const refName = typeof patch.ref === 'string' ? [toRefName(kind.name, patch.ref)] : [];
  const needs = [...refName, ...toReferenceNames(kind, patch)];
  return changeOne(kind, id, context, needs, (was, row, moment) => {
    const { now, near } = moment;
    const today = toDay(now);
    refuseKnownRef(kind, patch.ref, near, { was });
    const merged = merge(was.fact, members);
    const moved =
      status === undefined
        ? merged
        : move(kind, merged, row.status, { to: status as string, reason: reason as string | undefined }, now);
    const next = { ...moved };
    const { members: resolved, missing } = resolveReferences(kind, next, near, context);
    for (const [member, id] of Object.entries(resolved)) if (member in patch) next[member] = id;
    const touchesEnding = ['status', 'startDate', ...Object.keys(kind.moving?.entries ?? {})].some(
      (name) => name in patch,
    );
    const unresolved = missing.filter(({ path }) => path in patch);
    const issues = [
      ...((touchesEnding && kind.moving?.check(next, today)) || []),
      ...checkPeriod(kind, next),
      ...unresolved.filter((one) => isRefused(one, context)).map(({ why: _, ...one }) => one),
    ];
    if (issues.length > 0) throw new Refusal('invalid_request', { issues });
    const isOther = (path: string) => {
      const [member = ''] = path.split('[');
      return was.fact[member] !== next[member];
    };
    const others = ['onetCode', ...Object.keys(kind.references)].filter(isOther);
    const concerns = ({ path }: Warning) => (path === 'onetCode' ? others.length > 0 : isOther(path));
    const changed = replace(kind, was, next, moment, kind.amend);
    // A move that begins to hold others is looked at as a new one is.
    const begins =
      status !== undefined &&
      toOccupied(kind, next).some((name) => !toOccupied(kind, was.fact).includes(name));
    const disagreeing = begins ? changed.warnings : changed.warnings.filter(concerns);
    return { ...changed, warnings: [...unresolved.map(({ why: _, ...one }) => one), ...disagreeing] };
  });
}

/** Erases one record. What referred to it stays; its link becomes null. */
export function remove(kind: Kind, id: string, context: Context): Promise<Outcome> {
  return changeOne(kind, id, context, [], (was, _, { near }) => {
    for (const held of toOccupied(kind, was.fact)) near.occupy(held, -1);
    const outcome = { status: 200, body: { type: 'OK', deleted: id } };
    const unpoints = kind.pointers?.(was.fact) ?? [];
    return { writing: { removes: [was], occupies: near.occupies, unpoints }, outcome };
  });
}
