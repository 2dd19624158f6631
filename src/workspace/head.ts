import type { MonthlyCalls } from './charge.ts';

/** What a workspace is, beside its records. A head never changes: each change makes another. */
export interface Head {
  /** Names the workspace as long as it lives, while the hash that opens it may change. Chosen by its store. */
  key: string;
  /** SHA-256 of the id that opens it, in hex (see `toWorkspaceHash`). A store never sees the id itself. */
  hash: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch. The workspace is unknown from then on. */
  expiresAt: number;
  /** One more with each change. */
  revision: number;
  /**
   * Different after each change. It has a random part, because a failover of the store can lose a revision and give
   * it again.
   */
  version: string;
  /** The number that the newest record was given. */
  lastSeq: number;
  /** Of its records as JSON in UTF-8, and of the replies kept for repeated requests. */
  bytes: number;
  /** Records by the name of their kind. A kind without a record may be missing. */
  counts: Readonly<Record<string, number>>;
  /** Anything else that is kept of the workspace. It is small, and replaced as a whole. */
  state: Readonly<Record<string, unknown>>;
  /** The name of the Idempotency-Key that made it, if one did: a token that leads to it. */
  mintKey?: string;
  /** What was charged in the latest month in which anything was. */
  used: MonthlyCalls;
}

/** What is known of a reply that is kept under an Idempotency-Key. Its text stays in the store until it is replayed. */
export interface KeptReply {
  /** SHA-256 of the key and its scope, in hex: a store never sees the key itself. */
  name: string;
  /** SHA-256 of the request, in hex. */
  fingerprint: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Bytes of its text in UTF-8. */
  bytes: number;
}
