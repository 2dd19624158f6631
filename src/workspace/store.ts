import type { RateTally } from '../kernel/rate-limit.ts';
import type { ActivityEntry } from './activity.ts';
import type { Charge, MonthlyCalls } from './charge.ts';
import type { Head, KeptReply } from './head.ts';
import type { Entry } from './record.ts';

/** A record as a store keeps it: JSON under its number. */
export interface StoredText {
  kind: string;
  seq: number;
  text: string;
  /** Bytes of the record in the store in UTF-8, if it was upgraded when it was read. */
  bytes?: number;
}

/** A record that a change adds, or with which it replaces the record of the same number. */
export interface WrittenRecord {
  entry: Entry;
  /** The record as JSON. */
  text: string;
  isNew: boolean;
}

/** A part of the content of a workspace, in the order of numbers. */
export interface Slice {
  records: readonly StoredText[];
  replies: readonly KeptReply[];
}

/** Where a token leads: to a workspace, and to something in it. */
export interface TokenTarget {
  /** The key of the workspace. */
  key: string;
  /** What the token is for in that workspace, such as the id of a record. */
  to: string;
}

/** Everything that one change writes. */
export interface Commit {
  /** The workspace before the change, or undefined if the change makes it. */
  before: Head | undefined;
  /** The workspace after it, or undefined to delete it with everything in it. The store gives a new one its key. */
  after: Head | undefined;
  written: readonly WrittenRecord[];
  removed: readonly Entry[];
  keptReply?: KeptReply & { text: string };
  expiredReplies: readonly KeptReply[];
  /**
   * The token of the Idempotency-Key that makes the workspace, so that a key makes only one. When the change is
   * written, the token must lead where `before` says, or to the workspace itself. A token that expired at `now` leads
   * nowhere.
   */
  keyToken?: { name: string; before: TokenTarget | undefined; to: string; expiresAt: number; now: number };
  /**
   * Tokens that lead to the workspace from now on, by the SHA-256 of each in hex. They are stored even if the change
   * deletes the workspace, until they expire.
   */
  addedTokens: Readonly<Record<string, { to: string; expiresAt: number }>>;
  removedTokens: readonly string[];
  /** What it did, in order, each with a revision of its own. The last has the revision of `after`. */
  activity: readonly ActivityEntry[];
}

/** The other members of a commit that writes only the head of a workspace. */
export const noChange: Omit<Commit, 'before' | 'after'> = {
  written: [],
  removed: [],
  expiredReplies: [],
  addedTokens: {},
  removedTokens: [],
  activity: [],
};

/**
 * How a write ended. An object: everything is durable, in the workspace with this key.
 *
 * `moved`: nothing was written, because the workspace has another version than `before`. `taken`: nothing was written,
 * because the workspace to make exists, or its key leads elsewhere.
 */
export type WriteResult = { key: string } | 'moved' | 'taken';

export interface Room {
  /** Bytes that the store takes, without the space in it that it can use again. */
  used: number;
  /** Bytes that are left on its disk. */
  free: number;
  /** Absent if counting them takes long. */
  workspaces?: number;
}

interface QuotaRequest {
  windowMs: number;
  /** Added whatever the quota: what was already allowed, or what is given back if negative. */
  add: number;
  /** How many more are wanted. As many as fit in the quota are added. */
  wanted: number;
  quota: number;
}

/** Adds to what a caller used of a quota that all instances share, by the store's clock. It need not be durable. */
export type QuotaCounter = (name: string, counting: QuotaRequest) => Promise<RateTally & { granted: number }>;

/**
 * Stores workspaces. Each file of src/stores implements it for one database. While the database does not work, each
 * method rejects with the Refusal `store_unavailable`, whose cause is for an operator.
 */
export interface Store {
  /** Whether other processes change it too. A workspace in memory is then compared with it before each use. */
  readonly isShared: boolean;
  /** Reads the head of the workspace that a hash opens. Returns undefined if there is none. */
  open(hash: string): Promise<Head | undefined>;
  /** Reads the head of the workspace with this key. */
  openByKey(key: string): Promise<Head | undefined>;
  /** Returns where a token leads, or undefined if it is unknown or expired at `now`. */
  follow(token: string, now: number): Promise<TokenTarget | undefined>;
  /** Reads the content of a workspace in slices. Other calls are served between them. */
  load(head: Head): AsyncIterable<Slice>;
  /** Reads the text of a stored reply, when none of it can be lost any more. */
  readReply(head: Head, reply: KeptReply): Promise<string | undefined>;
  /** Reads entries of the activity: before a revision, newest first, or after a revision, oldest first. */
  readActivity(
    head: Head,
    range: { before?: number; after?: number; limit: number },
  ): Promise<readonly ActivityEntry[]>;
  /**
   * Writes a change whole, or not at all. Rejects with `store_unavailable` if it may or may not be written. `hasMore` says
   * whether more changes of the workspace wait in this process: one that other processes change too keeps its turn.
   */
  write(commit: Commit, hasMore?: boolean): Promise<WriteResult>;
  /**
   * Charges a workspace for a read. Returns what it used, or undefined if the charge is over its limit. It does not
   * change the revision or the version. A crash may lose the last second of charges.
   */
  charge(head: Head, charge: Charge): Promise<MonthlyCalls | undefined>;
  /** Makes a small write durable, like a change. */
  check(): Promise<void>;
  /**
   * Calls `listener` with the key of each changed workspace, once the change is in memory here, or without a key if changes
   * may have been missed.
   */
  onChange(listener: (key?: string) => void): void;
  /** Counts for all instances. Absent if there is only one. */
  count?: QuotaCounter;
  /** Counters since it was opened: `commits` that made changes durable, and `creates` of records in them. */
  stats(): Record<string, number>;
  /** How many calls failed because the store did, by cause in snake_case. Causes are stable. */
  faults(): Record<string, number>;
  room?(): Room | Promise<Room>;
  /** Milliseconds since the first workspace expired that is not deleted yet. Absent if the database deletes it. */
  overdue?(now: number): number;
  close(): Promise<void>;
}
