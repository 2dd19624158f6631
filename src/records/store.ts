import type { RateTally } from '../kernel/rate-limit.ts';
import type { Growth } from '../kernel/service.ts';
import type { StoredRecord } from './record.ts';

/** A record of a workspace as a store keeps it; `seq` counts up from 1 within the workspace and is never given twice. */
export interface StoreEntry {
  kind: string;
  seq: number;
  fact: StoredRecord;
}

/** What a workspace is, beside its records. */
export interface WorkspaceHead {
  /** What its records live under: it stays while the id that opens the workspace may change. Only its store reads it. */
  key: string;
  /** In milliseconds since the epoch, as `expiresAt`, when it is forgotten. */
  createdAt: number;
  expiresAt: number;
  revision: number;
  /** Of the facts as JSON in UTF-8, and of the replies kept under an Idempotency-Key. */
  bytes: number;
  /** Records by the name of their kind; what is 0 may be missing. */
  counts: Readonly<Record<string, number>>;
  /** What else is kept of it: small, and replaced whole. */
  state: Readonly<Record<string, unknown>>;
  /** What was charged in it, in the latest month that anything was. */
  used: Used;
}

/** Calls that were charged in a month, by operation. */
export interface Used {
  /** The month in UTC, as `2026-11`; empty where nothing was ever charged. */
  period: string;
  calls: Readonly<Record<string, number>>;
}

/** Calls to charge. Without calls it only checks the limit. A charge to an earlier month counts in the latest one. */
export interface Charge extends Used {
  /** What the calls of the month may come to, in millionths, at this revision alone where there is one. Absent: counted. */
  limit?: {
    /** A call costs `price` once those `included` are used up; what is not named costs nothing. */
    rates: Readonly<Record<string, { price: number; included: number }>>;
    authorised: number;
    revision?: number;
  };
}

/** What stands under a name in a workspace: the record that has the name. */
export interface Found {
  record?: StoreEntry;
  /** How many records hold what has the name, wherever that lives. */
  occupants: number;
}

/** A fact to keep: of a new record, or in the place of what `was` there. */
export interface Put {
  kind: string;
  fact: StoredRecord;
  was?: StoreEntry;
}

export interface Writing {
  /** In the order in which new ones are counted. */
  puts?: readonly Put[];
  removes?: readonly StoreEntry[];
  /** What is added to how many hold each name. */
  occupies?: Readonly<Record<string, number>>;
  /** What else is kept of the workspace from now on. */
  state?: Readonly<Record<string, unknown>>;
  /** Until when it lives from now on, where that is not as the change says. */
  expiresAt?: number;
  /** The hash that opens the workspace from now on, in the place of the one that did. */
  rename?: string;
  /**
   * Names, as hashes in hex, that lead to the workspace without its id, and to what has the id `to` in it. One may lead
   * there before the rest is written, so that what it leads to has to know it too.
   */
  points?: Readonly<Record<string, { to: string; expiresAt: number }>>;
  /** Such names that lead nowhere from now on. */
  unpoints?: readonly string[];
  /** Forgets the workspace whole, with every reply kept in it. */
  forget?: true;
  /** What a repetition of the change is answered from, under its key; a store hands it back as it is. */
  reply?: string;
}

/** One atomic step: what is read, what is made of it, and for how long the workspace lives after it. */
export interface Change<T> {
  /** `toWorkspaceHash` of the id, in hex: a store never sees the id itself. */
  workspace: string;
  /** true makes the workspace, and is answered `unknown` where one stands there; false changes one that exists. */
  mint: boolean;
  /** The time now and the new expiry, in milliseconds since the epoch. A later expiry is never shortened. */
  now: number;
  expiresAt: number;
  /**
   * Bytes are counted as in `WorkspaceHead`; the change that makes a workspace may take any number of them, and one that
   * takes no more than before is never `full` by them.
   */
  ceiling: { records: number; bytes: number };
  /**
   * What a change under an Idempotency-Key is known by until `expiresAt`. The name is the SHA-256 of the key and its
   * scope, in hex: a store never sees the key itself.
   */
  key?: { name: string; fingerprint: string };
  needs: readonly string[];
  /**
   * What is written and answered, given what stands under each of `needs`, in their order, and the workspace, where
   * there is one already. What it throws ends the change, and nothing is written. It may be asked again, where the
   * workspace changed in between. A `charge` is counted with what is written, unless that forgets the workspace.
   */
  decide(
    found: readonly Found[],
    head: WorkspaceHead | undefined,
  ): { writing: Writing; answer: T; charge?: Charge | undefined };
  /** Called before anything is written that makes the store larger. What it throws ends the change. */
  admit?(growth: Growth): void;
}

