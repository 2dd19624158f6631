import { jobOrder } from '../job-orders/job-order.ts';
import { explainClosed } from '../job-orders/openings.ts';
import type { ShortlistLink } from '../job-orders/shortlist-links.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { MatchContext } from '../matches/matcher.ts';
import { placement } from '../placements/placement.ts';
import { dayOf } from '../records/kind/day-of.ts';
import { changeRecord, replaceRecord } from '../records/write/change.ts';
import { move, undoMove } from '../records/write/move.ts';
import type { Change } from '../workspace/change.ts';
import type { StoredRecord } from '../workspace/record.ts';
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
  decision: ShortlistDecision | 'undo';
  reason?: string | undefined;
  tag: string;
}

/** A placement that is about to be decided on, as it is stored and as the client sees it. */
interface DecisionInput {
  fact: StoredRecord;
  row: ShortlistRow;
  order: StoredRecord;
  link: ShortlistLink;
  change: Change;
}

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
  const closedReason = explainClosed(order, dayOf(order, change, change.today));
  if (closedReason) throw new Refusal(shortlistRefusals.order_closed);
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

function refuseReasonOfUndo({ decision, reason }: SentDecision): void {
  if (decision !== 'undo' || reason === undefined) return;
  const message = 'goes with interview or decline; leave it out of an undo';
  throw new Refusal('invalid_request', { issues: [{ path: 'reason', message }] });
}

/**
 * Moves a placement as the client decided, or undoes the last decision, and replies with its new row. The same decision
 * again changes nothing, and so does an undo if nothing is decided. Otherwise the placement must still have the `tag`.
 */
export async function decideShortlist(sent: SentDecision, context: MatchContext): Promise<OperationReply> {
  const { hash, order, context: opened } = await openShortlist(context);
  refuseReasonOfUndo(sent);
  const { service } = opened;
  const matcher = await service.matcher();
  const { placementId: id, decision, reason, tag } = sent;
  if (service.seed.byId.has(id)) return notListed;
  const outcome = await changeRecord(
    { kind: placement, id },
    opened,
    (was, _, changing) => {
      const { change } = changing;
      const { now } = change;
      const fact = was.record;
      const current = change.findOwn(jobOrder.name, order.id)?.record;
      const link = current && findLink(current, hash, now);
      if (!link) throw new Refusal(shortlistToken.unknown);
      const pairing = { order: current, view: change, matcher, now };
      const row = fact.jobOrderId === order.id ? presentShortlistRow(fact, pairing) : undefined;
      const isListed = row !== undefined && isShortlisted(fact);
      if (!isListed || isRepeated(sent, row)) {
        change.discard();
        return isListed ? { status: 200, body: { type: 'OK', placement: row } } : notListed;
      }
      if (row.tag !== tag)
        throw new Refusal('changed', { reason: 'It changed since you read it. Read it again, then decide.' });
      const input = { fact, row, order: current, link, change };
      const replacement = decision === 'undo' ? applyUndo(input) : applyDecision(decision, reason, input);
      replaceRecord(placement, was, replacement, changing);
      change.remark(id, { reason });
      const next = change.find(placement.name, id)!;
      return { status: 200, body: { type: 'OK', placement: presentShortlistRow(next, pairing) } };
    },
    { id: hash },
  );
  return outcome.status === 404 ? notListed : outcome;
}
