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
}

/** A record that a change adds, or puts in the place of the one with its number. */
export interface WrittenRecord {
  entry: Entry;
  /** The record as JSON. */
  text: string;
  isNew: boolean;
}

/** A part of what a workspace holds, in the order of numbers. */
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

/** All that one change writes. */
export interface Commit {
  /** The workspace before the change; undefined if the change makes it. */
  before: Head | undefined;
  /** The workspace after it; undefined deletes it with all that is in it. The key of a new one is given by the store. */
  after: Head | undefined;
  written: readonly WrittenRecord[];
  removed: readonly Entry[];
  keptReply?: KeptReply & { text: string };
  expiredReplies: readonly KeptReply[];
  /**
   * The token of the Idempotency-Key that makes the workspace, so that a key makes one workspace. When the change is
   * written, the token must lead where `before` says, or to the workspace itself. A token that expired at `now` leads
   * nowhere.
   */
  keyToken?: { name: string; before: TokenTarget | undefined; to: string; expiresAt: number; now: number };
  /** Tokens that lead to the workspace from now on, by the SHA-256 of each in hex. */
  addedTokens: Readonly<Record<string, { to: string; expiresAt: number }>>;
  removedTokens: readonly string[];
  activity?: ActivityEntry;
}

/** One change, as a store runs it. Its functions are synchronous, and none of them throws but `decide`. */
export interface Step {
  /** The key of the workspace, or the hash of one that is to be made: changes of one workspace run one after another. */
  turn: string;
  /** Decides what to write; undefined writes nothing. What it throws rejects the step, and no other. */
  decide(): Commit | undefined;
  /** Applies what was written to memory. It runs before anything else is decided for the workspace. */
  apply(commit: Commit, key: string): void;
  /** Forgets the workspace in memory, because the change may or may not have been written. */
  forget(): void;
}

/**
 * `written`, if everything is durable, or if nothing was to be written; `moved`, if the workspace has another version
 * than `before`, if it exists although it was to be made, or if its key led elsewhere. Then nothing was written.
 */
export type StepResult = 'written' | 'moved';

export interface Room {
  /** Bytes that the store takes, without what it can fill again. */
  used: number;
  /** Bytes that its disk has left. */
  free: number;
  /** Absent if counting them takes long. */
  workspaces?: number;
}

interface QuotaRequest {
  windowMs: number;
  /** Added whatever the quota: what was let through already, or is given back if negative. */
  add: number;
  /** How many more are wanted: as many as fit in the quota are added after that. */
  wanted: number;
  quota: number;
}

/** Adds to what a caller used of a quota that all instances share, by the clock of the store. It need not be durable. */
export type QuotaCounter = (name: string, counting: QuotaRequest) => Promise<RateTally & { granted: number }>;

/**
 * Where workspaces are kept. A file of src/stores implements it for one database. Each verb rejects with the Refusal
 * `store_unavailable`, whose cause is for an operator, while the database does not work.
 */
export interface Store {
  /** Whether others change it too, so that a workspace in memory has to be compared with it before each use. */
  readonly isShared: boolean;
  /** Reads the head of the workspace that a hash opens. Returns undefined if there is none. */
  open(hash: string): Promise<Head | undefined>;
  /** Reads the head of the workspace with this key. */
  openByKey(key: string): Promise<Head | undefined>;
  /** Returns where a token leads, or undefined if it is unknown or expired at `now`. */
  follow(token: string, now: number): Promise<TokenTarget | undefined>;
  /** Reads what a workspace holds in slices, between which other calls are served. */
  load(head: Head): AsyncIterable<Slice>;
  /** Reads the text of a kept reply, once nothing of it can be lost any more. */
  readReply(head: Head, reply: KeptReply): Promise<string | undefined>;
  /** Reads entries of the activity: those before a revision, newest first, or those after one, oldest first. */
  readActivity(
    head: Head,
    range: { before?: number; after?: number; limit: number },
  ): Promise<readonly ActivityEntry[]>;
  /** Runs one change. Rejects with what `decide` throws, or with `store_unavailable`. */
  commit(step: Step): Promise<StepResult>;
  /**
   * Charges a workspace for a read. Returns what it used, or undefined if the charge is over its limit. It changes
   * neither revision nor version, and a crash may lose the last second of it.
   */
  charge(head: Head, charge: Charge): Promise<MonthlyCalls | undefined>;
  /** Makes a small write durable, as a change is. */
  check(): Promise<void>;
  /** Calls `listener` with the key of each workspace that changed, or without one if changes may have been missed. */
  onChange(listener: (key?: string) => void): void;
  /** Counts for all instances. Absent if there is one instance only. */
  count?: QuotaCounter;
  /** Counters since it was opened: `commits` that made changes durable, and `creates` of records in them. */
  stats(): Record<string, number>;
  /** Calls that failed because the store did, by cause, a stable word in snake_case. */
  faults(): Record<string, number>;
  room?(): Room | Promise<Room>;
  /** Milliseconds for which the workspace that expired first has waited to be deleted. Absent if the database does that. */
  overdue?(now: number): number;
  close(): Promise<void>;
}
