import type { ActivityEntry } from '../workspace/activity.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { StoredText, TokenTarget } from '../workspace/store.ts';

/** A workspace with everything that its store holds of it, except its tokens. */
export interface WholeWorkspace {
  head: Head;
  /** By number. */
  records: StoredText[];
  /** By name. */
  replies: (KeptReply & { text: string })[];
  /** Oldest first. */
  activity: ActivityEntry[];
}

export interface StoredToken extends TokenTarget {
  name: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** A store as one end of a transfer. No service may use it meanwhile. Methods reject with a plain message. */
export interface TransferEnd {
  /** Lists the keys of all workspaces, in pages. */
  listKeys(): AsyncIterable<string[]> | Iterable<string[]>;
  readHead(key: string): Promise<Head | undefined>;
  /** Reads the head of the workspace that a hash opens. */
  find(hash: string): Promise<Head | undefined>;
  /** Reads a workspace. Records of an earlier release are upgraded. */
  read(key: string): Promise<WholeWorkspace | undefined>;
  /** Adds a workspace as a whole or not at all. Rejects if there is one that the same hash opens. */
  add(workspace: WholeWorkspace): Promise<void>;
  listTokens(): AsyncIterable<StoredToken[]> | Iterable<StoredToken[]>;
  readToken(name: string): Promise<StoredToken | undefined>;
  writeToken(token: StoredToken): Promise<void>;
  /** Flushes to disk what was written so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
