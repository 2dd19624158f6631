import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { explainClosed } from '../job-orders/openings.ts';
import { toIsoDate } from '../kernel/text.ts';
import { placement } from '../placements/placement.ts';
import { dayOf } from '../records/kind/day-of.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { decisionNames, decisions, type ShortlistDecision, undoMinutes } from './decision-rules.ts';

const undoMs = undoMinutes * 60_000;

interface LinkDecision {
  decision: ShortlistDecision;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whom its link was for. */
  reviewer?: string | undefined;
}

/** Returns the last decision on a placement through a link, if there is one. */
export function findDecision({ transitions = [] }: StoredRecord): LinkDecision | undefined {
  const last = transitions.findLast(({ by }) => by === 'shortlist');
  const decision = last && decisionNames.find((name) => decisions[name] === last.to);
  return decision && { decision, at: last.at, reviewer: last.reviewer };
}

/** Whether the time in which a decision can be undone is over. */
export const isUndoOver = ({ at }: LinkDecision, now: number): boolean => now >= at + undoMs;

/** Whether the placement was changed after its decision, with or without a move. */
const isChangedSince = (
  { asked, updatedAt, transitions = [] }: StoredRecord,
  { decision, at }: LinkDecision,
): boolean => asked !== decisions[decision] || updatedAt !== at || transitions.at(-1)?.by !== 'shortlist';

/** Whether the candidate was proposed again for the same order after the decision. */
const isProposedSince = (fact: StoredRecord, { at }: LinkDecision, view: View): boolean =>
  view.countReferring(
    placement.name,
    fact.candidateId as string,
    ({ id, jobOrderId, createdAt = 0 }) =>
      id !== fact.id && jobOrderId === fact.jobOrderId && createdAt >= at,
  ) > 0;

/** Whether the job order of a placement is closed. Then a proposal that an undo brings back could not be decided again. */
function isOrderClosed(fact: StoredRecord, view: View, now: number): boolean {
  const order = view.find(jobOrder.name, fact.jobOrderId as string);
  return order !== undefined && explainClosed(order, dayOf(order, view, toIsoDate(now))) !== undefined;
}

/**
 * Returns the time before which the decision on a placement can be undone, in milliseconds since the epoch. Returns
 * undefined if nothing was decided, the time is over, or something followed: a change of the placement, another proposal of
 * the candidate for the same order, the candidate's withdrawal, or the close of the order.
 */
export function findUndoEnd(fact: StoredRecord, view: View, now: number): number | undefined {
  const decided = findDecision(fact);
  if (!decided || isUndoOver(decided, now)) return undefined;
  if (isChangedSince(fact, decided) || isProposedSince(fact, decided, view)) return undefined;
  if (isOrderClosed(fact, view, now)) return undefined;
  const person = view.find(candidate.name, fact.candidateId as string);
  return person?.asked === 'withdrawn' ? undefined : decided.at + undoMs;
}
