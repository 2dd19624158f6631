import type { AnswerCache } from './cache.ts';
import type { Call } from './call.ts';
import type { NearMisses } from './near-miss.ts';
import type { NoSigner, Signer } from './signer.ts';

export interface Platform {
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(count: number): Uint8Array;
  /** Waits until the event loop has read what arrived; undefined if it just has. Clients, by address, take turns. */
  pause(client?: string): Promise<void> | undefined;
  /** SHA-256 in lower-case hex. */
  sha256(text: string): string | Promise<string>;
}

/** What outlives a crash of the store: all that was answered, all but the last second, or nothing for sure. */
export type Durability = 'always' | 'second' | 'none';

interface WorkspaceSettings {
  /** `always` where it is absent. */
  durability?: Durability;
  /** Seconds that a workspace lives after its last write, and records that it may have. */
  retentionSeconds: number;
  recordCeiling: number;
  /** The same two after a person has claimed it. */
  claimedRetentionSeconds: number;
  claimedRecordCeiling: number;
  /** Zero bits that a proof of work must begin with. */
  workBits: number;
  /** Whether work and claims are offered. */
  ladder: boolean;
  /** `on` holds the ceiling; `count` counts and never refuses. */
  meter: 'on' | 'count';
}

export interface Settings extends WorkspaceSettings {
  /** The published origin, without a trailing slash. */
  baseUrl: string;
  /** The same if the operator named it; absent if it is only the address of this machine. */
  publishedUrl?: string | undefined;
  /** `mailto:` or `https:` address for security reports. */
  contact: string | undefined;
  /** Origins beside our own whose pages may call /mcp; `*` is every origin. */
  allowedOrigins: readonly string[];
  /** Whether the card declares the executable suite, for judges that can run one. */
  declareTestSuite: boolean;
  /** false in a build for static hosting only: nothing answers a POST. */
  live: boolean;
  /** Live calls, and calls that make a workspace, that one address may make in a minute. Absent without limits. */
  rates?: { live: number; mint: number };
}

export interface Admission {
  /** Sent to the caller. */
  headers: Record<string, string>;
  /** Called once: whether what was admitted was done. */
  settle(made: boolean): void;
}

/** How much larger a change makes the store. */
export interface Growth {
  /** New rows: records, kept replies, and owners. */
  rows: number;
  /** Bytes of everything that is added, less what the change makes smaller. */
  bytes: number;
}

/** Who makes the store larger, and with what kind of change. */
export interface GrowthSource {
  /** The address of the caller. */
  client: string | undefined;
  /** Who the workspace belongs to, if anyone: its bytes count for them as well. */
  owner?: string | undefined;
  /**
   * `answer`: a person answers what they were asked. `bounded`: it cannot make the store larger again and again, as a
   * delete. `change`: all else.
   */
  kind: 'change' | 'answer' | 'bounded';
}

/** What a host may add: limits and observability. */
export interface Watch {
  /** Called before a workspace is made for the caller at this address. Throws a Refusal. */
  admitMint?(client: string | undefined): Admission | Promise<Admission>;
  /** Called before somebody at this address claims a workspace. Throws a Refusal. */
  admitClaim?(client: string | undefined): Admission | Promise<Admission>;
  /**
   * Called before a change is written that makes the store larger. Throws a Refusal. What it returns is called once the
   * change is durable.
   */
  admitGrowth?(growth: Growth, source: GrowthSource): () => void;
  /** Called with the calls that a workspace was charged for, by operation. */
  onCharge?(calls: Readonly<Record<string, number>>): void;
  /** Called with every fault behind a refusal, and the call that met it. */
  report?(error: unknown, call?: Call): void;
  /** Whether new work should be sent here, once this process has begun; true by default. */
  isReady?(): Promise<boolean>;
}

/** What the kernel needs of the facts that are known when the service is built. src/service.ts lists all of them. */
interface KernelCatalogue {
  /** The commit that was built, where the host knows it. */
  commit?: string;
  /** Differs between builds that may answer differently, where the host knows it. */
  build?: string;
  /** The texts of content/papers by name: each has a place `{{name}}` for what is not known before it is read. */
  papers: Readonly<Record<string, string>>;
  nearMisses: NearMisses;
}

/**
 * What the kernel gives to every operation. A room that needs more of the service extends this, as `RecordService` does.
 * The interface `Service` in src/service.ts lists everything.
 */
export interface KernelService {
  catalogue: KernelCatalogue;
  settings: Settings;
  platform: Platform;
  watch: Watch;
  /** Absent where nothing is kept: in a browser, and while the service is built. */
  cache?: AnswerCache;
  /** What signs, or why nothing does; absent in a browser and while the service is built. */
  signer?: Signer | NoSigner;
  /** The answer at a frozen address, where the host has it at hand. */
  frozenText?(path: string): string | undefined;
}

/** What a static build says in the place of a live service. At most 100 characters, for an MCP server card. */
export const preview =
  'This is a static preview: searches, workspaces, creates (POST) and /mcp need the live service.';
