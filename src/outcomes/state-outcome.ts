import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toDay } from '../kernel/text.ts';
import { changeOne, replace } from '../records/change-one.ts';
import { placement } from '../records/placement.ts';
import {
  type PlacementRecord,
  type Statement,
  toClosingTime,
  toStatedOrder,
  toUnanswered,
} from '../records/placement-outcome.ts';
import type { StoredRecord } from '../records/record.ts';
import { toOccupied } from '../records/view.ts';
import type { Moment } from '../records/write.ts';

/** What a caller states of the outcome of a placement. */
type Stated = Pick<Statement, 'result' | 'note'> & { asOf?: string | undefined };

/** Refuses to state or confirm what is final, or whose time is over. */
export function refuseClosed(fact: PlacementRecord, now: number): void {
  if (fact.evidence?.validated) {
    throw new Refusal('outcome_closed', { reason: 'The outcome is validated, and that is final.' });
  }
  if (now >= toClosingTime(fact)) {
    throw new Refusal('outcome_closed', {
      reason: 'The guarantee period is over: validateBy has passed, and nothing was validated by its end.',
    });
  }
}

function refuseUnstarted({ startDate }: PlacementRecord, today: string): void {
  if (startDate !== undefined && startDate <= today) return;
  throw new Refusal('not_started', {
    reason: startDate
      ? `The placement starts on ${startDate}; until then it has no outcome. Today is ${today} (UTC).`
      : 'The placement has no startDate, so that it has no outcome. PATCH it with one.',
  });
}

function refuseDay(asOf: string, { startDate }: PlacementRecord, today: string): void {
  const refuse = (message: string): never => {
    throw new Refusal('invalid_request', { issues: [{ path: 'asOf', message }] });
  };
  if (asOf > today) refuse(`must not be in the future; today is ${today} (UTC)`);
  if (startDate !== undefined && asOf < startDate) refuse(`must not be before startDate, ${startDate}`);
}

/** What a statement makes of a placement. */
function state(fact: StoredRecord, { result, asOf, note }: Stated, { now, near }: Moment): StoredRecord {
  const today = toDay(now);
  refuseUnstarted(fact as PlacementRecord, today);
  refuseClosed(fact as PlacementRecord, now);
  refuseDay(asOf ?? today, fact as PlacementRecord, today);
  if (fact.asked !== undefined && result !== 'attrited') {
    throw new Refusal('illegal_transition', {
      reason:
        'The placement was ended early by a change of its status, so that attrited alone can be stated.',
      issues: [{ path: 'result', message: 'can only be attrited now' }],
    });
  }
  const evidence = (fact as PlacementRecord).evidence ?? {};
  const order = toStatedOrder(fact, near);
  const stated = { result, asOf: asOf ?? today, at: now, ...(note !== undefined && { note }), order };
  return { ...fact, evidence: { stated, confirmations: toUnanswered(evidence) } };
}

/** States the outcome of a placement, in the place of what was stated before. */
export function stateOutcome(id: string, stated: Stated, context: Context): Promise<Outcome> {
  return changeOne(placement, id, context, [], (was, _, moment) => {
    const wasFree = toOccupied(placement, was.fact).length === 0;
    const changed = replace(placement, was, state(was.fact, stated, moment), moment);
    return { ...changed, warnings: wasFree ? changed.warnings : [] };
  });
}
