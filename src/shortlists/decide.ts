import { jobOrder } from '../job-orders/job-order.ts';
import { explainClosed } from '../job-orders/openings.ts';
import type { ShortlistLink } from '../job-orders/shortlist-links.ts';
import type { Issue } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { MatchContext } from '../matches/matcher.ts';
import { placement } from '../placements/placement.ts';
import { dayOf } from '../records/kind/day-of.ts';
import type { ChangeContext } from '../records/service.ts';
import { changeRecord, replaceRecord } from '../records/write/change.ts';
import { move, undoMove } from '../records/write/move.ts';
import type { Change } from '../workspace/change.ts';
import type { Entry, StoredRecord } from '../workspace/record.ts';
import { addComment } from './comment.ts';
import { findDecision, findUndoEnd, isUndoOver } from './decision.ts';
import { decisions, type ShortlistDecision } from './decision-rules.ts';
import { shortlistRefusals } from './refusals.ts';
import {
  findLink,
  isShortlisted,
  openShortlist,
  presentShortlistRow,
  type ShortlistRow,
  shortlistToken,
} from './shortlist.ts';

const notListed: OperationReply = {
  status: 404,
  body: {
    type: 'EMPTY',
    message: 'No placement with this id is on the shortlist. Read GET /shortlist for those that are.',
  },
};

interface SentDecision {
  placementId: string;
  decision: ShortlistDecision | 'undo' | 'comment';
  reason?: string | undefined;
  comment?: string | undefined;
  tag?: string | undefined;
}

type Detail = 'reason' | 'comment' | 'tag';

/** A placement that is about to be decided on, as it is stored and as the client sees it. */
interface DecisionInput {
  fact: StoredRecord;
  row: ShortlistRow;
  order: StoredRecord;
  link: ShortlistLink;
  change: Change;
}

const isClosed = (order: StoredRecord, change: Change): boolean =>
  explainClosed(order, dayOf(order, change, change.today)) !== undefined;

/**
 * Returns the change that a decision makes. Throws the Refusal `already_decided` or `order_closed`.
 */
function applyDecision(
  decision: ShortlistDecision,
  reason: string | undefined,
  { fact, row, order, link: { reviewer }, change }: DecisionInput,
) {
  const to = decisions[decision];
  if (row.decision !== undefined || row.status === to) throw new Refusal(shortlistRefusals.already_decided);
  if (isClosed(order, change)) throw new Refusal(shortlistRefusals.order_closed);
  const moving = { record: fact, from: row.status, change };
  const moved = move(placement, moving, { to, reason, by: 'shortlist', reviewer });
  const declined = decision === 'decline' ? { declineReason: 'client' } : {};
  return { record: { ...moved, ...declined }, change: { patch: declined, to } };
}

/**
 * Returns the change that undoes the decision on a placement, with its move and its reason. Throws the Refusal
 * `undo_expired` or `undo_overtaken`.
 */
function applyUndo({ fact, change }: DecisionInput) {
  const { now } = change;
  if (isUndoOver(findDecision(fact)!, now)) throw new Refusal(shortlistRefusals.undo_expired);
  if (findUndoEnd(fact, change, now) === undefined) throw new Refusal(shortlistRefusals.undo_overtaken);
  const { declineReason: _, ...rest } = fact;
  const record = undoMove(placement, rest as StoredRecord);
  return { record, change: { patch: {}, to: record.asked! } };
}

/** Whether a placement already reads as it would after a decision or an undo. */
const isRepeated = ({ decision }: SentDecision, row: ShortlistRow): boolean =>
  row.decision === (decision === 'undo' ? undefined : decision);

/** The members that a decision takes beside its placement, and those that it must have. */
const membersOf: Record<SentDecision['decision'], { takes: readonly Detail[]; needs?: Detail }> = {
  interview: { takes: ['tag', 'reason'], needs: 'tag' },
  decline: { takes: ['tag', 'reason'], needs: 'tag' },
  undo: { takes: ['tag'], needs: 'tag' },
  comment: { takes: ['tag', 'comment'], needs: 'comment' },
};

/** The words of `decision`, in the order of its schema. */
export const decisionWords = Object.keys(membersOf) as SentDecision['decision'][];

/** Returns an issue for each member that does not go with the decision, and for one that is missing. */
export function checkDecision(sent: Readonly<Record<string, unknown>>): Issue[] {
  const decision = decisionWords.find((one) => one === sent.decision);
  if (!decision) return [];
  const { takes, needs } = membersOf[decision];
  const surplus = (['reason', 'comment'] as const).filter(
    (path) => sent[path] !== undefined && !takes.includes(path),
  );
  return [
    ...(needs && sent[needs] === undefined ? [{ path: needs, message: 'is missing' }] : []),
    ...surplus.map((path) => ({ path, message: `does not go with ${decision}; leave it out` })),
  ];
}

/** Drafts what was decided, undone or said of a listed placement. Nothing is written if it reads so already. */
function draftDecision(sent: SentDecision, was: Entry, input: DecisionInput, context: ChangeContext): void {
  const { row, order, link, change } = input;
  const { decision, reason, tag, comment = '' } = sent;
  if (decision === 'comment') {
    if (isClosed(order, change)) throw new Refusal(shortlistRefusals.order_closed);
    if (!addComment(was, { comment, link }, change)) change.discard();
    return;
  }
  if (isRepeated(sent, row)) {
    change.discard();
    return;
  }
  if (row.tag !== tag)
    throw new Refusal('changed', { reason: 'It changed since you read it. Read it again, then decide.' });
  const replacement = decision === 'undo' ? applyUndo(input) : applyDecision(decision, reason, input);
  replaceRecord(placement, was, replacement, context);
  change.remark(row.id, { reason });
}

/**
 * Moves a placement as the client decided, undoes the last decision, or adds a comment, and replies with its new row. The
 * same decision again changes nothing, and so does an undo if nothing is decided. Otherwise the placement must still have
 * the `tag`, except for a comment.
 */
export async function decideShortlist(sent: SentDecision, context: MatchContext): Promise<OperationReply> {
  const { hash, order, context: opened } = await openShortlist(context);
  const { service } = opened;
  const matcher = await service.matcher();
  const { placementId: id, decision } = sent;
  if (service.seed.byId.has(id)) return notListed;
  const outcome = await changeRecord(
    { kind: placement, id },
    opened,
    (was, _, changing) => {
      const { change } = changing;
      const fact = was.record;
      const current = change.findOwn(jobOrder.name, order.id)?.record;
      const link = current && findLink(current, hash, change.now);
      if (!link) throw new Refusal(shortlistToken.unknown);
      const pairing = { order: current, view: change, matcher, now: change.now, link };
      const row = fact.jobOrderId === order.id ? presentShortlistRow(fact, pairing) : undefined;
      if (row === undefined || !isShortlisted(fact)) {
        change.discard();
        return notListed;
      }
      draftDecision(sent, was, { fact, row, order: current, link, change }, changing);
      const next = change.find(placement.name, id)!;
      return { status: 200, body: { type: 'OK', placement: presentShortlistRow(next, pairing) } };
    },
    // A decision always finds room. A comment does not.
    { id: hash, ...(decision === 'comment' && { growth: 'extra' }) },
  );
  return outcome.status === 404 ? notListed : outcome;
}
