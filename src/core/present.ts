import { addDays } from '../model/calendar-date.ts';
import type { Candidate } from '../model/candidate.ts';
import type { JobOrder } from '../model/job-order.ts';
import type { Placement } from '../model/placement.ts';
import type { CandidateFact, FactOf, JobOrderFact, Kind, PlacementFact, RecordOf } from '../model/record.ts';

/** Days after the start by which a placement's outcome is to be validated. */
export const outcomeDays = 90;

/** Ids by the kind of record that they are of. */
export type References = Record<'candidate' | 'jobOrder', { has(id: string): boolean }>;

/** What a record needs to know of the records around it. */
export interface Surroundings {
  /** The UTC day it is read as of. */
  today: string;
  example: boolean;
  /** The references that resolve to a record in view. */
  known: References;
  /** What a placement that has not ended early holds. */
  taken: References;
}

/** Makes the record of a kind that a fact reads as among its surroundings. */
export const presenters: { [K in Kind]: (fact: FactOf[K], around: Surroundings) => RecordOf[K] } = {
  candidate: toCandidate,
  jobOrder: toJobOrder,
  placement: toPlacement,
};

const toOccupationHref = (code: string) => `/occupations/${code}`;

function toOutcome({ startDate, outcome }: PlacementFact): Placement['outcome'] {
  return {
    result: outcome?.result ?? 'pending',
    validateBy: startDate ? addDays(startDate, outcomeDays) : null,
    validated: outcome?.validated ?? false,
  };
}

/** `ended-early` if attrited, else by how the start and the 90th day after it stand to `today`. */
export function toPlacementStatus(fact: PlacementFact, today: string): Placement['status'] {
  const { result, validateBy } = toOutcome(fact);
  if (result === 'attrited') return 'ended-early';
  if (!fact.startDate || fact.startDate > today) return 'scheduled';
  return validateBy !== null && validateBy <= today ? 'completed' : 'active';
}

function toPlacement(fact: PlacementFact, { today, example, known }: Surroundings): Placement {
  const { outcome: _, ...fields } = fact;
  const { candidateId, jobOrderId, onetCode } = fields;
  return {
    ...fields,
    status: toPlacementStatus(fact, today),
    outcome: toOutcome(fact),
    example,
    links: {
      self: `/placements/${fact.id}`,
      candidate: known.candidate.has(candidateId) ? `/candidates/${candidateId}` : null,
      jobOrder: known.jobOrder.has(jobOrderId) ? `/job-orders/${jobOrderId}` : null,
      occupation: toOccupationHref(onetCode),
    },
  };
}

function toCandidate(fact: CandidateFact, { example, taken }: Surroundings): Candidate {
  return {
    ...fact,
    status: taken.candidate.has(fact.id) ? 'placed' : 'available',
    example,
    links: {
      self: `/candidates/${fact.id}`,
      occupation: toOccupationHref(fact.onetCode),
      jobOrders: `/job-orders?status=open&occupation=${fact.onetCode}`,
    },
  };
}

function toJobOrder(fact: JobOrderFact, { example, taken }: Surroundings): JobOrder {
  return {
    ...fact,
    status: taken.jobOrder.has(fact.id) ? 'filled' : 'open',
    example,
    links: {
      self: `/job-orders/${fact.id}`,
      occupation: toOccupationHref(fact.onetCode),
      candidates: `/candidates?status=available&occupation=${fact.onetCode}`,
    },
  };
}
