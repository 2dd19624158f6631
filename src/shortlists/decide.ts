import { jobOrder } from '../job-orders/job-order.ts';
import { explainClosed } from '../job-orders/openings.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { MatchContext } from '../matches/matcher.ts';
import { placement } from '../placements/placement.ts';
import { changeOne, replaceRecord } from '../records/change.ts';
import { dayOf } from '../records/day-of.ts';
import { move, takeBackMove } from '../records/move.ts';
import type { WriteContext } from '../records/write.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { decisions, findUndoEnd, type ShortlistDecision } from './decision.ts';
import { shortlistRefusals } from './refusals.ts';
import { hasToken, isShortlisted, openShortlist, presentShortlistRow, shortlistToken } from './shortlist.ts';

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

type ShortlistRow = NonNullable<ReturnType<typeof presentShortlistRow>>;

/** A placement that is about to be decided on, as it is stored and as the client sees it. */
interface Deciding {
  fact: StoredRecord;
  row: ShortlistRow;
  order: StoredRecord;
  moment: WriteContext;
}

/**
 * Returns the change that a decision makes. Throws the Refusal `already_decided` or `order_closed`.
 */
function applyDecision(
  decision: ShortlistDecision,
  reason: string | undefined,
  { fact, row, order, moment }: Deciding,
) {
  const { view, now } = moment;
  const to = decisions[decision];
  if (row.decision !== undefined || row.status === to) throw new Refusal(shortlistRefusals.already_decided);
  const closedReason = explainClosed(order, dayOf(order, view, toIsoDate(now)));
  if (closedReason) throw new Refusal(shortlistRefusals.order_closed);
  const moving = { record: fact, from: row.status, view, now };
  const moved = move(placement, moving, { to, reason, by: 'shortlist' });
  const declined = decision === 'decline' ? { declineReason: 'client' } : {};
  return { record: { ...moved, ...declined }, change: { patch: declined, to } };
}

/**
 * Returns the change that takes a decision back, with its move and its reason. A closed order allows it, because nothing new
 * is decided. Throws the Refusal `nothing_decided`, `undo_overtaken` or `undo_expired`.
 */
function applyUndo({ fact, row, moment }: Deciding) {
  if (row.decision === undefined) throw new Refusal(shortlistRefusals.nothing_decided);
  const undoEnd = findUndoEnd(fact, moment.view);
  if (undoEnd === undefined) throw new Refusal(shortlistRefusals.undo_overtaken);
  if (moment.now >= undoEnd) throw new Refusal(shortlistRefusals.undo_expired);
  const { declineReason: _, ...rest } = fact;
  const record = takeBackMove(placement, rest as StoredRecord);
  return { record, change: { patch: {}, to: record.asked! } };
}

/** Whether a placement reads already as a decision asks. An undo was sent before if its `tag` is not the current one. */
const isRepeated = ({ decision, tag }: SentDecision, row: ShortlistRow): boolean =>
  decision === 'undo' ? row.decision === undefined && row.tag !== tag : row.decision === decision;

function refuseReasonOfUndo({ decision, reason }: SentDecision): void {
  if (decision !== 'undo' || reason === undefined) return;
  const message = 'goes with interview or decline; leave it out of an undo';
  throw new Refusal('invalid_request', { issues: [{ path: 'reason', message }] });
}

/**
 * Moves a placement as the client decided, or takes the last decision back, and replies with its new row. The same decision
 * again changes nothing. Any other decision needs the current `tag` of the placement.
 */
export async function decideShortlist(sent: SentDecision, context: MatchContext): Promise<OperationReply> {
  const { hash, order, context: opened } = await openShortlist(context);
  refuseReasonOfUndo(sent);
  const { service } = opened;
  const matcher = await service.matcher();
  const { placementId: id, decision, reason, tag } = sent;
  if (service.seed.byId.has(id)) return notListed;
  const outcome = await changeOne(
    { kind: placement, id },
    opened,
    (was, _, moment) => {
      const { now, view } = moment;
      const fact = was.record;
      const current = view.findOwn(jobOrder.name, order.id)?.record;
      if (!current || !hasToken(current, hash, now)) throw new Refusal(shortlistToken.unknown);
      const pairing = { order: current, view, matcher, now };
      const row = fact.jobOrderId === order.id ? presentShortlistRow(fact, pairing) : undefined;
      if (!row || !isShortlisted(fact)) return { outcome: notListed, isUnchanged: true };
      if (isRepeated(sent, row))
        return { outcome: { status: 200, body: { type: 'OK', placement: row } }, isUnchanged: true };
      if (row.tag !== tag)
        throw new Refusal('changed', { reason: 'It changed since you read it. Read it again, then decide.' });
      const deciding = { fact, row, order: current, moment };
      const replacement =
        decision === 'undo' ? applyUndo(deciding) : applyDecision(decision, reason, deciding);
      replaceRecord(placement, was, replacement, moment);
      const next = view.find(placement.name, id)!;
      return {
        outcome: { status: 200, body: { type: 'OK', placement: presentShortlistRow(next, pairing) } },
      };
    },
    { id: hash },
  );
  return outcome.status === 404 ? notListed : outcome;
}
