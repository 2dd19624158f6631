import { Refusal } from '../kernel/refusal.ts';
import { listDisputing } from './outcome.ts';
import type { Answer, Party, PlacementRecord, StoredOutcome } from './placement-record.ts';
import { outcomeRefusals } from './refusals.ts';
import { refuseClosed } from './state-outcome.ts';

/**
 * Returns the outcome with the answer of a party, and whether that validates it. An agreement does, unless a party still
 * disagrees.
 */
export function addAnswer(
  outcome: StoredOutcome,
  party: Party,
  answer: Answer,
): { evidence: StoredOutcome; isValidated: boolean } {
  const { confirmations: before = [], disputedBy = [] } = outcome;
  const confirmations = before.map((issued) => (issued.party === party ? { ...issued, answer } : issued));
  const evidence = { ...outcome, confirmations };
  if (!answer.agrees)
    return {
      evidence: { ...evidence, disputedBy: [...new Set([...disputedBy, party])] },
      isValidated: false,
    };
  return { evidence, isValidated: listDisputing(evidence).length === 0 };
}

/** Throws a Refusal if nothing is stated, or if the outcome takes no answer any more. `now` is in milliseconds. */
export function refuseUnanswerable(fact: PlacementRecord, now: number): void {
  if (!fact.evidence?.stated) throw new Refusal(outcomeRefusals.no_outcome);
  refuseClosed(fact, now);
}
