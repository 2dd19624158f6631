import * as v from 'valibot';
import { mayNamed } from '../kernel/text.ts';
import type { OccupationService } from '../occupations/service.ts';
import { warnOfUnusualPay } from '../records/kind/fields/unusual-pay.ts';
import type { PatchedRecord, RecordChange } from '../records/kind/kind.ts';
import type { View } from '../workspace/view.ts';
import { reviseClientWords } from './client-words.ts';
import { refuseTooManyProposals, warnOfConflicts } from './conflicts.ts';
import { checkEnd, completeEnd, endEntries, findMove, refuseOtherPlan } from './ending.ts';
import type { PlacementRecord } from './placement-record.ts';
import { reviseOutcome } from './revise-outcome.ts';
import { isAccepted, isOpen, moves, stages, statuses } from './stages.ts';

const declineReason = mayNamed(
  v.picklist(['client', 'candidate', 'closed', 'other'], 'must be client, candidate, closed or other'),
  'Decline reason',
  'Who declined it, or why; with status declined.',
);

/** A change can correct the day or the reason of an end alone. A created record has both or neither. */
const needs = {
  change: { declineReason: ['status'] },
  batch: { endDate: ['endReason'], endReason: ['endDate'], declineReason: ['status'] },
};

/** The stages are stored. The status of an accepted placement follows from its days. */
export const lifecycle = {
  statuses,
  stored: stages,
  initial: ['proposed'],
  moves,
  hints: { declined: 'Propose the person again.' },
  describeCall(status: string, { candidateId, jobOrderId, onetCode }: PlacementRecord) {
    if (status !== 'declined') return undefined;
    const body = { candidateId, jobOrderId, onetCode, status: 'proposed' };
    return `Send POST /placements (createPlacement) ${JSON.stringify(body)}.`;
  },
  details: {
    entries: { ...endEntries, declineReason },
    needs,
    reasons: ['endReason', 'declineReason'],
    check: checkEnd,
  },
};

const howToPropose = 'Send status "proposed" to leave the decision to people.';

/** Says that placements were accepted because no status was sent. Returns undefined if each was sent with one. */
function explainAcceptance(sent: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const accepted = sent.filter(({ status }) => status === undefined).length;
  if (accepted === 0) return undefined;
  if (accepted === sent.length) return `Accepted, because no status was sent. ${howToPropose}`;
  return `${accepted} of the ${sent.length} placements: accepted, because no status was sent. ${howToPropose}`;
}

export const rules = {
  readPatch({ before, merged, patch, today }: PatchedRecord<PlacementRecord>) {
    const record = completeEnd(before, merged, patch);
    refuseOtherPlan(before, record, patch);
    return { record, ...findMove(before, record, patch, today) };
  },
  revise(change: RecordChange<PlacementRecord>): Pick<PlacementRecord, 'evidence'> {
    const evidence = reviseClientWords(change, reviseOutcome(change).evidence);
    return Object.keys(evidence).length > 0 || change.before.evidence ? { evidence } : {};
  },
  refuseSurplus: refuseTooManyProposals,
  explainDefaults: explainAcceptance,
  warn: (record: PlacementRecord, view: View, service: OccupationService, today: string) => [
    ...warnOfConflicts(record, view, today),
    ...warnOfUnusualPay(record, service, { hasSalary: false }),
  ],
  startsHolding: (before: PlacementRecord, after: PlacementRecord) => isOpen(before) && isAccepted(after),
};
