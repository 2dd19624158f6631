import type { Fact } from './kind.ts';

/** A record of a workspace as a store keeps it; `seq` counts up from 1 within the workspace. */
export interface StoredRecord {
  /** The name of its kind. */
  kind: string;
  seq: number;
  fact: Fact;
}

/** What a workspace is, beside its records. */
export interface WorkspaceHead {
  /** When it is forgotten, in milliseconds since the epoch. */
  expiresAt: number;
}

/** How much a workspace may hold. */
interface Ceiling {
  records: number;
  /** Of the facts as JSON in UTF-8; the first record of a workspace may take any number. */
  bytes: number;
}

/** What a create under an Idempotency-Key is known by. All of it is kept until the `expiresAt` of the create. */
interface KeptReply {
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
  ceiling: Ceiling;
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
 * `store_unavailable`, its cause told for an operator, while the store cannot be reached or written to, and
 * works again once it can.
 */
export interface Store {
  /** The workspace with this hash, or undefined where there is none or it expired at or before `now`. */
  open(workspace: string, now: number): WorkspaceHead | undefined | Promise<WorkspaceHead | undefined>;
  /**
   * Every record of a workspace, oldest first; none where there is no workspace. What is large is read in slices,
   * between which others get their turn.
   */
  readAll(workspace: string, now: number): Promise<StoredRecord[]>;
  /**
   * The records with these ids, and for each id one placement that holds it, if there is one; an id that nothing
   * has gives nothing. Costs the same however much the workspace holds.
   */
  find(workspace: string, now: number, ids: readonly string[]): StoredRecord[] | Promise<StoredRecord[]>;
  /** Adds one record, and its key if there is one, in one atomic step. */
  add(addition: Addition): Added | Promise<Added>;
  /** Makes a small write durable, as a create is, which goes away by itself. Rejects where that cannot be done now. */
  check(): void | Promise<void>;
  /**
   * Counters since it was opened, by name in snake_case: `commits` that made creates durable (with SQLite, each
   * is one flush to disk), `creates` that they made durable.
   */
  stats?(): Record<string, number>;
  /** Calls that failed because the store did, by their cause, a stable word in snake_case. */
  faults?(): Record<string, number>;
  close(): void | Promise<void>;
}
