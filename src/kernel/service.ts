import type { AnswerCache } from './cache.ts';
import type { Call } from './call.ts';
import type { NearMisses } from './near-miss.ts';
import type { NoSigner, Signer } from './signer.ts';
import type { RunSteps } from './steps.ts';

export interface Platform {
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(count: number): Uint8Array;
  /** Runs work on many things, so that others are served in between. */
  runSteps: RunSteps;
  /** SHA-256 in lower-case hex. */
  sha256(text: string): string | Promise<string>;
}

/** What survives a crash of the store: every acknowledged write, all but the last second, or nothing for sure. */
export type Durability = 'always' | 'second' | 'none';

interface WorkspaceSettings {
  /** `always` by default. */
  durability?: Durability;
  /** Seconds that a workspace lives after its last write, and the number of records that it may have. */
  retentionSeconds: number;
  recordCeiling: number;
  /** The same two values after a person has claimed the workspace. */
  claimedRetentionSeconds: number;
  claimedRecordCeiling: number;
  /** The number of zero bits at the beginning of a proof of work. */
  workBits: number;
  /** Whether the service offers work and claims. */
  ladder: boolean;
  /** `on` refuses calls above the ceiling. `count` counts calls and never refuses. */
  meter: 'on' | 'count';
}

export interface Settings extends WorkspaceSettings {
  /** The published origin, without a trailing slash. */
  baseUrl: string;
  /** `baseUrl` if the operator named it. Absent if it is only the address of this machine. */
  publishedUrl?: string | undefined;
  /** Whether nothing answers at `baseUrl`, so that links lead nowhere. Absent: a host answers there. */
  hasNoAddress?: boolean;
  /** A `mailto:` or `https:` address for security reports. */
  contact: string | undefined;
  /** Other origins whose pages may call /mcp. `*` is every origin. */
  allowedOrigins: readonly string[];
  /** Whether the card declares the executable suite, for judges that can run one. */
  declareTestSuite: boolean;
  /** false in a build for static hosting, which cannot answer a POST. */
  live: boolean;
  /** How many live calls, and calls that make a workspace, one address may make in a minute. Absent without limits. */
  rates?: { live: number; mint: number };
}

export interface Admission {
  /** Sent to the caller. */
  headers: Record<string, string>;
  /** Must be called once. `made` says whether the admitted call succeeded. */
  settle(made: boolean): void;
}

/** How much larger a change makes the store. */
export interface Growth {
  /** New rows: records, stored replies and owners. */
  rows: number;
  /** Bytes that are added, less the bytes that the change removes. */
  bytes: number;
}

/** Who makes the store larger, and with what kind of change. */
export interface GrowthSource {
  /** The address of the caller. */
  client: string | undefined;
  /** The owner of the workspace, if it has one. The bytes count for the owner too. */
  owner?: string | undefined;
  /**
   * `answer`: a person answers what they were asked. `bounded`: it cannot make the store larger again and again, such
   * as a delete. `extra`: nothing waits for it, so it is refused as soon as there is no room. `change`: all others, of
   * which small ones pass.
   */
  kind: 'change' | 'answer' | 'bounded' | 'extra';
}

/** What a host may add: limits and observability. */
export interface Watch {
  /** Called before a workspace is made for the caller at this address. Throws a Refusal. */
  admitMint?(client: string | undefined): Admission | Promise<Admission>;
  /** Called before a caller at this address claims a workspace. Throws a Refusal. */
  admitClaim?(client: string | undefined): Admission | Promise<Admission>;
  /**
   * Called before a change that makes the store larger is written. Throws a Refusal. The returned function is called
   * when the change is durable.
   */
  admitGrowth?(growth: Growth, source: GrowthSource): () => void;
  /** Called with the calls that a workspace was charged for, by operation. */
  onCharge?(calls: Readonly<Record<string, number>>): void;
  /** Called with every fault behind a refusal, and the call that met it. */
  report?(error: unknown, call?: Call): void;
  /** Whether this process should get new work, after it has started. true by default. */
  isReady?(): Promise<boolean>;
}

/** What the kernel needs of the facts that are known when the service is built. src/service.ts lists all of them. */
interface KernelCatalogue {
  /** The commit that was built, if the host knows it. */
  commit?: string;
  /** Differs between builds that may answer differently. Absent if the host does not know it. */
  build?: string;
  /** The texts of content/papers by name. A place `{{name}}` is filled in when a text is read. */
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
  /** Absent in a browser and while the service is built. */
  cache?: AnswerCache;
  /** The signer, or why there is none. Absent in a browser and while the service is built. */
  signer?: Signer | NoSigner;
  /** Returns the text at a frozen address, if the host has it. */
  frozenText?(path: string): string | undefined;
}

/** The notice of a static build without a live service. At most 100 characters, for an MCP server card. */
export const preview =
  'This is a static preview: searches, workspaces, creates (POST) and /mcp need the live service.';

/** The same for documents that readers take addresses from. */
export const previewWithFiles = `${preview} If a file answers a query, it ignored the query.`;

/** Who opens a workspace: the owner, if there is a bearer, and the client whose share of loads it counts in. */
export interface Opener {
  bearer?: string | undefined;
  client?: string | undefined;
}
