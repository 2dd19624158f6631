import type { StoredRecord } from '../model/record.ts';

/** A workspace as it is read: its records in the order of their making, oldest first. */
export interface Workspace {
  /** When it is forgotten, in milliseconds since the epoch. */
  expiresAt: number;
  records: StoredRecord[];
}

/** One record to keep, and for how long the workspace lives after it. */
export interface Addition {
  /** SHA-256 of the workspace id, in hex: a store never sees the id itself. */
  workspace: string;
  /** true makes the workspace with its first record; false adds to one that exists. */
  mint: boolean;
  record: Omit<StoredRecord, 'seq'>;
  /** How many records a workspace may hold. */
  ceiling: number;
  /** The time now and the new expiry, in milliseconds since the epoch. */
  now: number;
  expiresAt: number;
}

/** `added` once it is durable; `full` at the ceiling; `unknown` where the workspace is gone. */
export type Added = 'added' | 'full' | 'unknown';

/** Where workspaces live. One file in src/stores is one driver. */
export interface Store {
  /** The workspace with this hash, or undefined where there is none or it expired before `now`. */
  get(workspace: string, now: number): Workspace | undefined | Promise<Workspace | undefined>;
  /** Adds one record in one atomic step. */
  add(addition: Addition): Added | Promise<Added>;
  /** Rejects where the store cannot take a write now. A driver without it is asked for a workspace that is not. */
  check?(): void | Promise<void>;
  /** Counters since it was opened, by name in snake_case. */
  stats?(): Record<string, number>;
  close(): void | Promise<void>;
}
