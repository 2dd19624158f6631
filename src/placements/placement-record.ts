import type { StoredRecord } from '../workspace/record.ts';

export const parties = ['client', 'candidate'] as const;
export type Party = (typeof parties)[number];

export const statedResults = ['retained', 'converted', 'attrited', 'finished'] as const;
type StatedResult = (typeof statedResults)[number];

/** Reasons of an end that is a fall-off if it is within the guarantee. */
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

/** Yes or no to a statement, in milliseconds since the epoch. */
export interface Answer {
  agrees: boolean;
  at: number;
  comment?: string;
}

/** A token that was issued to a party, by its hash, and what was answered with it to the statement as it is. */
interface Confirmation {
  party: Party;
  token: string;
  expiresAt: number;
  answer?: Answer;
}

/** What was stated of an outcome; `at` in milliseconds since the epoch. */
export interface Statement {
  result: StatedResult;
  asOf: string;
  at: number;
  note?: string;
  /** Why the placement ended, of a fall-off that nothing but the statement records. */
  endReason?: (typeof fallOffReasons)[number];
  /** The job order as it was then, null if that was gone. */
  order: StatedOrder | null;
}

export interface StatedOrder {
  title: string;
  client: string;
}

/** What the service keeps of a placement beside what its caller sent. */
export interface StoredOutcome {
  stated?: Statement;
  confirmations?: readonly Confirmation[];
  /** The parties that ever disagreed. Nothing is validated until each of them has agreed with what is stated. */
  disputedBy?: readonly Party[];
  validated?: { at: number; receipt?: string };
  /** When its end was recorded as a conversion, in milliseconds since the epoch. */
  convertedAt?: number;
}

/** What is stored of a placement; only seed placements have an `outcome` of their own. */
export type PlacementRecord = StoredRecord & {
  candidateId: string;
  jobOrderId: string;
  startDate?: string | undefined;
  plannedEndDate?: string | undefined;
  endDate?: string | undefined;
  endReason?: EndReason | undefined;
  guaranteeDays?: number;
  hoursPerWeek?: number;
  outcome?: { result: StatedResult | 'pending'; validated: boolean };
  evidence?: StoredOutcome;
};
