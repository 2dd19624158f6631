import type { StoredRecord } from '../workspace/record.ts';

export const parties = ['client', 'candidate'] as const;
export type Party = (typeof parties)[number];

export const statedResults = ['retained', 'converted', 'attrited', 'finished'] as const;
type StatedResult = (typeof statedResults)[number];

/** Reasons that make an end within the guarantee a fall-off. */
export const fallOffReasons = ['candidate-left', 'client-ended', 'other'] as const;
export const endReasons = [
  'candidate-left',
  'client-ended',
  'cancelled',
  'finished',
  'converted',
  'other',
] as const;
export type EndReason = (typeof endReasons)[number];

/** The answer of a party to a statement; `at` is in milliseconds since the epoch. */
export interface Answer {
  agrees: boolean;
  at: number;
  comment?: string;
}

/**
 * A token that was issued to a party, and the party's answer to the current statement. `token` is a hash, and `expiresAt`
 * is in milliseconds since the epoch.
 */
interface Confirmation {
  party: Party;
  token: string;
  expiresAt: number;
  answer?: Answer;
}

/** A statement of an outcome; `at` is in milliseconds since the epoch. */
export interface Statement {
  result: StatedResult;
  asOf: string;
  at: number;
  note?: string;
  /** Why the placement ended, as sent with a fall-off. */
  endReason?: (typeof fallOffReasons)[number];
  /** Whether the statement wrote the end of the placement, because none was recorded. The end then goes with it. */
  wroteEnd?: true;
  /** The job order as it was when the statement was made, or null if it was gone. */
  order: StatedOrder | null;
  /** The reference that a party sees: the ref, or the initials of the candidate. Absent if there is neither. */
  reference?: string | undefined;
}

export interface StatedOrder {
  title: string;
  client: string;
}

/** A comment on a placement that came through a link to its shortlist. */
export interface ShortlistComment {
  /** Milliseconds since the epoch. */
  at: number;
  comment: string;
  reviewer?: string;
  /** Names the link. */
  link: string;
}

/** What the service stores with a placement besides what the caller sent. */
export interface StoredOutcome {
  stated?: Statement;
  confirmations?: readonly Confirmation[];
  /** The parties that ever disagreed. Each must agree with the statement before the outcome is validated. */
  disputedBy?: readonly Party[];
  validated?: { at: number; receipt?: string };
  /** When its end was recorded as a conversion, in milliseconds since the epoch. */
  convertedAt?: number;
  comments?: readonly ShortlistComment[];
  /** The credentials of the candidate when the client declined. */
  declinedWith?: readonly string[];
}

/** A stored placement. Only seed placements have an `outcome` of their own. */
export type PlacementRecord = StoredRecord & {
  candidateId: string;
  jobOrderId: string;
  startDate?: string | undefined;
  plannedEndDate?: string | undefined;
  endDate?: string | undefined;
  endReason?: EndReason | undefined;
  guaranteeDays?: number;
  hoursPerWeek?: number;
  billRateUsdHour?: number;
  payRateUsdHour?: number;
  outcome?: { result: StatedResult | 'pending'; validated: boolean };
  evidence?: StoredOutcome;
};
