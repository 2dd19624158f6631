import { createEntityTag, refuseOtherVersion } from '../../kernel/entity-tag.ts';
import { cutExcerpt, type Finding, type Warning } from '../../kernel/envelope.ts';
import type { Operation, OperationReply } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { compose, formatWording } from '../../kernel/wording.ts';
import type { Change, Remark } from '../../workspace/change.ts';
import type { Entry, StoredRecord } from '../../workspace/record.ts';
import type { Kind, RecordChange } from '../kind/kind.ts';
import { findKindById, findKindByName } from '../kind/kind-list.ts';
import type { PresentedRecord } from '../kind/record.ts';
import { findChangeTime } from '../kind/transitions.ts';
import { presentDrafted, presentRecord } from '../read/view.ts';
import type { ChangeContext, Context, RecordService } from '../service.ts';
import { presentAffected } from './affected.ts';
import { checkRecord, createListPart, refuseKnownRef } from './check-record.ts';
import { hasMoveOption, type MovingRecord, recordMove, refuseIllegal, warnOfLostRemark } from './move.ts';
import { type ChangeOptions, type ChangeRule, changeWorkspace } from './write.ts';

type Patch = Readonly<Record<string, unknown>>;

/** Applies a merge patch (RFC 7396) to a record. */
function merge(record: StoredRecord, patch: Patch): StoredRecord {
  const members = Object.entries({ ...record, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(members) as StoredRecord;
}

export const tagRecord = (row: PresentedRecord) => createEntityTag(JSON.stringify(row));

const workspaceOfRecord = { http: 'X-Workspace (or the argument workspace)', argument: 'workspace' };

const createRowPart = ({ operationId, method, path }: Operation) => ({
  http: `${operationId}, ${method} ${path},`,
  operation: operationId,
});

/**
 * Returns the 404 of a record that the caller does not see. For an id of another kind it names the operation to
 * call.
 */
export function replyNoRecord(kind: Kind, id: string, { operation, service }: Context): OperationReply {
  const { noun, path } = kind;
  const otherKind = findKindById(service.kinds, id);
  const otherPath =
    otherKind && otherKind !== kind ? operation.path.replace(path, otherKind.path) : undefined;
  const rightOperation = service.operations.find(
    (row) => row.path === otherPath && row.method === operation.method,
  );
  const advice = rightOperation ? compose` Use ${createRowPart(rightOperation)} for that.` : '';
  const message = otherPath
    ? compose`${cutExcerpt(id)} is the id of a ${otherKind!.noun}, and here belongs that of a ${noun}.${advice}`
    : compose`No ${noun} has this id in view. See ${createListPart(kind)} for those there are; one that you made needs ${workspaceOfRecord}.`;
  const body = { type: 'EMPTY', message: formatWording(message), links: { list: path } };
  return { status: 404, message, body };
}

export function refuseSeedRecord(service: RecordService, id: string | undefined): void {
  if (id !== undefined && service.seed.byId.has(id)) throw new Refusal('read_only');
}

/** Throws a Refusal if the caller has read another version of the record (RFC 9110 section 13.1.1). */
function refuseStale({ record }: Entry, row: PresentedRecord, { options }: Context): void {
  const isOther = options.revision !== undefined && options.revision !== (record.revision ?? 1);
  if (isOther) throw new Refusal('changed');
  refuseOtherVersion(options.ifMatch, tagRecord(row));
}

/** Decides the change of one record, which it gets as it is stored and as it is presented. */
type RecordRule<C extends Context> = (
  before: Entry,
  row: PresentedRecord,
  context: C & ChangeContext,
) => OperationReply;

/** Changes one record of a workspace. */
export async function changeRecord<C extends Context>(
  { kind, id }: { kind: Kind; id: string },
  context: C,
  rule: RecordRule<C>,
  options: ChangeOptions = {},
): Promise<OperationReply> {
  refuseSeedRecord(context.service, id);
  const change: ChangeRule<C> = (changing) => {
    const before = changing.change.findOwn(kind.name, id);
    if (!before) {
      changing.change.discard();
      return replyNoRecord(kind, id, context);
    }
    const row = presentRecord(kind, before.record, changing.change, changing.change.today);
    refuseStale(before, row, context);
    return rule(before, row, changing);
  };
  return changeWorkspace(context, change, { id, ...options });
}

export const bumpRevision = (record: StoredRecord, { record: before }: Entry, now: number): StoredRecord => ({
  ...record,
  updatedAt: findChangeTime(record, now),
  revision: (before.revision ?? 1) + 1,
});

interface Replacement {
  record: StoredRecord;
  change?: Pick<RecordChange, 'patch' | 'to'>;
}

/** Whether two versions of a record differ in no more than their revision and the time of their change. */
function isSameRecord(before: StoredRecord, after: StoredRecord): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete('revision');
  names.delete('updatedAt');
  return [...names].every(
    (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
  );
}

/**
 * Drafts the next version of a record, if it differs. Returns the conflicts that it did not have before. Throws a Refusal if the change
 * is not allowed.
 */
export function replaceRecord(
  kind: Kind,
  before: Entry,
  { record, change: made }: Replacement,
  context: ChangeContext,
): Warning[] {
  const { change: view } = context;
  const { now } = view;
  const next = bumpRevision(record, before, now);
  if (made)
    Object.assign(next, kind.rules.revise?.({ ...made, before: before.record, after: next, view, now }));
  kind.rules.refuseSurplus?.(next, view);
  if (isSameRecord(before.record, next)) return [];
  const conflicts = listConflicts(kind, before.record, next, context);
  view.put(kind.name, next, before);
  return conflicts;
}

/** Returns the reply 200 to a change of a record, as the record then reads. */
export function replyChanged(kind: Kind, id: string, context: ChangeContext): OperationReply {
  const row = presentDrafted(kind, id, context.change);
  const body = { type: 'OK', [kind.name]: row, ...presentAffected([id], context) };
  return { status: 200, headers: { ETag: tagRecord(row) }, body };
}

/**
 * Lists the conflicts that arise from a change: those that the record did not have before, and those of a member that
 * changes.
 */
function listConflicts(
  kind: Kind,
  before: StoredRecord,
  after: StoredRecord,
  { change: view, service }: ChangeContext,
): Warning[] {
  const { today } = view;
  const { rules } = kind;
  const warnings = rules.warn?.(after, view, service, today) ?? [];
  if (warnings.length === 0) return [];
  if (rules.startsHolding?.(before, after)) return warnings;
  const earlier = rules.warn!(before, view, service, today);
  const isChanged = (path: string) => {
    const [member = ''] = path.split('[');
    return before[member] !== after[member];
  };
  const isMoved = Object.keys(kind.references).some(isChanged);
  const concerns = (path: string) => isChanged(path) || (isMoved && path === 'onetCode');
  const isKnown = ({ code, path, message }: Warning) =>
    earlier.some((warning) => warning.code === code && warning.path === path && warning.message === message);
  return warnings.filter((warning) => concerns(warning.path) || !isKnown(warning));
}

/** Returns the members of a patch that a record keeps. */
function pickMembers({ lifecycle: { options = {} } }: Kind, patch: Patch): Patch {
  const { status: _, reason: __, effectiveDate: ___, ...members } = patch;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(options, name)));
}

