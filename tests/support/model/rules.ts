import type { Body } from '../http.ts';
import {
  derived,
  endingMembers,
  type KindName,
  kindNames,
  kindOf,
  membersOf,
  openStages,
} from './members.ts';
import { countHolders, lookUp, nowOf, type Rec, toDay, type World } from './world.ts';

/** What a change comes to: why it is refused, any one of which may be told, or what it warns of. */
export interface Verdict {
  refusals: Set<string>;
  warnings: { code: string; path: string }[];
}

/** A record that is to be made. */
export interface Draft {
  kind: KindName;
  body: Body;
  /** What stands before a member where a place is told. */
  at: string;
}

/** The names in a body that its operation does not have. */
export function toUnknown(kind: KindName, body: Body, more: readonly string[] = []): string[] {
  const known = [...Object.keys(membersOf[kind]), ...more];
  return Object.keys(body).filter((name) => !known.includes(name));
}

/** Whether every member that is sent is right, and every one that has to be sent is. */
export function isRight(kind: KindName, body: Body, isChange: boolean, takesEnding: boolean): boolean {
  const members = { ...membersOf[kind], ...(takesEnding && kind === 'placement' && endingMembers) };
  return Object.entries(members).every(([name, member]) => {
    const value = body[name];
    if (value === undefined) return isChange || member.isOptional === true;
    return isChange && value === null ? member.isOptional === true : member.isRight(value);
  });
}

/** The id that a reference means among these records; itself where it is none of theirs. */
export function resolve(records: readonly Rec[], kind: KindName, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return reference;
  const named = records.find((one) => one.kind === kind && one.ref === reference.slice(1));
  return named?.id ?? reference;
}

/** Whether what is said of an early end is not as it has to be. */
export function isWrongEnd({ asked, members }: Rec, today: string): boolean {
  const { endDate, endReason, startDate, declineReason } = members as Record<string, string | undefined>;
  if (declineReason !== undefined && asked !== 'declined') return true;
  if (asked !== 'ended-early') return endDate !== undefined || endReason !== undefined;
  if (endDate === undefined || endReason === undefined || endDate > today) return true;
  return startDate !== undefined && startDate <= today && endDate < startDate;
}

/** Whether the end that a record plans is before its start. */
export function isWrongPeriod({ kind, members }: Rec): boolean {
  const { startDate, endDate, plannedEndDate } = members as Record<string, string | undefined>;
  const end = kind === 'jobOrder' ? endDate : kind === 'placement' ? plannedEndDate : undefined;
  return startDate !== undefined && end !== undefined && end < startDate;
}

/** What shows each must-have that is drawn, among the credentials and skills that are. */
export const shows: Record<string, string> = {
  'RN license - PA': 'Pennsylvania RN licence',
  'CDL A': 'Class A CDL',
  'wound care': 'Wound Care',
};

/** Whether a must-have is shown by a credential or skill: the one drawn for it, or one that has all its words. */
export const isShown = (phrase: string, one: string) =>
  one === shows[phrase] || phrase.split(' ').every((word) => one.split(' ').includes(word));

/** What an order must have, and its candidate does not. */
function toUnmet(person: Record<string, unknown>, order: Record<string, unknown>, start: unknown): string[] {
  const list = (of: Record<string, unknown>, name: string) => (of[name] ?? []) as string[];
  const has = [...list(person, 'credentials'), ...list(person, 'skills')];
  const missing = list(order, 'requires').filter((phrase) => !has.some((one) => isShown(phrase, one)));
  const shifts = list(person, 'shifts');
  const starts = (start ?? order.startDate) as string | undefined;
  return [
    ...missing.map(() => 'requirement_unmet'),
    ...(starts !== undefined && (person.availableFrom as string) > starts ? ['not_available'] : []),
    ...(order.shift && shifts.length > 0 && !shifts.includes(order.shift as string) ? ['wrong_shift'] : []),
  ];
}

/** Whether a record holds its candidate and an opening: it is accepted, and has not ended. */
export const isHolding = ({ kind, asked }: Rec) => kind === 'placement' && !asked;
const isOpen = ({ asked }: Rec) => openStages.includes(asked ?? '');

/** Whether a reference is the id of a record of another kind. */
export const isOfOtherKind = (kind: KindName, reference: unknown): boolean =>
  kindNames.some((other) => other !== kind && String(reference).startsWith(kindOf[other].prefix));

