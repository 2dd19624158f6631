import type { Positioned } from '../kernel/page.ts';

/** A move of a record from one status to another, which its caller asked for. */
interface Transition {
  /** In milliseconds since the epoch. */
  at: number;
  from: string;
  to: string;
  reason?: string;
  /** The link that asked for it, where none of its workspace did. */
  by?: 'shortlist';
}

/** What is kept of a record: its id and what its caller sent; nothing that follows from other records. */
export interface StoredRecord {
  id: string;
  onetCode: string;
  /** The caller's own name for it, unique within its kind in a workspace. */
  ref?: string;
  /** When it was made and last changed, in milliseconds since the epoch; a seed record has neither. */
  createdAt?: number;
  updatedAt?: number;
  /** 1 where it is absent. */
  revision?: number;
  transitions?: readonly Transition[];
  /** The status that its caller asked for and that stays, whatever other records say. */
  asked?: string;
  /** What is kept of it beside what its caller sent, and told only as far as its kind tells it. */
  evidence?: object;
  [member: string]: unknown;
}

export interface PresentedRecord {
  id: string;
  onetCode: string;
  status: string;
  links: { self: string } & Record<string, string | null>;
  [member: string]: unknown;
}

/** A record in view: as it is kept, how it reads, and its place among those of its kind. */
export interface ViewedRecord extends Positioned<PresentedRecord> {
  record: StoredRecord;
  /** That of its row, without the rest of it. */
  status(): string;
}

/** The names that a record is found by: its id and, where it has a `ref`, its kind and that. */
export function toNames({ kind, fact }: { kind: string; fact: StoredRecord }): string[] {
  return fact.ref === undefined ? [fact.id] : [fact.id, toRefName(kind, fact.ref)];
}

/** The name of the record of a kind that its maker calls `ref`. */
export const toRefName = (kind: string, ref: string) => `${kind}#${ref}`;
