import { createEntityTag, refuseOtherVersion } from '../kernel/entity-tag.ts';
import { cutExcerpt, type Warning } from '../kernel/envelope.ts';
import type { Operation, OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toIsoDate } from '../kernel/text.ts';
import { compose, formatWording } from '../kernel/wording.ts';
import type { Entry, StoredRecord } from '../workspace/record.ts';
import { checkRecord, createListPart, refuseKnownRef } from './check-record.ts';
import { type Kind, mostTransitions, type RecordChange } from './kind.ts';
import { findKindById } from './kind-list.ts';
import type { PresentedRecord } from './record.ts';
import type { Context, RecordService } from './service.ts';
import { presentRecord } from './view.ts';
import { type WriteContext, type WriteDecision, type WriteRequest, writeChange } from './write.ts';

type Patch = Readonly<Record<string, unknown>>;

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

/** A record that moves on from its status. */
interface MovingRecord extends Pick<WriteContext, 'view' | 'now'> {
  record: StoredRecord;
  from: string;
}

/** Throws the Refusal `illegal_transition` if no move of the kind leads to a status. */
function refuseIllegal(
  { noun, lifecycle }: Kind,
  to: string,
  { record, from, view, now }: MovingRecord,
): void {
  const today = toIsoDate(now);
  const legal = lifecycle.moves
    .filter((one) => one.from.includes(from) && (one.isLegal?.(record, from, view, today) ?? true))
    .map((one) => one.to);
  if (legal.includes(to)) return;
  const none = `no move is legal now. ${lifecycle.hints?.[from] ?? ''}`.trim();
  const message = legal.length > 0 ? `legal now: ${legal.join(', ')}` : none;
  throw new Refusal('illegal_transition', {
    reason: `The ${noun} is ${from}; ${message}`,
    issues: [{ path: 'status', message }],
  });
}

/** Returns a record with a move: its reason is kept, and the link that asked for it. */
function recordMove({ lifecycle }: Kind, { record, from, now: at }: MovingRecord, move: Move): StoredRecord {
  const { stored, details } = lifecycle;
  const sent = details?.reasons.map((member) => record[member]).find((one) => one !== undefined);
  const { to, reason = sent, by } = move;
  const { asked: _, ...rest } = record;
  const transition = { at, from, to, ...(reason !== undefined && { reason }), ...(by && { by }) };
  const transitions = [...(record.transitions ?? []), transition].slice(-mostTransitions);
  return { ...rest, transitions, ...(stored.includes(to) && { asked: to }) } as StoredRecord;
}

/** Returns a record after a move. Throws the Refusal `illegal_transition` if the move is not legal. */
export function move(kind: Kind, moving: MovingRecord, sent: Move): StoredRecord {
  refuseIllegal(kind, sent.to, moving);
  return recordMove(kind, moving, sent);
}

const tagRecord = (row: PresentedRecord) => createEntityTag(JSON.stringify(row));

const workspaceOfRecord = { http: 'X-Workspace (or the argument workspace)', argument: 'workspace' };

const createRowPart = ({ operationId, method, path }: Operation) => ({
  http: `${operationId}, ${method} ${path},`,
  operation: operationId,
});

/** The 404 of a record that is not in view; an id of another kind is answered with what to call for that. */
export function replyNoRecord(kind: Kind, id: string, { operation, service }: Context): OperationReply {
  const { noun, path } = kind;
  const other = findKindById(service.kinds, id);
  const there = other && other !== kind ? operation.path.replace(path, other.path) : undefined;
  const row = service.operations.find((one) => one.path === there && one.method === operation.method);
  const way = row ? compose` Use ${createRowPart(row)} for that.` : '';
  const message = there
    ? compose`${cutExcerpt(id)} is the id of a ${other!.noun}, and here belongs that of a ${noun}.${way}`
    : compose`No ${noun} has this id in view. See ${createListPart(kind)} for those there are; one that you made needs ${workspaceOfRecord}.`;
  const body = { type: 'EMPTY', message: formatWording(message), links: { list: path } };
  return { status: 404, message, body };
}

export function refuseSeedRecord(service: RecordService, id: string | undefined): void {
  if (id !== undefined && service.seed.byId.has(id)) throw new Refusal('read_only');
}

/** Refuses a change whose caller has read another version of the record (RFC 9110 section 13.1.1). */
function refuseStale({ record }: Entry, row: PresentedRecord, { options }: Context): void {
  const isOther = options.revision !== undefined && options.revision !== (record.revision ?? 1);
  if (isOther) throw new Refusal('changed');
  refuseOtherVersion(options.ifMatch, tagRecord(row));
}

/** What one change of a record needs beside its decision. */
type ChangeOptions = Pick<WriteRequest, 'id' | 'salt' | 'fill'>;

