import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toDay } from '../kernel/text.ts';
import { changeOne, toRecordTag } from '../records/change-one.ts';
import { placement } from '../records/placement.ts';
import {
  type PlacementRecord,
  type Statement,
  toClosingTime,
  toStatedOrder,
  toUnanswered,
} from '../records/placement-outcome.ts';
import type { StoredRecord } from '../records/record.ts';
import type { RecordsInView } from '../records/records-in-view.ts';
import type { StoreEntry } from '../records/store.ts';
import { present, toOccupied } from '../records/view.ts';

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
function state(
  fact: StoredRecord,
  { result, asOf, note }: Stated,
  now: number,
  near: RecordsInView,
): StoredRecord {
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

/** The same record as it is written anew. */
export const toNext = (fact: StoredRecord, was: StoreEntry, now: number): StoredRecord => ({
  ...fact,
  updatedAt: now,
  revision: (was.fact.revision ?? 1) + 1,
});

/** Lays a changed placement over what is near it, and answers what it disagrees with then. */
function lay(was: StoredRecord, next: StoredRecord, near: RecordsInView) {
  const [before, after] = [toOccupied(placement, was), toOccupied(placement, next)];
  for (const id of before) near.occupy(id, -1);
  const warnings = before.length === 0 && after.length > 0 ? (placement.warn?.(next, near) ?? []) : [];
  for (const id of after) near.occupy(id, 1);
  near.write(placement.name, next);
  return warnings;
}

/** States the outcome of a placement, in the place of what was stated before. */
export function stateOutcome(id: string, stated: Stated, context: Context): Promise<Outcome> {
  return changeOne(placement, id, context, [], (was, _, { now, near }) => {
    const next = toNext(state(was.fact, stated, now, near), was, now);
    const warnings = lay(was.fact, next, near);
    const row = present(placement, next, near, toDay(now));
    return {
      writing: { puts: [{ kind: placement.name, fact: next, was }], occupies: near.occupies },
      outcome: { status: 200, headers: { ETag: toRecordTag(row) }, body: { type: 'OK', placement: row } },
      warnings,
    };
  });
}
