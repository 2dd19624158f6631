import type * as v from 'valibot';
import {
  type BriefBook,
  type BriefEntry,
  type BriefService,
  graderToken,
  type ShownBrief,
} from './briefs/brief.ts';
import { countCall } from './briefs/count-call.ts';
import { reactToChange } from './briefs/react-to-change.ts';
import type { DocumentService, Guide, GuideEntry } from './documents/service.ts';
import type { ServiceFacts } from './documents/service-facts.ts';
import type { AnswerCache } from './kernel/cache.ts';
import type { NearMisses } from './kernel/near-miss.ts';
import type { Capability, Operation, OperationReply } from './kernel/operation.ts';

import type { Opener, Platform, Settings, Watch } from './kernel/service.ts';
import type { NoSigner, Signer } from './kernel/signer.ts';
import type { Waits } from './kernel/waits.ts';
import { kinds } from './kinds.ts';
import { claimToken, isHandle, type LadderService, type Passkeys, resolveRungs } from './ladder/ladder.ts';
import { openAsOwner } from './ladder/owner.ts';
import type { Matching } from './matches/match.ts';
import { createMatcher, type Matcher, type MatchService, type MatchTables } from './matches/matcher.ts';
import type { McpService } from './mcp/service.ts';
import type { Tool } from './mcp/tools.ts';
import type { Successors } from './occupations/code.ts';
import type { OnetRelease } from './occupations/content-files.ts';
import type { Occupation, OccupationEntry } from './occupations/occupation.ts';
import type { OccupationService } from './occupations/service.ts';
import type { Summaries } from './occupations/summaries.ts';
import { createSearch, type Search } from './occupations/titles/search.ts';
import { confirmation } from './placements/confirmation.ts';
import type { MeteredDocument } from './pricing/document.ts';
import { createMeter, type Meter } from './pricing/meter.ts';
import type { Offers, PricingService, Rungs } from './pricing/offer.ts';
import { chargeRead, findReadOffer } from './records/account/usage.ts';
import { openWorkspace } from './records/account/workspace.ts';
import type { Kind } from './records/kind/kind.ts';
import { createListReferences } from './records/kind/kind-list.ts';
import { createSeedView, type Seed, type SeedView } from './records/read/view.ts';
import type { RecordService, RecordWorkspace } from './records/service.ts';
import { shortlistToken } from './shortlists/shortlist.ts';
import type { Store } from './workspace/store.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Everything that is known when the service is built. Each host loads it. */
export interface Catalogue {
  /** The commit that was built, if the host knows it. */
  commit?: string;
  /** Differs between builds that may answer differently. Absent if the host does not know it. */
  build?: string;
  /** The texts of content/papers by name. A place `{{name}}` is filled in when a text is read. */
  papers: Readonly<Record<string, string>>;
  /** Names that callers confuse with ours. */
  nearMisses: NearMisses;
  /** What the service says of itself: content/service.json. */
  service: ServiceFacts;
  /** The rate card. */
  pricing: MeteredDocument;
  /** Offers with every rung live. `presentOffer` adjusts them to this service. */
  offers: Offers;
  /** The data release behind the occupations. */
  onet: OnetRelease;
  /** All occupations, in the order of their codes. */
  occupations: OccupationEntry[];
  /** Returns the whole record of a code, or undefined. */
  occupation(code: string): Occupation | undefined | Promise<Occupation | undefined>;
  /** Returns the summary of every occupation by its code. */
  summaries(): Summaries | Promise<Summaries>;
  /** Codes that no longer exist, and what took their place. */
  successors: v.InferOutput<typeof Successors>;
  /** Returns the file that `createSearch` takes. */
  searchFile(): Uint8Array | Promise<Uint8Array>;
  /** How matches are scored. */
  matching: Matching;
  /** The tables that `createMatcher` makes a matcher of; read at the first match. */
  matchTables(): MatchTables | Promise<MatchTables>;
  /** The public example records. */
  seed: Seed;
  /** The briefs, in the order of their levels. */
  briefs: readonly BriefEntry[];
  /** Returns a brief in variant 0, with days as their distance from the start. */
  brief(id: string): ShownBrief | undefined | Promise<ShownBrief | undefined>;
  /** Returns the whole briefs, and the names that variants choose from. */
  briefBook(): BriefBook | Promise<BriefBook>;
  /** The guides by name, without their texts. */
  guides: readonly GuideEntry[];
  /** Returns a whole guide by its name. Call it only for a listed guide. */
  guide(name: string): Guide | undefined | Promise<Guide | undefined>;
  /** The source text of content/suites/executable.mjs, an ES module. */
  executableTests: string;
}

