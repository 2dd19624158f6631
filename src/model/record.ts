import type * as v from 'valibot';
import { Candidate, CandidateBody, CandidateStatus } from './candidate.ts';
import { JobOrder, JobOrderBody, JobOrderStatus } from './job-order.ts';
import { Placement, PlacementBody, PlacementStatus } from './placement.ts';

/** The three kinds of record that a caller can make: their names, address, fields and status values. */
export const recordKinds = {
  candidate: {
    noun: 'candidate',
    plural: 'candidates',
    collection: 'candidates',
    path: '/candidates',
    prefix: 'cand_',
    body: CandidateBody,
    record: Candidate,
    statuses: CandidateStatus.options,
  },
  jobOrder: {
    noun: 'job order',
    plural: 'job orders',
    collection: 'jobOrders',
    path: '/job-orders',
    prefix: 'job_',
    body: JobOrderBody,
    record: JobOrder,
    statuses: JobOrderStatus.options,
  },
  placement: {
    noun: 'placement',
    plural: 'placements',
    collection: 'placements',
    path: '/placements',
    prefix: 'plc_',
    body: PlacementBody,
    record: Placement,
    statuses: PlacementStatus.options,
  },
} as const;

export type Kind = keyof typeof recordKinds;

/** What is kept of a candidate: no status, no links. */
export type CandidateFact = v.InferOutput<typeof CandidateBody> & { id: string };
/** What is kept of a job order. */
export type JobOrderFact = v.InferOutput<typeof JobOrderBody> & { id: string };
/** What is kept of a placement; only seed placements have an outcome of their own. */
export type PlacementFact = v.InferOutput<typeof PlacementBody> & {
  id: string;
  outcome?: { result: Placement['outcome']['result']; validated: boolean };
};

export interface FactOf {
  candidate: CandidateFact;
  jobOrder: JobOrderFact;
  placement: PlacementFact;
}

export interface RecordOf {
  candidate: Candidate;
  jobOrder: JobOrder;
  placement: Placement;
}

/** A record of a workspace as a store keeps it; `seq` counts up from 1 within the workspace. */
export interface StoredRecord {
  kind: Kind;
  seq: number;
  fact: CandidateFact | JobOrderFact | PlacementFact;
}
