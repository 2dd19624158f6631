import { candidate } from '../candidates/candidate.ts';
import { placement } from '../placements/placement.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

/** The decisions on a placement, and the status that each gives it. */
export const decisions = { interview: 'interviewing', decline: 'declined' } as const;
export type ShortlistDecision = keyof typeof decisions;

/** How long a decision can be undone. */
const undoMs = 10 * 60_000;

interface MadeDecision {
  decision: ShortlistDecision;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Returns the last decision on a placement through a link, if there is one. */
export function findDecision({ transitions = [] }: StoredRecord): MadeDecision | undefined {
  const last = transitions.findLast(({ by }) => by === 'shortlist');
  const names = Object.keys(decisions) as ShortlistDecision[];
  const decision = last && names.find((name) => decisions[name] === last.to);
  return decision && { decision, at: last.at };
}

/** Whether the placement was changed after its decision, with or without a move. */
const isChangedSince = ({ asked, updatedAt, transitions = [] }: StoredRecord, made: MadeDecision): boolean =>
  asked !== decisions[made.decision] || updatedAt !== made.at || transitions.at(-1)?.by !== 'shortlist';

/** Whether the candidate was proposed again for the same order after the decision. */
const isProposedSince = (fact: StoredRecord, { at }: MadeDecision, view: View): boolean =>
  view
    .listReferring(placement.name, fact.candidateId as string)
    .some(
      ({ id, jobOrderId, createdAt = 0 }) =>
        id !== fact.id && jobOrderId === fact.jobOrderId && createdAt >= at,
    );

/**
 * Returns the time before which a decision can be undone, in milliseconds since the epoch. It may be over. Returns
 * undefined if nothing was decided, or something followed: a change of the placement, another proposal of the candidate for
 * the same order, or the candidate's withdrawal.
 */
export function findUndoEnd(fact: StoredRecord, view: View): number | undefined {
  const made = findDecision(fact);
  if (!made || isChangedSince(fact, made) || isProposedSince(fact, made, view)) return undefined;
  const person = view.find(candidate.name, fact.candidateId as string);
  return person?.asked === 'withdrawn' ? undefined : made.at + undoMs;
}
