import type { Warning } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { countDays } from '../kernel/text.ts';
import type { Context } from '../records/service.ts';
import { changeRecord, replaceRecord, replyChanged } from '../records/write/change.ts';
import type { Change } from '../workspace/change.ts';
import { findContradiction } from './contradiction.ts';
import { findReference, findStatedOrder, withoutStatement } from './outcome.ts';
import { placement } from './placement.ts';
import type { PlacementRecord, Statement, StoredOutcome } from './placement-record.ts';
import { outcomeRefusals, placementRefusals } from './refusals.ts';
import { isAccepted, isOpen } from './stages.ts';
import { withoutStatedEnd, writeStatedEnd } from './stated-end.ts';
import { isCancelled, isOver, readClosingTime, readGuaranteeDays, readValidateBy } from './status.ts';

type SentStatement = Pick<Statement, 'result' | 'note' | 'endReason'> & { asOf?: string | undefined };

/** Throws the Refusal `outcome_closed` if the outcome is validated, or the guarantee is over at `now` (milliseconds). */
export function refuseClosed(fact: PlacementRecord, now: number): void {
  if (fact.evidence?.validated) {
    throw new Refusal(placementRefusals.outcome_closed, {
      reason: 'The outcome is validated, and that is final.',
    });
  }
  if (now >= readClosingTime(fact)) {
    throw new Refusal(placementRefusals.outcome_closed, {
      reason: 'The guarantee period is over: validateBy has passed, and nothing was validated by its end.',
    });
  }
}

/** Says why a placement has no outcome yet, and what to do first. Returns undefined if one can be stated. */
export function explainNoOutcome(fact: PlacementRecord, today: string): string | undefined {
  const { asked, startDate } = fact;
  if (isOpen(fact))
    return `The placement is ${asked}. Accept it first, by a PATCH with status scheduled: until then it has no outcome.`;
  if (!isAccepted(fact)) return `The placement is ${asked}, so it has no outcome.`;
  if (isCancelled(fact)) return `The placement was cancelled on ${fact.endDate}, so it has no outcome.`;
  if (startDate === undefined)
    return 'The placement has no startDate, so that it has no outcome. PATCH it with one.';
  if (startDate <= today) return undefined;
  return `The placement starts on ${startDate}; until then it has no outcome. Today is ${today} (UTC).`;
}

function refuseUnstarted(fact: PlacementRecord, today: string): void {
  const reason = explainNoOutcome(fact, today);
  if (reason !== undefined) throw new Refusal(outcomeRefusals.not_started, { reason });
}

function refuseInvalid(path: string, message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path, message }] });
}

function refuseDay(asOf: string, { startDate }: PlacementRecord, today: string): void {
  if (asOf > today) refuseInvalid('asOf', `must not be in the future; today is ${today} (UTC)`);
  if (startDate !== undefined && asOf < startDate)
    refuseInvalid('asOf', `must not be before startDate, ${startDate}`);
}

/** Refuses an endReason if the result is not attrited, or if the recorded end has another reason. */
function refuseReason(
  { endDate, endReason: recorded }: PlacementRecord,
  { result, endReason }: SentStatement,
): void {
  if (endReason === undefined) return;
  if (result !== 'attrited') refuseInvalid('endReason', 'goes with attrited; leave it out');
  if (endDate === undefined || recorded === endReason) return;
  const message = `is ${recorded} as recorded; PATCH the placement to correct that`;
  throw new Refusal('illegal_transition', {
    reason: `The placement ended on ${endDate}, ${recorded}. To correct that, PATCH it with endReason.`,
    issues: [{ path: 'endReason', message }],
  });
}

function refuseContradiction(fact: PlacementRecord, statement: Pick<Statement, 'result' | 'asOf'>): void {
  const contradiction = findContradiction(fact, statement);
  if (!contradiction) return;
  const { path, message } = contradiction;
  throw new Refusal('illegal_transition', {
    reason: `${statement.result} contradicts what is recorded: ${message}.`,
    issues: [{ path, message }],
  });
}

/**
 * Returns the default of asOf: today or, after an end, the last day. For `retained` after a recorded end it stays today, so
 * that the caller has to choose a day before the end.
 */
function findUsualDay(
  { endDate, plannedEndDate }: PlacementRecord,
  { result }: SentStatement,
  today: string,
): string {
  if (endDate !== undefined) return result === 'retained' ? today : endDate;
  return plannedEndDate !== undefined && plannedEndDate < today ? plannedEndDate : today;
}

/** Returns the outcome with a new statement. `fact` is the placement without the end of an earlier one. The answers stay if result and asOf are unchanged. */
function state(
  fact: PlacementRecord,
  stated: SentStatement,
  change: Change,
): StoredOutcome & { stated: Statement } {
  const { now, today } = change;
  if (isCancelled(fact)) refuseContradiction(fact, { result: stated.result, asOf: fact.endDate! });
  refuseUnstarted(fact, today);
  refuseClosed(fact, now);
  const { result, note, endReason, asOf = findUsualDay(fact, stated, today) } = stated;
  refuseDay(asOf, fact, today);
  refuseContradiction(fact, { result, asOf });
  refuseReason(fact, stated);
  const evidence: StoredOutcome = fact.evidence ?? {};
  const before = evidence.stated;
  const added = { ...(note !== undefined && { note }), ...(endReason !== undefined && { endReason }) };
  if (before?.result === result && before.asOf === asOf)
    return { ...evidence, stated: { ...before, ...added } };
  const names = { order: findStatedOrder(fact, change), reference: findReference(fact, change) };
  const statement = { result, asOf, at: now, ...added, ...names };
  return { ...withoutStatement(evidence), stated: statement };
}

/** Advises against `retained` before the guarantee is over. Once that is validated, nothing else can be stated. */
function warnEarlyStatement(fact: PlacementRecord, { result, asOf }: Statement, today: string): Warning[] {
  const day = countDays(fact.startDate!, asOf);
  const days = readGuaranteeDays(fact);
  if (result !== 'retained' || day >= days || isOver(fact, today)) return [];
  const message = `is day ${day} of ${days}. Once this is validated, nothing else can be stated, no fall-off either; to cover all ${days} days, state it on ${readValidateBy(fact)}`;
  return [{ code: 'early_statement', path: 'asOf', message, advice: true }];
}

export function stateOutcome(id: string, stated: SentStatement, context: Context): Promise<OperationReply> {
  return changeRecord({ kind: placement, id }, context, (was, row, changing) => {
    const { change } = changing;
    const before = was.record as PlacementRecord;
    const fact = withoutStatedEnd(before);
    const evidence = state(fact, stated, change);
    const record = writeStatedEnd({ ...fact, evidence });
    if (JSON.stringify(record.evidence) === JSON.stringify(before.evidence)) {
      change.discard();
      return { status: 200, body: { type: 'OK', [placement.name]: row } };
    }
    change.warn(replaceRecord(placement, was, { record }, changing));
    change.warn(warnEarlyStatement(before, evidence.stated, change.today));
    return replyChanged(placement, id, changing);
  });
}
