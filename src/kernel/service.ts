import type { Call } from './call.ts';

/** What the core asks of the machine it runs on. */
export interface Platform {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Fresh unguessable bytes. */
  randomBytes(count: number): Uint8Array;
  /** Waits until the event loop has read what arrived. One caller goes on in each turn; clients take turns. */
  pause(client?: string): Promise<void>;
  /** SHA-256 in lower-case hex. */
  sha256(text: string): string | Promise<string>;
}

/** What an operator decides of workspaces. */
export interface WorkspaceSettings {
  /** Seconds a workspace lives after its last write. */
  retentionSeconds: number;
  /** Records a workspace may hold. */
  recordCeiling: number;
  /** The same two of a workspace that a person has claimed. */
  claimedRetentionSeconds: number;
  claimedRecordCeiling: number;
  /** Zero bits that a proof of work must begin with. */
  workBits: number;
  /** Whether work and claims are offered. */
  ladder: boolean;
}

/** Calls that one address may make in a minute. */
interface Rates {
  /** Of those that are answered live. */
  live: number;
  /** Of those that make a workspace. */
  mint: number;
}

/** What an operator decides. */
export interface Settings extends WorkspaceSettings {
  /** The published origin, without a trailing slash. */
  baseUrl: string;
  /** `mailto:` or `https:` address for security reports, or undefined. */
  contact: string | undefined;
  /** Origins beside our own that may call /mcp from a page. */
  allowedOrigins: readonly string[];
  /** Whether the card declares the executable suite, for judges that can run one. */
  declareTestSuite: boolean;
  /** false in a build for static hosting only: nothing answers a POST. */
  live: boolean;
  /** Absent where the host limits nobody. */
  rates?: Rates;
}

/** A call that may make a workspace was let through: what to tell the caller, and to tell how it ended. */
export interface Admission {
  headers: Record<string, string>;
  /** Called once: whether a workspace was made. */
  settle(made: boolean): void;
}

/** What a host may add: limits and observability that the core itself has no part in. */
export interface Watch {
  /** Asked before a workspace is made for the caller at this address. Throws a Refusal. */
  admitMint?(client: string | undefined): Admission | Promise<Admission>;
  /** Told of every fault behind a refusal, and of the call that met it. */
  report?(error: unknown, call?: Call): void;
  /** Whether new work should be sent here; true where a host does not say. */
  isReady?(): boolean;
}

/** Everything that was known when the service was built. Each domain declares what it adds; each host loads it. */
export interface Catalogue {
  /** The commit that was built, where the host tells it. */
  commit?: string;
  /** Tells what this build answers from what others do, where the host knows. */
  build?: string;
}

/** The whole service: the table, the facts and the machine. Each domain declares what it adds. */
export interface Service {
  catalogue: Catalogue;
  settings: Settings;
  platform: Platform;
  watch: Watch;
  /** The answer at a frozen address, where the host has it at hand. */
  frozenText?(path: string): string | undefined;
}

/** What a static build says wherever its words would else promise a live service; an MCP server card takes 100 characters. */
export const preview =
  'This is a static preview: searches, workspaces, creates (POST) and /mcp need the live service.';
