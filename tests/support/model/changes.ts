import type { Body } from '../http.ts';
import { derived, endingMembers, type KindName, kindOf } from './members.ts';
import {
  isHolding,
  isOfOtherKind,
  isRight,
  isWrongEnd,
  isWrongPeriod,
  resolve,
  toConflicts,
  toUnknown,
  type Verdict,
} from './rules.ts';
import { nowOf, type Rec, type Space, toDay, toRow, type World } from './world.ts';

function move(rec: Rec, from: string, to: string, now: number): Rec {
  const reason = (rec.members.endReason ?? rec.members.declineReason) as string | undefined;
  const { asked: _, ...rest } = rec;
  return {
    ...rest,
    ...(kindOf[rec.kind].kept.includes(to) && { asked: to }),
    transitions: [...rec.transitions, { at: now, from, to, ...(reason !== undefined && { reason }) }],
  };
}

/** The moves that are legal from a status. */
export const toLegal = (kind: KindName, from: string): string[] =>
  Object.entries(kindOf[kind].moves).flatMap(([to, froms]) => (froms.includes(from) ? [to] : []));

/** What a merge patch makes of a record, and what becomes of it. */
export function redraw(world: World, { records }: Space, rec: Rec, body: Body) {
  const verdict: Verdict = { refusals: new Set(), warnings: [] };
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
