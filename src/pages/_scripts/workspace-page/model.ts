import type { FormField } from '../contract.ts';

/** What the page knows of a kind of record: the build reads it from the kinds and the contract. */
export interface KindFacts {
  name: string;
  noun: string;
  plural: string;
  collection: string;
  path: string;
  prefix: string;
  statuses: string[];
  moves: { from: string[]; to: string; takes: string[] }[];
  /** What to do first, in a status that no move leaves. */
  stuck: Record<string, string>;
  fields: FormField[];
  /** What is sent with a move. */
  moving: FormField[];
  filters: FormField[];
  /** The kind that each member refers to. */
  references: Record<string, string>;
}

/** What the build gives the page. */
export interface PageFacts {
  kinds: KindFacts[];
  /** What is stated of an outcome, and who may be asked to confirm it. */
  outcome: FormField[];
  parties: string[];
  /** The most points of each factor of a match. */
  points: Record<string, number>;
  /** What one earned credit adds. */
  credit: { hours: number; records: number; included: number };
  /** Calls a month that the rate card includes, by operation, with what each does; undefined where unlimited. */
  rates: Record<string, { included?: number; summary: string }>;
  /** A batch of synthetic records to try the page with; `startDate` is in days from today, such as `-86`. */
  sample: Record<string, Record<string, unknown>[]>;
}

/** A record as the service presents it. */
export interface PresentedRecord {
  id: string;
  ref?: string;
  onetCode: string;
  status: string;
  example: boolean;
  revision?: number;
  createdAt?: string;
  updatedAt?: string;
  transitions?: { at: string; from: string; to: string; reason?: string }[];
  links: { self: string } & Record<string, string | null>;
  [member: string]: unknown;
}

export interface Outcome {
  result: 'pending' | 'retained' | 'converted' | 'attrited';
  validateBy: string | null;
  validated: boolean;
  asOf?: string;
  day?: number;
  statedAt?: string;
  note?: string;
  confirmations: { party: string; agrees: boolean; at: string; comment?: string }[];
  pending?: { party: string; expiresAt: string }[];
  disputed: boolean;
}

export interface Placement extends PresentedRecord {
  candidateId: string;
  jobOrderId: string;
  startDate?: string;
  endDate?: string;
  outcome: Outcome;
}

/** Whether it is a placement that was accepted: before that it has no course and no outcome. */
export const isPlacement = (row: PresentedRecord): row is Placement =>
  'outcome' in row && !['proposed', 'interviewing', 'offered', 'declined'].includes(row.status);

/** What was used of the rate card this month. */
export interface Usage {
  period: string;
  unit: string;
  settlement: string;
  operations: {
    operation: string;
    calls: number;
    included: number | 'unlimited';
    billable: number;
    amount: number;
  }[];
  total: number;
  hardCeiling: number;
  authorised: number;
  remaining: number;
}

/** What GET /workspace answers; members that only some hosts have may be missing. */
export interface WorkspaceFacts {
  handle?: string;
  createdAt: string;
  expiresAt: string;
  revision: number;
  rung?: 'sandbox' | 'worked' | 'claimed';
  claim?: 'none' | 'pending' | 'claimed';
  records: Record<string, number>;
  ceilings: { records: number; bytes: number };
  usage?: Usage;
  log?: { at: string; operation: string; by: string }[];
}

/** A record on the page, and the tag of the version that the person sees. */
export interface Shown {
  kind: KindFacts;
  row: PresentedRecord;
  tag: string | undefined;
}

/** Some records of a list, how many there are in all, and where the next page begins. */
export interface ListPage {
  rows: PresentedRecord[];
  total: number;
  next: string | undefined;
}
