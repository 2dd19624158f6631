import type { HistoryEntry } from './activity.ts';

/** A move of a record from one status to another, which a caller requested. */
export interface Transition {
  /** Milliseconds since the epoch. */
  at: number;
  from: string;
  to: string;
  reason?: string;
  /** The link that requested it, if no holder of the workspace did. */
  by?: 'shortlist';
  /** Whom that link was for. */
  reviewer?: string;
}

/** A record as it is stored: its id and what its caller sent, but nothing that follows from other records. */
export interface StoredRecord {
  id: string;
  onetCode: string;
  /** The caller's own name for it, unique within its kind in a workspace. */
  ref?: string;
  /** Milliseconds since the epoch. A seed record has neither. */
  createdAt?: number;
  updatedAt?: number;
  /** 1 if absent. */
  revision?: number;
  transitions?: readonly Transition[];
  /** What changed in it before it was imported, oldest first, as the export says. */
  history?: readonly HistoryEntry[];
  /** The status that its caller requested. It stays, whatever other records say. */
  asked?: string;
  /** What the service stores of the record in addition to what its caller sent. */
  evidence?: object;
  [member: string]: unknown;
}

/** A record in a workspace. An entry never changes: a changed record gets a new entry with the same number. */
export interface Entry {
  /** The name of its kind. */
  kind: string;
  /** Counts up from 1 within the workspace. No number is used twice. */
  seq: number;
  record: StoredRecord;
  /** Bytes of the record as JSON in UTF-8. */
  bytes: number;
}
