import { type CandidateHolds, noHolds } from '../job-orders/gate.ts';
import { addDays } from '../kernel/text.ts';
import { dayOf } from '../records/day-of.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { fullTimeHours, type Hold, readPeriod } from './period.ts';
import type { PlacementRecord } from './placement-record.ts';
import { isAccepted, isOpen } from './stages.ts';
import { hasEndedEarly, isOver } from './status.ts';

/** What the service keeps of a candidate beside what its caller sent. */
interface CandidateAvailability {
  /** When the candidate was last moved to available, in milliseconds since the epoch. */
  availableAt?: number;
}

const readAvailableAt = (candidate: StoredRecord): number =>
  (candidate.evidence as CandidateAvailability | undefined)?.availableAt ?? Number.NEGATIVE_INFINITY;

/** What a candidate keeps of a move to available. Conversions that were recorded by then hold it no longer. */
export const keepAvailable = (now: number): { evidence: CandidateAvailability } => ({
  evidence: { availableAt: now },
});

/** When a conversion that ended a placement was recorded. It is later than the last move of its candidate to available. */
export function findConversionTime({ candidateId }: PlacementRecord, view: View, now: number): number {
  const candidate = view.find('candidate', candidateId);
  return candidate ? Math.max(now, readAvailableAt(candidate) + 1) : now;
}

/** Whether both records that a placement refers to exist. If one does not, the other is not held either. */
function isBetweenTwo({ candidateId, jobOrderId }: PlacementRecord, view: View): boolean {
  if (view.find('candidate', candidateId) === undefined) return false;
  return view.find('jobOrder', jobOrderId) !== undefined;
}

/** Lists the accepted placements that refer to a record, and hold it. */
function listAccepted(view: View, id: string, but?: string): PlacementRecord[] {
  const placements = view.listReferring('placement', id) as PlacementRecord[];
  return placements.filter((one) => one.id !== but && isAccepted(one) && isBetweenTwo(one, view));
}

/** Counts the openings of a job order that are taken: a placement takes one unless it ended early. */
export const countTaken = (view: View, orderId: string, but?: string): number =>
  listAccepted(view, orderId, but).filter((one) => one.jobOrderId === orderId && !hasEndedEarly(one)).length;

/** Counts the open proposals for a job order. */
export const countProposals = (view: View, orderId: string, but?: string): number =>
  view.countReferring(
    'placement',
    orderId,
    (one) => one.id !== but && one.jobOrderId === orderId && isOpen(one),
  );

function listPlacementsOf(candidate: StoredRecord, view: View, but?: string): PlacementRecord[] {
  return listAccepted(view, candidate.id, but).filter(({ candidateId }) => candidateId === candidate.id);
}

/** When a placement that is over became a conversion, in milliseconds since the epoch; undefined if it is none. */
function readConversion({ endDate, endReason, evidence }: PlacementRecord): number | undefined {
  if (endReason === 'converted') return evidence?.convertedAt ?? Date.parse(endDate!);
  return evidence?.stated?.result === 'converted' ? evidence.stated.at : undefined;
}

/** Whether a placement that is over still holds its candidate: the client took the person on. */
function isConverted(placement: PlacementRecord, candidate: StoredRecord): boolean {
  const convertedAt = readConversion(placement);
  return convertedAt !== undefined && convertedAt > readAvailableAt(candidate);
}

/** Whether a placement of a candidate is not over. */
export const isAtWork = (candidate: StoredRecord, view: View, today: string): boolean =>
  listPlacementsOf(candidate, view).some((one) => !isOver(one, dayOf(one, view, today)));

/** Whether a candidate is placed: at work, to start, or taken on by a client and not available since. */
export const isPlaced = (candidate: StoredRecord, view: View, today: string): boolean =>
  listPlacementsOf(candidate, view).some(
    (one) => !isOver(one, dayOf(one, view, today)) || isConverted(one, candidate),
  );

/** Lists the days on which placements hold a candidate, apart from the placement with the id `but`. */
export function listHolds(candidate: StoredRecord, view: View, today: string, but?: string): Hold[] {
  const holds: Hold[] = [];
  for (const one of listPlacementsOf(candidate, view, but)) {
    const day = dayOf(one, view, today);
    const period = readPeriod(one, day);
    if (isOver(one, day) && isConverted(one, candidate))
      holds.push({ from: day, hours: fullTimeHours, ...period, to: null });
    else if (period) holds.push(period);
  }
  return holds;
}

/** Hours a week that a candidate works. */
export const readHoursPerWeek = ({
  hoursPerWeek = fullTimeHours,
}: StoredRecord & { hoursPerWeek?: number }) => hoursPerWeek;

const latest = (...days: readonly string[]): string => days.toSorted().at(-1)!;

/** Returns the first day from which nothing holds a candidate, or null if no end of that is known. */
export function readFreeFrom(candidate: StoredRecord, view: View, today: string): string | null {
  const { availableFrom = today } = candidate as { availableFrom?: string };
  let free = latest(today, availableFrom);
  for (const { to } of listHolds(candidate, view, today)) {
    const next = to === null ? null : addDays(to, 1);
    if (next === null) return null;
    free = latest(free, next);
  }
  return free;
}

/**
 * Returns what holds the candidate with this id, apart from the placement with the id `but`. A candidate of the seed to
 * which no placement of the workspace refers is read as of the day of the seed.
 */
export function readHeld(candidateId: string, view: View, today: string, but?: string): CandidateHolds {
  const candidate = view.find('candidate', candidateId);
  if (!candidate) return noHolds;
  const isReferredTo = (view.workspace?.listReferring(candidateId).size ?? 0) > 0;
  const day = isReferredTo ? today : dayOf(candidate, view, today);
  return { holds: listHolds(candidate, view, day, but), today: day };
}
