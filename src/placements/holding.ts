import { addDays } from '../kernel/text.ts';
import { dayOf } from '../records/kind/day-of.ts';
import { fullTimeHours } from '../records/kind/fields/work.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { type CandidateHolds, type Hold, noHolds } from './period.ts';
import type { PlacementRecord } from './placement-record.ts';
import { isAccepted, isOpen } from './stages.ts';
import { hasEndedEarly, isCancelled, isOver, readPeriod } from './status.ts';

/** What the service stores with a candidate besides what the caller sent. */
interface CandidateAvailability {
  /** When the candidate was last moved to available, in milliseconds since the epoch. */
  availableAt?: number;
}

const readAvailableAt = (candidate: StoredRecord): number =>
  (candidate.evidence as CandidateAvailability | undefined)?.availableAt ?? Number.NEGATIVE_INFINITY;

/** Returns what a candidate stores of a move to available. Conversions recorded by then no longer hold it. */
export const keepAvailable = (now: number): { evidence: CandidateAvailability } => ({
  evidence: { availableAt: now },
});

/**
 * Returns when a conversion is recorded, in milliseconds since the epoch. It is `now`, or later if that is needed to come
 * after the candidate's last move to available.
 */
export function findConversionTime({ candidateId }: PlacementRecord, view: View, now: number): number {
  const candidate = view.find('candidate', candidateId);
  return candidate ? Math.max(now, readAvailableAt(candidate) + 1) : now;
}

/** Whether both records that a placement refers to exist. If one is gone, the placement holds neither. */
function isBetweenTwo({ candidateId, jobOrderId }: PlacementRecord, view: View): boolean {
  if (view.find('candidate', candidateId) === undefined) return false;
  return view.find('jobOrder', jobOrderId) !== undefined;
}

/** Lists the accepted placements that hold a record, apart from the one with the id `but`. */
function listAccepted(view: View, id: string, but?: string): PlacementRecord[] {
  const placements = view.listReferring('placement', id) as PlacementRecord[];
  return placements.filter(
    (placement) => placement.id !== but && isAccepted(placement) && isBetweenTwo(placement, view),
  );
}

/** Counts the taken openings of a job order. An accepted placement takes one unless it ended early. */
export const countTaken = (view: View, orderId: string, but?: string): number =>
  listAccepted(view, orderId, but).filter(
    (placement) => placement.jobOrderId === orderId && !hasEndedEarly(placement),
  ).length;

export const countProposals = (view: View, orderId: string, but?: string): number =>
  view.countReferring(
    'placement',
    orderId,
    (placement) => placement.id !== but && placement.jobOrderId === orderId && isOpen(placement),
  );

/** Lists the open proposals of a job order. */
export const listProposals = (view: View, orderId: string): StoredRecord[] =>
  view
    .listReferring('placement', orderId)
    .filter((placement) => placement.jobOrderId === orderId && isOpen(placement));

function listPlacementsOf(candidate: StoredRecord, view: View, but?: string): PlacementRecord[] {
  return listAccepted(view, candidate.id, but).filter(({ candidateId }) => candidateId === candidate.id);
}

/**
 * Returns the ids of the candidates who cannot be planned for a job order: those whom it holds, and those with whom a
 * placement was declined or ended early, unless they are proposed again. A placement that was declined because the order
 * closed, or cancelled, says nothing about the two.
 */
export function listExcludedCandidates(orderId: string, view: View, today: string): Set<string> {
  const placements = (view.listReferring('placement', orderId) as PlacementRecord[]).filter(
    ({ jobOrderId }) => jobOrderId === orderId,
  );
  const listIds = (test: (placement: PlacementRecord) => boolean) =>
    placements.filter(test).map(({ candidateId }) => candidateId);
  const declined = listIds(({ asked, declineReason }) => asked === 'declined' && declineReason !== 'closed');
  const left = listIds(
    (placement) => isAccepted(placement) && hasEndedEarly(placement) && !isCancelled(placement),
  );
  const held = listIds((placement) => isAccepted(placement) && !isOver(placement, today));
  const proposed = new Set(listIds(isOpen));
  return new Set([...[...declined, ...left].filter((id) => !proposed.has(id)), ...held]);
}

/** Returns when a placement became a conversion, in milliseconds since the epoch, or undefined if it is none. */
function readConversion({ endDate, endReason, evidence }: PlacementRecord): number | undefined {
  if (endReason === 'converted') return evidence?.convertedAt ?? Date.parse(endDate!);
  return evidence?.stated?.result === 'converted' ? evidence.stated.at : undefined;
}

/** Whether a placement that is over still holds its candidate, because the client hired the person. */
function isConverted(placement: PlacementRecord, candidate: StoredRecord): boolean {
  const convertedAt = readConversion(placement);
  return convertedAt !== undefined && convertedAt > readAvailableAt(candidate);
}

/** Whether a candidate has a placement that is not over. It may start later. */
export const isAtWork = (candidate: StoredRecord, view: View, today: string): boolean =>
  listPlacementsOf(candidate, view).some((placement) => !isOver(placement, dayOf(placement, view, today)));

/** Whether a candidate has a placement that is not over, or was hired by a client and not made available since. */
export const isPlaced = (candidate: StoredRecord, view: View, today: string): boolean =>
  listPlacementsOf(candidate, view).some(
    (placement) => !isOver(placement, dayOf(placement, view, today)) || isConverted(placement, candidate),
  );

/** Lists the days on which placements hold a candidate, apart from the placement with the id `but`. */
export function listHolds(candidate: StoredRecord, view: View, today: string, but?: string): Hold[] {
  const holds: Hold[] = [];
  for (const placement of listPlacementsOf(candidate, view, but)) {
    const day = dayOf(placement, view, today);
    const period = readPeriod(placement, day, view.find('jobOrder', placement.jobOrderId));
    if (isOver(placement, day) && isConverted(placement, candidate))
      holds.push({ from: day, hours: fullTimeHours, ...period, to: null });
    else if (period) holds.push(period);
  }
  return holds;
}

export const readHoursPerWeek = ({
  hoursPerWeek = fullTimeHours,
}: StoredRecord & { hoursPerWeek?: number }) => hoursPerWeek;

const later = (day: string, other: string): string => (other > day ? other : day);

/** Returns the first day from which no placement holds a candidate, or null if one has no known end. */
export function readFreeFrom(candidate: StoredRecord, view: View, today: string): string | null {
  const { availableFrom = today } = candidate as { availableFrom?: string };
  let free = later(today, availableFrom);
  for (const { to } of listHolds(candidate, view, today)) {
    const next = to === null ? null : addDays(to, 1);
    if (next === null) return null;
    free = later(free, next);
  }
  return free;
}

/**
 * Returns what holds a candidate, apart from the placement with the id `but`. A seed candidate that nothing in the
 * workspace refers to is read as of the seed's day.
 */
export function readHeld(candidateId: string, view: View, today: string, but?: string): CandidateHolds {
  const candidate = view.find('candidate', candidateId);
  if (!candidate) return noHolds;
  const isReferredTo = (view.workspace?.listReferring(candidateId).size ?? 0) > 0;
  const day = isReferredTo ? today : dayOf(candidate, view, today);
  return { holds: listHolds(candidate, view, day, but), today: day };
}
