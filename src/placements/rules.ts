import * as v from 'valibot';
import { mayNamed } from '../kernel/text.ts';
import type { OccupationService } from '../occupations/service.ts';
import { warnOfUnusualPay } from '../records/fields/unusual-pay.ts';
import type { PatchedRecord, RecordChange } from '../records/kind.ts';
import type { View } from '../workspace/view.ts';
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
  details: {
    entries: { ...endEntries, declineReason },
    needs,
    reasons: ['endReason', 'declineReason'],
    check: checkEnd,
  },
};

export const rules = {
  readPatch({ before, merged, patch, today }: PatchedRecord<PlacementRecord>) {
    const record = completeEnd(before, merged, patch);
    refuseOtherPlan(before, record, patch);
    return { record, ...findMove(before, record, patch, today) };
  },
  revise: (change: RecordChange<PlacementRecord>) => reviseOutcome(change),
  refuseSurplus: refuseTooManyProposals,
  warn: (record: PlacementRecord, view: View, service: OccupationService, today: string) => [
    ...warnOfConflicts(record, view, today),
    ...warnOfUnusualPay(record, service, { hasSalary: false }),
  ],
  startsHolding: (before: PlacementRecord, after: PlacementRecord) => isOpen(before) && isAccepted(after),
};