/**
 * `done` once it is durable; `replay` with the kept reply where the key was used for the same request, `mismatch`
 * where it was used for another; `full` where it would take more than the ceiling; `over` where its charge would take
 * more than is authorised; `unknown` where the workspace is gone. Nothing but `done` changes anything, and the key is
 * looked at before all else.
 */
export type Changed<T> =
  | { result: 'done'; answer: T }
  | { result: 'mismatch' | 'full' | 'over' | 'unknown' }
  | { result: 'replay'; reply: string };

export interface Slice {
  kind: string;
  order: 'newest' | 'oldest';
  /** The `seq` that those wanted come after, in that order; undefined for the first. */
  after?: number | undefined;
  limit: number;
}

interface Counting {
  windowMs: number;
  /** What was let through already, or is given back where it is negative: added whatever the quota. */
  add: number;
  /** How many more are asked for: added after that, as many as fit in the quota. */
  wanted: number;
  quota: number;
}

/**
 * Adds to what a caller used of a quota, by a name, and answers what that is now, and how many of those wanted are in it.
 * It is counted as `createRateLimit` does, for all instances as one, and by the clock of the store. It need not be
 * durable, and only a store of several instances has it.
 */
export type Count = (name: string, counting: Counting) => Promise<RateTally & { granted: number }>;

export interface Room {
  used: number;
  free: number;
  /** Absent where counting them takes long. */
  workspaces?: number;
}

/**
 * Where workspaces live. One file in src/stores is one driver. Each verb rejects with the Refusal
 * `store_unavailable`, its cause told for an operator, while the store cannot be reached or written to, and
 * works again once it can. A verb costs what it touches, however much the workspace holds.
 */
export interface Store {
  /** The workspace with this hash, or undefined where there is none or it expired at or before `now`. */
  open(workspace: string, now: number): Promise<WorkspaceHead | undefined>;
  /**
   * The workspace that a name of `points` leads to, with the hash that opens it now, and the id of what the name leads to
   * in it; undefined where one of them expired at or before `now`.
   */
  follow(name: string, now: number): Promise<(WorkspaceHead & { hash: string; to: string }) | undefined>;
  find(key: string, names: readonly string[]): Promise<Found[]>;
  read(key: string, slice: Slice): Promise<StoreEntry[]>;
  change<T>(change: Change<T>): Promise<Changed<T>>;
  /**
   * Charges the workspace at a key, and changes neither its revision nor its expiry; false, and nothing is charged,
   * where that is more than is authorised, or its limit holds at another revision. One that is gone is charged nothing.
   * A store of one process that ends without closing may lose the last second of this.
   */
  charge(key: string, charge: Charge): Promise<boolean>;
  /** Makes a small write durable, as a change is, which goes away by itself. Rejects where that cannot be done now. */
  check(): Promise<void>;
  /**
   * Calls `heard` with the key of each workspace once a change of it is durable, whoever made it; without a key where
   * some may not have been heard. A charge is no change. For one listener.
   */
  onChange?(heard: (key?: string) => void): void;
  count?: Count;
  /** Counters since it was opened: `commits` that made changes durable, `creates` of records in them. */
  stats?(): Record<string, number>;
  /** Calls that failed because the store did, by their cause, a stable word in snake_case. */
  faults?(): Record<string, number>;
  /** Bytes that the store takes, without what it can fill again, and bytes that its disk has left. Rejects while it cannot tell. */
  room?(): Room | Promise<Room>;
  /** Milliseconds that the workspace that expired first has waited to be forgotten, where that is its work. */
  overdue?(now: number): number;
  close(): Promise<void>;
}