/** Changes one record of a workspace. `decide` gets it as it is stored, and as it reads. */
export async function changeOne(
  { kind, id }: { kind: Kind; id: string },
  context: Context,
  decide: (was: Entry, row: PresentedRecord, moment: WriteContext) => WriteDecision,
  more: ChangeOptions = {},
): Promise<OperationReply> {
  refuseSeedRecord(context.service, id);
  const plan: WriteRequest = {
    id,
    ...more,
    decide(moment) {
      const was = moment.view.findOwn(kind.name, id);
      if (!was) return { outcome: replyNoRecord(kind, id, context), isUnchanged: true };
      const row = presentRecord(kind, was.record, moment.view, toIsoDate(moment.now));
      refuseStale(was, row, context);
      return decide(was, row, moment);
    },
  };
  return writeChange(plan, context);
}

export const bumpRevision = (record: StoredRecord, { record: before }: Entry, now: number): StoredRecord => ({
  ...record,
  updatedAt: now,
  revision: (before.revision ?? 1) + 1,
});

interface Replacement {
  outcome: OperationReply;
  /** Conflicts of the record that it did not have before. */
  warnings: Warning[];
}

/** Puts `record` in the place of another: returns the reply 200, and the conflicts that arise. */
export function replaceRecord(
  kind: Kind,
  was: Entry,
  { record, change }: { record: StoredRecord; change?: Pick<RecordChange, 'patch' | 'to'> },
  moment: WriteContext,
): Replacement {
  const { now, view } = moment;
  const today = toIsoDate(now);
  const next = bumpRevision(record, was, now);
  if (change)
    Object.assign(next, kind.rules.revise?.({ ...change, before: was.record, after: next, view, now }));
  kind.rules.refuseSurplus?.(next, view);
  const warnings = warnOfChange(kind, was.record, next, moment);
  view.put(kind.name, next, was);
  const row = presentRecord(kind, next, view, today);
  const headers = { ETag: tagRecord(row) };
  return { outcome: { status: 200, headers, body: { type: 'OK', [kind.name]: row } }, warnings };
}

/**
 * Warns of the conflicts that arise from a change: those that the record did not have before, and those of a member that
 * changes.
 */
function warnOfChange(
  kind: Kind,
  before: StoredRecord,
  after: StoredRecord,
  { view, service, now }: WriteContext,
): Warning[] {
  const today = toIsoDate(now);
  const { rules } = kind;
  const warnings = rules.warn?.(after, view, service, today) ?? [];
  if (warnings.length === 0) return [];
  if (rules.startsHolding?.(before, after)) return warnings;
  const known = rules.warn!(before, view, service, today);
  const isChanged = (path: string) => {
    const [member = ''] = path.split('[');
    return before[member] !== after[member];
  };
  const isMoved = Object.keys(kind.references).some(isChanged);
  const concerns = (path: string) => isChanged(path) || (isMoved && path === 'onetCode');
  const isKnown = ({ code, path, message }: Warning) =>
    known.some((one) => one.code === code && one.path === path && one.message === message);
  return warnings.filter((one) => concerns(one.path) || !isKnown(one));
}

/** Returns the record that a patch asks for, after the move that it asks for. Throws a Refusal. */
function applyPatch(
  kind: Kind,
  { record: before }: Entry,
  patch: Patch,
  { status: from, view, now }: WriteContext & { status: string },
) {
  const { status, reason, ...members } = patch as { status?: string; reason?: string };
  const merged = merge(before, members);
  const change = { before, merged, patch, today: toIsoDate(now) };
  const { record, to, result = to } = kind.rules.readPatch?.(change) ?? { record: merged, to: status };
  const moving: MovingRecord = { record, from, view, now };
  if (to !== undefined) refuseIllegal(kind, to, moving);
  const isMoved = result !== undefined && result !== from;
  const after = isMoved ? recordMove(kind, moving, { to: result, reason }) : record;
  return { after, to: result };
}

/** Changes one record as a merge patch says, and answers it as it then reads. */
export function updateRecord(
  kind: Kind,
  id: string,
  patch: Patch,
  context: Context,
): Promise<OperationReply> {
  return changeOne({ kind, id }, context, (was, row, moment) => {
    const { now, view } = moment;
    refuseKnownRef(kind, patch.ref, view, { id });
    const { after, to } = applyPatch(kind, was, patch, { ...moment, status: row.status });
    const { issues, warnings } = checkRecord(
      kind,
      { record: after, sent: patch },
      { view, today: toIsoDate(now) },
      context,
    );
    if (issues.length > 0) throw new Refusal('invalid_request', { issues });
    const changed = replaceRecord(kind, was, { record: after, change: { patch, to } }, moment);
    return { ...changed, warnings: [...warnings, ...changed.warnings] };
  });
}

export function removeRecord(kind: Kind, id: string, context: Context): Promise<OperationReply> {
  return changeOne({ kind, id }, context, (was, _, { view, now }) => {
    const warnings = kind.rules.warnOfRemoval?.(id, view, toIsoDate(now)) ?? [];
    view.remove(was);
    const outcome = { status: 200, body: { type: 'OK', deleted: id } };
    return { outcome, warnings, removedTokens: kind.tokens?.(was.record) ?? [] };
  });
}
