import type { StoredRecord } from '../model/record.ts';

/** A workspace as it is read: its records in the order of their making, oldest first. */
export interface Workspace {
  /** When it is forgotten, in milliseconds since the epoch. */
  expiresAt: number;
  records: StoredRecord[];
}

/** What a create under an Idempotency-Key is known by. All of it is kept until the `expiresAt` of the create. */
export interface KeptReply {
  /** SHA-256 of the key and its scope, in hex: a store never sees the key itself. */
  name: string;
  /** SHA-256 of what was asked, in hex. */
  fingerprint: string;
  /** What a replay is rebuilt from; a store hands it back as it is. */
  reply: string;
}

/** One record to keep, and for how long the workspace lives after it. */
export interface Addition {
  /** `toWorkspaceHash` of the id, in hex: a store never sees the id itself. */
  workspace: string;
  /** true makes the workspace with its first record; false adds to one that exists. */
  mint: boolean;
  record: Omit<StoredRecord, 'seq'>;
  /** How many records a workspace may hold. */
  ceiling: number;
  /** The time now and the new expiry, in milliseconds since the epoch. A later expiry is never shortened. */
  now: number;
  expiresAt: number;
  key?: KeptReply;
}

/**
 * `added` once it is durable; `replay` with the kept reply where the key was used for the same request,
 * `mismatch` where it was used for another; `full` at the ceiling; `unknown` where the workspace is gone.
 * Nothing but `added` changes anything, and the key is looked at before all else.
 */
export type Added =
  | { result: 'added' | 'mismatch' | 'full' | 'unknown' }
  | { result: 'replay'; reply: string };

/**
 * Where workspaces live. One file in src/stores is one driver. Each verb throws or rejects with the Refusal
 * `store_unavailable` while the store cannot be reached or written to, and works again once it can.
 */
export interface Store {
  /** The workspace with this hash, or undefined where there is none or it expired at or before `now`. */
  get(workspace: string, now: number): Workspace | undefined | Promise<Workspace | undefined>;
  /** Adds one record, and its key if there is one, in one atomic step. */
  add(addition: Addition): Added | Promise<Added>;
  /** Makes a small write durable, as a create is, which goes away by itself. Rejects where that cannot be done now. */
  check(): void | Promise<void>;
  /**
   * Counters since it was opened, by name in snake_case: `commits` that made creates durable (with SQLite, each
   * is one flush to disk), `creates` that they made durable, `failures` of calls because the store failed.
   */
  stats?(): Record<string, number>;
  /** The `failures` of `stats` by their cause, a stable word in snake_case. */
  faults?(): Record<string, number>;
  close(): void | Promise<void>;
}
