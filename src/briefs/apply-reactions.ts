import { listShortlistLinks } from '../job-orders/shortlist-links.ts';
import { Refusal } from '../kernel/refusal.ts';
import { addAnswer, refuseUnanswerable } from '../placements/add-answer.ts';
import { findLiveTwin } from '../placements/conflicts.ts';
import { placement } from '../placements/placement.ts';
import type { Party, PlacementRecord } from '../placements/placement-record.ts';
import { describeRecordChange } from '../records/activity/activity.ts';
import type { Kind } from '../records/kind/kind.ts';
import { findKindByName } from '../records/kind/kind-list.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import { presentDrafted, presentRecord } from '../records/read/view.ts';
import type { ChangeContext } from '../records/service.ts';
import { bumpRevision, draftChange, replaceRecord } from '../records/write/change.ts';
import { move } from '../records/write/move.ts';
import type { Change, NewActivity } from '../workspace/change.ts';
import type { Entry } from '../workspace/record.ts';
import { type DraftedRecord, draftSeq, View } from '../workspace/view.ts';
import type { Deed } from './party.ts';
import type { PlannedReaction, ReactionScope, WrittenRow } from './react.ts';

/** A record that a party changed, as a caller would have done. */
export interface PartyChange {
  kind: Kind;
  id: string;
  /** The entry of the activity. */
  entry: NewActivity;
}

/** Lists what a change issued for a record: a link to its shortlist, or tokens to parties. */
function listIssued({ kind, record, before }: DraftedRecord): string[] {
  if (kind === 'jobOrder') {
    const earlier = before ? listShortlistLinks(before.record).map(({ token }) => token) : [];
    const isNew = listShortlistLinks(record).some(({ token }) => !earlier.includes(token));
    return isNew ? ['shortlist'] : [];
  }
  const readTokens = ({ evidence }: Pick<PlacementRecord, 'evidence'>) => evidence?.confirmations ?? [];
  const earlier = new Set(
    before ? readTokens(before.record as PlacementRecord).map(({ token }) => token) : [],
  );
  return readTokens(record as PlacementRecord).flatMap(({ token, party }) =>
    earlier.has(token) ? [] : [party],
  );
}

/** Whether a placement repeats a pair that was live before it. Its people answered the first one. */
function isRepeated({ kind, record, before }: DraftedRecord, view: Change): boolean {
  if (kind !== placement.name) return false;
  const twinId = findLiveTwin(record as PlacementRecord, view, view.today);
  if (twinId === undefined) return false;
  const seq = before?.seq ?? draftSeq;
  const twinSeq = view.findOwn(kind, twinId)!.seq;
  if (twinSeq !== seq) return twinSeq < seq;
  // Both are new: the first in the change counts.
  const ids = view.drafted.map((drafted) => drafted.record.id);
  return ids.indexOf(twinId) < ids.indexOf(record.id);
}

/** Lists the records that the caller's change wrote, as they read before and after it. */
export function listWritten({ change: view, service }: ChangeContext): WrittenRow[] {
  const { today } = view;
  const earlierView = new View(view.seed, view.workspace);
  const answered = view.drafted.filter((drafted) => !isRepeated(drafted, view));
  return answered.map((drafted) => {
    const { record, before } = drafted;
    const kind = findKindByName(service.kinds, drafted.kind);
    return {
      kind: drafted.kind,
      id: record.id,
      ...(before && { before: presentRecord(kind, before.record, earlierView, today) }),
      after: presentRecord(kind, record, view, today),
      issued: listIssued(drafted),
    };
  });
}

/** Returns what rules read of a workspace, as it is after the caller's change. The records of a kind are read once. */
export function createReactionScope({ change: view, service: { kinds } }: ChangeContext): ReactionScope {
  const { today } = view;
  const present = (kind: Kind, id: string): PresentedRecord | undefined => {
    const record = view.find(kind.name, id);
    return record && presentRecord(kind, record, view, today);
  };
  const listAll = (name: string) => {
    const kind = findKindByName(kinds, name);
    const stored = view.workspace?.list(name).map(({ record }) => record.id) ?? [];
    const created = view.drafted.filter((one) => one.kind === name && !one.before);
    return [...stored, ...created.map(({ record }) => record.id)].flatMap((id) => {
      const row = present(kind, id);
      return row ? [{ id, row }] : [];
    });
  };
  const rowsByKind = new Map<string, ReturnType<typeof listAll>>();
  return {
    resolve: (value) => value,
    findRow(id) {
      if (typeof id !== 'string') return undefined;
      const kind = kinds.find(({ prefix }) => id.startsWith(prefix));
      return kind && present(kind, id);
    },
    listRows: (name) => rowsByKind.getOrInsertComputed(name, listAll),
  };
}

/** A record that a party changes, and the call that it reacts to. */
interface ReactionTarget {
  kind: Kind;
  before: Entry;
  context: ChangeContext;
}

/** Moves a proposal as a decision on a shortlist does. */
function draftDecision(
  { decide, reason }: Extract<Deed, { decide: string }>,
  { kind, before, context }: ReactionTarget,
): string {
  const { change } = context;
  const from = kind.readStatus(before.record, change, change.today);
  const to = decide === 'interview' ? 'interviewing' : 'declined';
  const patch = decide === 'decline' ? { declineReason: 'client' } : {};
  change.remark(before.record.id, { reason });
  const moved = move(kind, { record: before.record, from, change }, { to, reason, by: 'shortlist' });
  replaceRecord(kind, before, { record: { ...moved, ...patch }, change: { patch, to } }, context);
  return 'decideShortlist';
}

/** Answers a confirmation. If that validates the outcome, it gets no receipt, because no real party confirmed it. */
function draftAnswer(
  { answer, comment }: Extract<Deed, { answer: string }>,
  party: Party,
  { before, context: { change } }: ReactionTarget,
): string {
  const { now } = change;
  const fact = before.record as PlacementRecord;
  refuseUnanswerable(fact, now);
  const given = { agrees: answer === 'confirm', at: now, ...(comment !== undefined && { comment }) };
  const { evidence, isValidated } = addAnswer(fact.evidence!, party, given);
  const answered = { ...fact, evidence: { ...evidence, ...(isValidated && { validated: { at: now } }) } };
  change.put(placement.name, bumpRevision(answered, before, now), before);
  return 'answerConfirmation';
}

function draftReaction({ does, issued }: PlannedReaction, target: ReactionTarget): string {
  if ('decide' in does) return draftDecision(does, target);
  if ('answer' in does) return draftAnswer(does, issued as Party, target);
  const { kind, before, context } = target;
  draftChange(kind, before, does.change, context);
  return kind.texts.update.operationId;
}

/**
 * Drafts the changes of parties, and returns them. If the rules of the service refuse one, it is left out, and the
 * caller's change stays.
 */
export function draftReactions(reactions: readonly PlannedReaction[], context: ChangeContext): PartyChange[] {
  const { change, service } = context;
  const partyChanges: PartyChange[] = [];
  for (const reaction of reactions) {
    const kind = findKindByName(service.kinds, reaction.kind);
    const { id } = reaction;
    const before = change.findOwn(kind.name, id);
    if (!before) continue;
    const earlier = presentDrafted(kind, id, change);
    try {
      const operation = draftReaction(reaction, { kind, before, context });
      if (change.findOwn(kind.name, id)!.record === before.record) continue;
      const members = 'change' in reaction.does ? Object.keys(reaction.does.change) : [];
      const entry = describeRecordChange(
        { via: 'brief', operation, members },
        { kind, id, earlier },
        context,
      );
      partyChanges.push({ kind, id, entry });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return partyChanges;
}