/** What a host gives to the service. */
export interface ServiceParts {
  /** The facts that the build knows. */
  catalogue: Catalogue;
  /** What the operator of this service chose. */
  settings: Settings;
  /** The clock, random numbers and digests of the host. */
  platform: Platform;
  /** The limits and the observability of the host. */
  watch: Watch;
  /** The table: one row for each operation. */
  operations: readonly Operation[];
  /** The tools of these operations over MCP. */
  describeTools(operations: readonly Operation[]): readonly Tool[];
  /** Where workspaces are stored. */
  store: Store;
  /** Maximum bytes of the workspaces in memory. */
  cacheBytes?: number;
  /** Returns the text at a frozen address, if the host has it. */
  frozenText?(path: string): string | undefined;
  /** Replies that were computed before. Absent in a browser, and while the service is built. */
  cache?: AnswerCache;
  /** The calls that wait for a change. Absent if no call waits. */
  waits?: Waits | undefined;
  /** Absent during the build, and in a browser, which cannot be trusted to check its own proofs and passkeys. */
  passkeys?: Passkeys | undefined;
  /** What signs, or why nothing does. Absent during the build. */
  signer?: Signer | NoSigner;
}

/**
 * The whole service: the parts of its host, and what follows from them. Each room names the part that it needs; the
 * compiler checks here that the service has them all.
 */
export interface Service
  extends ServiceParts,
    OccupationService,
    PricingService,
    RecordService,
    LadderService,
    MatchService,
    BriefService,
    DocumentService,
    McpService {
  catalogue: Catalogue;
  waits?: Waits | undefined;
  /** Every kind of secret that gives access. */
  capabilities: readonly Capability[];
  /** Every kind of record that it has. */
  kinds: readonly Kind[];
  /** Opens, changes and mints workspaces. */
  workspaces: Workspaces;
  /** The public example records, ready to be read. */
  seed: SeedView;
  /** Opens a workspace by its id or, with its owner's bearer, by its handle. Rejects with a Refusal. */
  openWorkspace(id: string, by?: Opener): Promise<RecordWorkspace>;

  /** The rates of the operations that have a price, and the ceiling. */
  meter: Meter;
  /** Charges a 200 to a read in a workspace, just before it is sent. May return another reply instead. */
  chargeRead(
    of: Operation,
    workspace: RecordWorkspace,
    outcome: OperationReply,
  ): OperationReply | Promise<OperationReply>;
  /** Returns the offer to a read that could not be charged, before it waits for a change. */
  findReadOffer(of: Operation, workspace: RecordWorkspace): OperationReply | undefined;
  /** Which rungs of the ladder are live here. */
  rungs(): Rungs;
  /** Counts a call in a workspace of a brief after its reply is known. */
  countCall(workspace: RecordWorkspace, isRefused: boolean): Promise<void> | undefined;

  /** The occupations by code. */
  occupationByCode: ReadonlyMap<string, OccupationEntry>;
  /**
   * Returns the search when it is the turn of the client at this address. Call it before each search, so that other
   * clients get their turns in between.
   */
  search(client?: string): Promise<Search>;
  /** Returns the summary of every occupation by its code. Read at the first search. */
  summaries(): Promise<Summaries>;
  /** Compares candidates and job orders. Created at the first match. */
  matcher(): Matcher | Promise<Matcher>;
}

/** Every kind of token. HTTP takes each in a header of its own. */
export const capabilities = [confirmation, shortlistToken, graderToken, claimToken];

/** Returns a function that reads and creates once, at the first call. If that fails, the next call tries again. */
function loadOnce<F, T>(read: () => F | Promise<F>, create: (from: F) => T): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  const make = async () => create(await read());
  return () => {
    loaded ??= make().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/**
 * Creates a service from the parts that a host provides. Throws if the rate card has an entry that cannot be metered.
 */
export function createService(parts: ServiceParts): Service {
  const { catalogue, platform } = parts;
  const { matching, occupations } = catalogue;
  const search = loadOnce(catalogue.searchFile, createSearch);
  const meter = createMeter(catalogue.pricing, parts.operations);
  const seed = createSeedView(catalogue.seed, kinds);
  const { store, cacheBytes } = parts;
  const listReferences = createListReferences(kinds);
  const workspaces = new Workspaces({ store, platform, seed: seed.workspace, listReferences, cacheBytes });
  store.onChange((key) => {
    if (key === undefined) workspaces.forgetAll();
    parts.waits?.wake(key);
  });
  const service: Service = {
    ...parts,
    capabilities,
    workspaces,
    kinds,
    seed,
    meter,
    chargeRead: (operation, workspace, outcome) => chargeRead(service, operation, workspace, outcome),
    findReadOffer: (operation, workspace) => findReadOffer(service, operation, workspace),
    openWorkspace: (id, by = {}) =>
      parts.passkeys && isHandle(id)
        ? openAsOwner({ ...parts, workspaces }, id, by)
        : openWorkspace({ platform, workspaces }, id, by.client),
    react: reactToChange,
    countCall: (workspace, isRefused) => countCall(service, workspace, isRefused),
    rungs: () => resolveRungs(parts),
    occupationByCode: new Map(occupations.map((entry) => [entry.id, entry])),
    search,
    summaries: loadOnce(catalogue.summaries, (summaries) => summaries),
    matcher: loadOnce(catalogue.matchTables, (tables) => createMatcher(tables, matching, occupations)),
  };
  return service;
}