/**
 * Returns the record that a patch asks for, after its move. A patch may repeat the current status to use an option of
 * that move; then there is no move. Throws a Refusal.
 */
function applyPatch(kind: Kind, before: StoredRecord, patch: Patch, change: Change) {
  const { status, reason } = patch as { status?: string; reason?: string };
  const { today } = change;
  const from = kind.readStatus(before, change, today);
  const merged = merge(before, pickMembers(kind, patch));
  const read = kind.rules.readPatch?.({ before, merged, patch, today });
  const { record, to, result = to } = read ?? { record: merged, to: status };
  const moving: MovingRecord = { record, from, change };
  const repeatsStatus = to === from && hasMoveOption(kind, patch, from);
  if (to !== undefined && !repeatsStatus) refuseIllegal(kind, to, moving);
  const isMoved = result !== undefined && result !== from;
  const after = isMoved ? recordMove(kind, moving, { to: result, reason }) : record;
  return { after, to: result };
}

/**
 * Drafts a record with a merge patch applied, and the changes of other records that follow. Returns the warnings. Throws
 * a Refusal.
 */
export function draftChange(kind: Kind, before: Entry, patch: Patch, context: ChangeContext): Finding[] {
  const { change: view, service } = context;
  refuseKnownRef(kind, patch.ref, view, { id: before.record.id });
  const { after, to } = applyPatch(kind, before.record, patch, view);
  const written = { record: after, sent: patch };
  const { issues, warnings } = checkRecord(kind, written, { view, today: view.today }, context);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { id } = before.record;
  const conflicts = replaceRecord(kind, before, { record: after, change: { patch, to } }, context);
  const isChanged = view.findOwn(kind.name, id)!.record !== before.record;
  if (isChanged) view.remark(id, patch);
  for (const next of kind.rules.follow?.({ after, patch, view }) ?? []) {
    const nextKind = findKindByName(service.kinds, next.kind);
    draftChange(nextKind, view.findOwn(next.kind, next.id)!, next.patch, context);
  }
  return [...(isChanged ? [] : warnOfLostRemark(patch)), ...warnings, ...conflicts];
}

/** Applies a merge patch to a record. Replies with the record as it then reads. */
export const updateRecord = (
  kind: Kind,
  id: string,
  patch: Patch,
  context: Context,
): Promise<OperationReply> =>
  changeRecord({ kind, id }, context, (before, _, changing) => {
    const { change } = changing;
    change.warn(draftChange(kind, before, patch, changing));
    if (change.drafted.length === 0) change.discard();
    return replyChanged(kind, id, changing);
  });

export const removeRecord = (
  kind: Kind,
  { id, ...remark }: { id: string } & Remark,
  context: Context,
): Promise<OperationReply> =>
  changeRecord({ kind, id }, context, (entry, _, changing) => {
    const { change } = changing;
    change.remark(id, remark);
    change.warn(kind.rules.warnOfRemoval?.(id, change, change.today) ?? []);
    change.remove(entry);
    change.removeTokens(kind.tokens?.(entry.record) ?? []);
    return { status: 200, body: { type: 'OK', deleted: id, ...presentAffected([id], changing) } };
  });
