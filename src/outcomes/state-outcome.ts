import type { Warning } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { addDays, countDays, toDay } from '../kernel/text.ts';
import { changeOne, replace } from '../records/change.ts';
import { placement } from '../records/placement.ts';
import {
  type Evidence,
  isAccepted,
  outcomeDays,
  type PlacementRecord,
  type Statement,
  toClosingTime,
  toStatedOrder,
  toUnanswered,
} from '../records/placement-outcome.ts';
import type { Moment } from '../records/write.ts';
import type { StoredRecord } from '../workspace/record.ts';

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

function refuseUnstarted(fact: PlacementRecord, today: string): void {
  const { asked, startDate } = fact;
  if (!isAccepted(fact))
    throw new Refusal('not_started', {
      reason: `The placement is ${asked}: it was not accepted, so that it has no outcome.`,
    });
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

/** What a statement makes of the evidence. The same result as of the same day voids no answer. */
function state(fact: PlacementRecord, { result, asOf, note }: Stated, { now, view }: Moment) {
  const today = toDay(now);
  refuseUnstarted(fact, today);
  refuseClosed(fact, now);
  const day = asOf ?? today;
  refuseDay(day, fact, today);
  if (fact.asked !== undefined && result !== 'attrited') {
    throw new Refusal('illegal_transition', {
      reason:
        'The placement was ended early by a change of its status, so that attrited alone can be stated.',
      issues: [{ path: 'result', message: 'can only be attrited now' }],
    });
  }
  const evidence: Evidence = fact.evidence ?? {};
  const before = evidence.stated;
  const added = note !== undefined && { note };
  if (before?.result === result && before.asOf === day)
    return { asOf: day, evidence: { ...evidence, stated: { ...before, ...added } } };
  const stated = { result, asOf: day, at: now, ...added, order: toStatedOrder(fact, view) };
  return { asOf: day, evidence: { stated, ...toUnanswered(evidence) } };
}

/** Advice where a statement is of a day before the last: once it is validated it stays at that day. */
function toEarly({ startDate }: PlacementRecord, { result }: Stated, asOf: string): Warning[] {
  const day = countDays(startDate!, asOf);
  if (result === 'attrited' || day >= outcomeDays) return [];
  const message = `is day ${day} of ${outcomeDays}, and once validated the outcome stays at that day; state it as of ${addDays(startDate!, outcomeDays)} for all ${outcomeDays}`;
  return [{ code: 'early_statement', path: 'asOf', message, advice: true }];
}

export function stateOutcome(id: string, stated: Stated, context: Context): Promise<Outcome> {
  return changeOne(placement, id, context, (was, row, moment) => {
    const fact = was.record as PlacementRecord;
    const wasFree = placement.hold(fact) === '';
    const { evidence, asOf } = state(fact, stated, moment);
    if (JSON.stringify(evidence) === JSON.stringify(fact.evidence)) {
      return { outcome: { status: 200, body: { type: 'OK', [placement.name]: row } }, isUnchanged: true };
    }
    const changed = replace(placement, was, { ...fact, evidence } as StoredRecord, moment);
    const conflicts = wasFree ? changed.warnings : [];
    return { ...changed, warnings: [...conflicts, ...toEarly(fact, stated, asOf)] };
  });
}