/** What a placement disagrees with among these records. */
export function toConflicts(world: World, records: readonly Rec[], rec: Rec): Verdict['warnings'] {
  const { candidateId, jobOrderId, onetCode } = rec.members;
  const person = lookUp(world, records, 'candidate', candidateId);
  const order = lookUp(world, records, 'jobOrder', jobOrderId);
  const others = records.filter((one) => one !== rec);
  const asks = (kind: KindName, id: unknown) =>
    records.some((one) => one.kind === kind && one.id === id && one.asked);
  const unmet = person && order ? toUnmet(person.members, order.members, rec.members.startDate) : [];
  const isGated = isOpen(rec) || isHolding(rec);
  const isAgain = others.some(
    (one) => isOpen(one) && one.members.candidateId === candidateId && one.members.jobOrderId === jobOrderId,
  );
  const isCounted = /^(cand|job)_/.test(String(jobOrderId));
  const codes = [person, order].flatMap((one) => (one ? [one.code] : []));
  const warnings: [boolean, string, string][] = [
    [!person, 'unresolved_reference', 'candidateId'],
    [!order, 'unresolved_reference', 'jobOrderId'],
    [
      !rec.asked && !!person && countHolders(world, others, 'candidate', candidateId) > 0,
      'already_placed',
      'candidateId',
    ],
    [!rec.asked && asks('candidate', candidateId), 'withdrawn', 'candidateId'],
    [
      !rec.asked && !!order && countHolders(world, others, 'jobOrder', jobOrderId) >= order.openings,
      'already_filled',
      'jobOrderId',
    ],
    [!rec.asked && asks('jobOrder', jobOrderId), 'closed', 'jobOrderId'],
    [!rec.asked && codes.length > 0 && !codes.includes(onetCode), 'code_mismatch', 'onetCode'],
    ...unmet.map((code): [boolean, string, string] => [isGated, code, 'candidateId']),
    [isOpen(rec) && isAgain && isCounted, 'already_proposed', 'candidateId'],
  ];
  return warnings.flatMap(([is, code, path]) => (is ? [{ code, path }] : []));
}

function toRec(world: World, { kind, body }: Draft, index: number): Rec {
  const now = nowOf(world);
  const names = Object.keys({ ...membersOf[kind], ...(kind === 'placement' && endingMembers) });
  const { ref, ...members } = Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
  const asked = kindOf[kind].kept.includes(body.status) ? { asked: body.status } : {};
  const sent: Body[] = (kind === 'placement' && body.transitions) || [];
  const transitions = sent.map(({ by: _, ...one }) => ({
    ...one,
    at: Date.parse(one.at),
  })) as Rec['transitions'];
  const life = { createdAt: now, updatedAt: now, revision: 1, transitions };
  return { kind, id: `new:${index}`, ...(ref !== undefined && { ref }), members, ...asked, ...life };
}

/** How records are made: one, a batch of them, or those of an export, which warns of nothing. */
export type Manner = 'one' | 'batch' | 'export';

/** What is made of drafts among records that are there, in one step. */
export function draw(world: World, records: readonly Rec[], drafts: readonly Draft[], manner: Manner) {
  const isBatch = manner !== 'one';
  const today = toDay(nowOf(world));
  const verdict: Verdict = { refusals: new Set(), warnings: [] };
  const { refusals, warnings } = verdict;
  const recs = drafts.map((draft, index) => toRec(world, draft, index));
  const isSame = (one: Rec, other: Rec) => one.kind === other.kind && one.ref === other.ref;
  for (const [index, rec] of recs.entries()) {
    const { kind, body, at } = drafts[index]!;
    const isStatus = body.status === undefined || kindOf[kind].statuses.includes(body.status);
    if (!isRight(kind, body, false, isBatch)) refusals.add('400 invalid_request');
    const isBorn = kind !== 'placement' || body.status === undefined || body.status === 'proposed';
    if (isBatch ? !isStatus : !isBorn) refusals.add('400 invalid_request');
    const ofOne = kind === 'placement' ? ['status'] : [];
    const more = isBatch ? [...derived, 'status', 'outcome', ...Object.keys(endingMembers)] : ofOne;
    warnings.push(...toUnknown(kind, body, more).map((name) => ({ code: 'unknown_name', path: at + name })));
    const given = manner === 'batch' ? Object.keys(body).filter((name) => derived.includes(name)) : [];
    warnings.push(...given.map((name) => ({ code: 'not_taken', path: at + name })));
    if (isWrongPeriod(rec)) refusals.add('400 invalid_request');
    if (rec.ref === undefined) continue;
    if (records.some((one) => isSame(one, rec))) refusals.add('409 duplicate_ref');
    if (recs.slice(0, index).some((one) => isSame(one, rec))) refusals.add('400 invalid_request');
  }
  const all = [...records, ...recs.filter(({ kind }) => kind !== 'placement')];
  for (const [index, rec] of recs.entries()) {
    if (rec.kind !== 'placement') continue;
    const { at } = drafts[index]!;
    for (const kind of ['candidate', 'jobOrder'] as const) {
      const member = `${kind}Id`;
      rec.members[member] = resolve(all, kind, rec.members[member]);
      const isWrong = isOfOtherKind(kind, rec.members[member]);
      if (isWrong && manner !== 'export') refusals.add('400 invalid_request');
      if (isBatch && String(rec.members[member]).startsWith('#')) refusals.add('400 invalid_request');
    }
    // What ended before it was to begin, and is brought back after that day, still did.
    const ended = manner === 'export' ? String(rec.members.endDate ?? today) : today;
    if (isWrongEnd(rec, ended < today ? ended : today)) refusals.add('400 invalid_request');
    warnings.push(...toConflicts(world, all, rec).map(({ code, path }) => ({ code, path: at + path })));
    all.push(rec);
  }
  if (manner === 'export') warnings.length = 0;
  return { verdict, recs };
}
