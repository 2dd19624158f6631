import type { Warning } from '../kernel/envelope.ts';
import { dayOf } from '../records/kind/day-of.ts';
import type { View } from '../workspace/view.ts';
import type { PlacementRecord } from './placement-record.ts';
import { isAccepted, isOpen } from './stages.ts';
import { isOver } from './status.ts';

/** Warns if a record that is to be deleted has open proposals, or placements that are not over. */
export function warnOfRemoval(id: string, view: View, today: string): Warning[] {
  const isLive = (placement: PlacementRecord) =>
    isAccepted(placement) && !isOver(placement, dayOf(placement, view, today));
  const live = (view.listReferring('placement', id) as PlacementRecord[]).filter(
    (placement) => isOpen(placement) || isLive(placement),
  );
  if (live.length === 0) return [];
  const count =
    live.length === 1
      ? 'one placement that is open or not over'
      : `${live.length} placements that are open or not over`;
  const message = `has ${count}; they stay, and hold nothing once it is gone`;
  return [{ code: 'has_placements', path: 'id', message }];
}
