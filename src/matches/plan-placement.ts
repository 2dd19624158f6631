import { mostProposals } from '../placements/conflicts.ts';
import { listProposals } from '../placements/holding.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

/** Returns the days of a placement for a job order. Without its last day it would hold the person after the order. */
export function readTerms(
  order: StoredRecord,
  today: string,
): { startDate?: string; plannedEndDate?: string } {
  const { startDate, endDate } = order as { startDate?: string; endDate?: string };
  return {
    ...(startDate !== undefined && startDate >= today && { startDate }),
    ...(endDate !== undefined && { plannedEndDate: endDate }),
  };
}

/**
 * Returns a function that says how to propose a person for an order: by `placement`, a row for `/batch`, or `placementId`
 * of the open placement that proposes the person already. Call it once for each person, in the sequence of the plan,
 * because an order takes only so many proposals.
 */
export function createProposer({ record }: ViewedRecord, view: View, today: string) {
  const { id: jobOrderId, onetCode } = record;
  const proposals = listProposals(view, jobOrderId);
  const openIds = new Map(proposals.map(({ candidateId, id }) => [candidateId, id]));
  const terms = readTerms(record, today);
  let room = mostProposals - proposals.length;
  return (candidateId: string): object => {
    const placementId = openIds.get(candidateId);
    if (placementId !== undefined) return { placementId };
    if (room <= 0) return {};
    room -= 1;
    return { placement: { candidateId, jobOrderId, onetCode, ...terms, status: 'proposed' } };
  };
}
