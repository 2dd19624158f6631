import type { MonthlyCalls } from './charge.ts';

/** What a workspace is, without its records. A head never changes: each change makes a new one. */
export interface Head {
  /** Names the workspace while it lives, although the hash that opens it may change. Chosen by its store. */
  key: string;
  /** SHA-256 of the id that opens it, in hex. A store never sees the id itself. */
  hash: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch. From then on the workspace is unknown. */
  expiresAt: number;
  /** Incremented by each change. */
  revision: number;
  /**
   * Different after each change. It has a random part, because a failover of the store can lose a revision, which is
   * then issued a second time.
   */
  version: string;
  /** The number of the newest record. */
  lastSeq: number;
  /** Bytes of its records as JSON in UTF-8, and of its stored replies. */
  bytes: number;
  /** How many records it has, by the name of their kind. A kind without records may be missing. */
  counts: Readonly<Record<string, number>>;
  /** Everything else that is stored of the workspace. It is small, and replaced as a whole. */
  state: Readonly<Record<string, unknown>>;
  /** The name of the Idempotency-Key that made the workspace, if one did. It is a token that leads to it. */
  mintKey?: string;
  /** What was charged in the latest month with a charge. */
  used: MonthlyCalls;
}

/**
 * A reply that is stored under an Idempotency-Key, without its text. The text stays in the store until it is replayed.
 */
export interface KeptReply {
  /** SHA-256 of the key and its scope, in hex. A store never sees the key itself. */
  name: string;
  /** SHA-256 of the request, in hex. */
  fingerprint: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Bytes of its text in UTF-8. */
  bytes: number;
}

/** How many records a workspace holds, of all kinds. */
export const countRecords = ({ counts }: Head): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
