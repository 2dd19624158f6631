import * as assert from 'uvu/assert';
import type { Told } from '../core.ts';
import type { Body } from '../http.ts';
import { derived, endingMembers, kindNames, kindOf, toLegal } from './members.ts';
import {
  type Draft,
  draw,
  isHolding,
  isOfOtherKind,
  isRight,
  isWrongEnd,
  isWrongPeriod,
  type Manner,
  resolve,
  toConflicts,
  toUnknown,
  type Verdict,
} from './rules.ts';
import type { Change } from './send.ts';
import { hold, recordCeiling, retentionSeconds } from './subject.ts';
import { nowOf, type Rec, type Space, toDay, toRow, type World } from './world.ts';

/** What a change has to come to: its verdict and, where it is made, what the model then is. */
interface Effect {
  verdict: Verdict;
  /** Holds the reply to what it has to tell, changes the model, and answers the workspace. */
  apply(reply: Told, what: string): Space;
}

const none = (): Verdict => ({ refusals: new Set(), warnings: [] });

function toDrafts({ op, kind, body }: Change): Draft[] {
  if (op === 'create') return [{ kind: kind!, body, at: '' }];
  return kindNames.flatMap((of) => {
    const { collection } = kindOf[of];
    const items: Body[] = body[collection] ?? [];
    return items.map((item, index) => ({ kind: of, body: item, at: `${collection}[${index}].` }));
  });
}

/** Gives what was made the ids that a reply says. */
function name(recs: readonly Rec[], rows: readonly Body[]): void {
  const ids = new Map(recs.map(({ id }, index) => [id, rows[index]!.id as string]));
  for (const rec of recs) {
    rec.id = ids.get(rec.id)!;
    for (const [member, value] of Object.entries(rec.members)) {
      if (ids.has(value as string)) rec.members[member] = ids.get(value as string);
    }
  }
}

const toManner = ({ op, body }: Change): Manner =>
  op === 'create' ? 'one' : typeof body.exportedAt === 'string' ? 'export' : 'batch';

function make(world: World, change: Change): Effect {
  const { op, space } = change;
  const now = nowOf(world);
  const records = space?.records ?? [];
  const { verdict, recs } = draw(world, records, toDrafts(change), toManner(change));
  const { refusals } = verdict;
  if (recs.length === 0) refusals.add('400 invalid_request');
  if (records.length + recs.length > recordCeiling) refusals.add('402 offer-record-ceiling');
  return {
    verdict,
    apply({ status, body, headers }, what) {
      assert.is(status, 201, what);
      const one = change.kind ?? 'candidate';
      const rows: Body[] =
        op === 'create' ? [body[one]] : kindNames.flatMap((kind) => body[kindOf[kind].collection] ?? []);
      assert.is(rows.length, recs.length, what);
      name(recs, rows);
      const fresh = { createdAt: now, expiresAt: 0, isErased: false, records: [], kept: new Map() };
      const made: Space = space ?? { id: body.workspace, ...fresh };
      if (!space) world.spaces.push(made);
      made.records.push(...recs);
      hold(
        rows,
        recs.map((rec) => toRow(world, made.records, rec)),
        what,
      );
      const expiresAt = Math.max(made.expiresAt, now + retentionSeconds * 1000);
      hold([body.workspace, headers['X-Workspace']], [made.id, made.id], what);
      assert.is(body.retention.expiresAt, new Date(expiresAt).toISOString(), what);
      if (op === 'create') assert.is(headers.Location, rows[0].links.self, what);
      return made;
    },
  };
}

/** The record that a change is of; its verdict where that is not to be changed. */
function find(world: World, { kind, id, ifMatch, space }: Change, tag: string | undefined) {
  const verdict = none();
  const rec = space!.records.find((one) => one.kind === kind && one.id === id);
  if (kindNames.some((of) => world.seed[of].some((row) => row.id === id))) {
    verdict.refusals.add('403 read_only');
  } else if (!rec) verdict.refusals.add('404 EMPTY');
  else if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== tag) verdict.refusals.add('412 changed');
  return { verdict, rec };
}

function move(rec: Rec, from: string, to: string, now: number): Rec {
  const reason = (rec.members.endReason ?? rec.members.declineReason) as string | undefined;
  const { asked: _, ...rest } = rec;
  return {
    ...rest,
    ...(kindOf[rec.kind].kept.includes(to) && { asked: to }),
    transitions: [...rec.transitions, { at: now, from, to, ...(reason !== undefined && { reason }) }],
  };
}

