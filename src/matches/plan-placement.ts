import { mostProposals } from '../placements/conflicts.ts';
import { listProposals } from '../placements/holding.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import type { View } from '../workspace/view.ts';

/**
 * Returns a function that says how to propose a person for an order: by `placement`, a row for `/batch`, or `placementId`
 * of the open placement that proposes the person already. Call it once for each person, in the sequence of the plan,
 * because an order takes only so many proposals.
 */
export function createProposer({ record }: ViewedRecord, view: View, today: string) {
  const { id: jobOrderId, onetCode } = record;
  const { startDate, endDate } = record as { startDate?: string; endDate?: string };
  const proposals = listProposals(view, jobOrderId);
  const openIds = new Map(proposals.map(({ candidateId, id }) => [candidateId, id]));
  // Without its last day, a placement would hold the person after the order has ended.
  const terms = {
    ...(startDate !== undefined && startDate >= today && { startDate }),
    ...(endDate !== undefined && { plannedEndDate: endDate }),
  };
  let room = mostProposals - proposals.length;
  return (candidateId: string): object => {
    const placementId = openIds.get(candidateId);
    if (placementId !== undefined) return { placementId };
    if (room <= 0) return {};
    room -= 1;
    return { placement: { candidateId, jobOrderId, onetCode, ...terms, status: 'proposed' } };
  };
}