/** What a merge patch makes of a record, and what becomes of it. */
function redraw(world: World, { records }: Space, rec: Rec, body: Body) {
  const verdict = none();
  const { refusals, warnings } = verdict;
  const now = nowOf(world);
  const { kind } = rec;
  const isPlacement = kind === 'placement';
  const more = ['status', ...(isPlacement ? Object.keys(endingMembers) : [])];
  const unknown = toUnknown(kind, body, more);
  const own = [...derived, ...(isPlacement ? ['outcome'] : [])];
  if (unknown.some((name) => own.includes(name))) refusals.add('400 invalid_request');
  warnings.push(...unknown.map((name) => ({ code: 'unknown_name', path: name })));
  if (!isRight(kind, body, true, true)) refusals.add('400 invalid_request');
  const { status: to, ...rest } = body;
  const members = Object.entries(rest).filter(([name]) => !unknown.includes(name));
  const merged = Object.fromEntries(
    Object.entries({ ...rec.members, ref: rec.ref, ...Object.fromEntries(members) }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );
  const { ref, ...kept } = merged as { ref?: string } & Record<string, unknown>;
  const { ref: _, ...before } = rec;
  let next: Rec = {
    ...before,
    ...(ref !== undefined && { ref }),
    members: kept,
    updatedAt: now,
    revision: rec.revision + 1,
  };
  const isTaken = (one: Rec) => one !== rec && one.kind === kind && one.ref === ref;
  if (ref !== undefined && records.some(isTaken)) refusals.add('409 duplicate_ref');
  if (to !== undefined) {
    const from = toRow(world, records, rec).status;
    if (!toLegal(kind, from).includes(to)) refusals.add('409 illegal_transition');
    next = move(next, from, to, now);
  }
  if (isWrongPeriod(next)) refusals.add('400 invalid_request');
  if (isPlacement) {
    const others = records.map((one) => (one === rec ? next : one));
    for (const other of ['candidate', 'jobOrder'] as const) {
      const member = `${other}Id`;
      if (!(member in body)) continue;
      next.members[member] = resolve(others, other, next.members[member]);
      if (isOfOtherKind(other, next.members[member])) refusals.add('400 invalid_request');
    }
    const isEnding = ['status', 'startDate', ...Object.keys(endingMembers)].some((name) => name in body);
    if (isEnding && isWrongEnd(next, toDay(now))) refusals.add('400 invalid_request');
    const isOther = (name: string) => rec.members[name] !== next.members[name];
    const isAnyOther = ['candidateId', 'jobOrderId', 'onetCode'].some(isOther);
    const isAccepting = to !== undefined && isHolding(next) && !isHolding(rec);
    const isTold = ({ code, path }: Verdict['warnings'][number]) => {
      if (code === 'unresolved_reference') return path in body;
      if (isAccepting) return true;
      return code === 'code_mismatch' ? isAnyOther : isOther(path);
    };
    warnings.push(...toConflicts(world, others, next).filter(isTold));
  }
  return { verdict, next };
}

function update(world: World, change: Change, tag: string | undefined): Effect {
  const { kind, body, space } = change;
  const { verdict, rec } = find(world, change, tag);
  if (!rec) {
    // What is amiss in the body alone may be told as well.
    verdict.refusals.add('400 invalid_request');
    return { verdict, apply: () => assert.unreachable() as never };
  }
  const before = toRow(world, space!.records, rec).status;
  const { verdict: more, next } = redraw(world, space!, rec, body);
  for (const refusal of more.refusals) verdict.refusals.add(refusal);
  verdict.warnings.push(...more.warnings);
  return {
    verdict,
    apply({ status, body: said }, what) {
      assert.is(status, 200, what);
      if (body.status !== undefined) assert.ok(toLegal(kind!, before).includes(body.status), what);
      space!.records[space!.records.indexOf(rec)] = next;
      hold(said[kind!], toRow(world, space!.records, next), what);
      return space!;
    },
  };
}

function remove(world: World, change: Change, tag: string | undefined): Effect {
  const { space, id } = change;
  const { verdict, rec } = find(world, change, tag);
  return {
    verdict,
    apply({ status, body }, what) {
      hold([status, body], [200, { type: 'OK', deleted: id }], what);
      space!.records = space!.records.filter((one) => one !== rec);
      world.gone.push(id!);
      return space!;
    },
  };
}

function erase(_: World, { space }: Change): Effect {
  const count = (kind: string) => space!.records.filter((one) => one.kind === kind).length;
  return {
    verdict: none(),
    apply({ status, body }, what) {
      const deleted = Object.fromEntries(kindNames.map((kind) => [kindOf[kind].collection, count(kind)]));
      hold([status, body], [200, { type: 'OK', deleted }], what);
      space!.isErased = true;
      return space!;
    },
  };
}

/** What each change does; `tag` is the entity tag that its record has. */
export const effects: Record<Change['op'], (world: World, change: Change, tag?: string) => Effect> = {
  create: make,
  batch: make,
  update,
  remove,
  erase,
};
