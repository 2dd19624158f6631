import type * as v from 'valibot';
import type { BriefBook, BriefEntry, BriefService, ShownBrief } from './briefs/brief.ts';
import type { DocumentService, Guide, GuideEntry } from './documents/service.ts';
import type { ServiceFacts } from './documents/service-facts.ts';
import type { AnswerCache } from './kernel/cache.ts';
import type { NearMisses } from './kernel/near-miss.ts';
import type { Operation, OperationReply } from './kernel/operation.ts';
import type { Platform, Settings, Watch } from './kernel/service.ts';
import type { NoSigner, Signer } from './kernel/signer.ts';
import type { Waits } from './kernel/waits.ts';
import { isHandle, type LadderService, type Passkeys, resolveRungs } from './ladder/ladder.ts';
import { openAsOwner } from './ladder/owner.ts';
import type { Matching } from './matches/match.ts';
import { createMatcher, type Matcher, type MatchService, type MatchTables } from './matches/matcher.ts';
import type { McpService } from './mcp/service.ts';
import type { Tool } from './mcp/tools.ts';
import type { Successors } from './occupations/code.ts';
import type { OnetRelease } from './occupations/content-files.ts';
import type { Occupation, OccupationEntry } from './occupations/occupation.ts';
import type { OccupationService } from './occupations/service.ts';
import { createSearch, type Search } from './occupations/titles/search.ts';
import type { MeteredDocument } from './pricing/document.ts';
import { createMeter, type Meter } from './pricing/meter.ts';
import { type Offers, offer, type PricingService, type Rungs } from './pricing/offer.ts';
import { listReferences } from './records/kinds.ts';
import type { RecordService, RecordWorkspace } from './records/service.ts';
import { chargeRead, findReadOffer } from './records/usage.ts';
import { createSeedView, type Seed, type SeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';
import type { Store } from './workspace/store.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Everything that is known when the service is built. Each host loads it. */
export interface Catalogue {
  /** The commit that was built, if the host knows it. */
  commit?: string;
  /** Differs between builds that may answer differently, if the host knows it. */
  build?: string;
  /** The texts of content/papers by name: each has a place `{{name}}` for what is not known before it is read. */
  papers: Readonly<Record<string, string>>;
  /** Names that callers confuse with ours. */
  nearMisses: NearMisses;
  /** What the service says of itself: content/service.json. */
  service: ServiceFacts;
  /** The rate card. */
  pricing: MeteredDocument;
  /** The offer at each boundary, as if every rung were live; `presentOffer` says what is live here. */
  offers: Offers;
  /** The data release behind the occupations. */
  onet: OnetRelease;
  /** All occupations, in the order of their codes. */
  occupations: OccupationEntry[];
  /** The whole record of a code, or undefined. */
  occupation(code: string): Occupation | undefined | Promise<Occupation | undefined>;
  /** Codes that no longer exist, and what took their place. */
  successors: v.InferOutput<typeof Successors>;
  /** The index that `createSearch` makes a search of. */
  searchFile(): Uint8Array | Promise<Uint8Array>;
  /** How matches are scored. */
  matching: Matching;
  /** The tables that `createMatcher` makes a matcher of; read at the first match. */
  matchTables(): MatchTables | Promise<MatchTables>;
  /** The public example records. */
  seed: Seed;
  /** The briefs, in the order of their levels. */
  briefs: readonly BriefEntry[];
  /** A brief in variant 0, its days as their distance from the start. */
  brief(id: string): ShownBrief | undefined | Promise<ShownBrief | undefined>;
  /** All briefs whole, with the names that variants choose from. */
  briefBook(): BriefBook | Promise<BriefBook>;
  /** The guides by name, without their texts. */
  guides: readonly GuideEntry[];
  /** The whole of a guide that is listed. */
  guide(name: string): Guide | undefined | Promise<Guide | undefined>;
  /** The source of content/suites/executable.mjs, an ES module. */
  executableTests: string;
}

/**
 * The whole service: the table, the facts and the machine. Each room names the part that it needs; the compiler checks
 * here that the service has them all.
 */
export interface Service
  extends OccupationService,
    PricingService,
    RecordService,
    LadderService,
    MatchService,
    BriefService,
    DocumentService,
    McpService {
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
  /** The answer at a frozen address, if the host has it at hand. */
  frozenText?(path: string): string | undefined;
  /** Replies that were computed before. Absent in a browser, and while the service is built. */
  cache?: AnswerCache;
  /** The calls that wait for a change. Absent if no call waits. */
  waits?: Waits | undefined;

  /** Where workspaces are stored. */
  store: Store;
  /** Opens, changes and mints workspaces. */
  workspaces: Workspaces;
  /** The public example records, ready to be read. */
  seed: SeedView;
  /** Opens a workspace by its id or, with its owner's bearer, by its handle. Rejects with a Refusal. */
  openWorkspace(id: string, bearer?: string): Promise<RecordWorkspace>;

  /** The rates of the operations that have a price, and the ceiling. */
  meter: Meter;
  /** Charges a 200 to a read in a workspace, just before it is sent. May return another reply in its place. */
  chargeRead(
    of: Operation,
    workspace: RecordWorkspace,
    outcome: OperationReply,
  ): OperationReply | Promise<OperationReply>;
  /** Returns the offer to a read that could not be charged, before it waits for a change. */
  findReadOffer(of: Operation, workspace: RecordWorkspace): OperationReply | undefined;
  /** Which rungs of the ladder are live here. */
  rungs(): Rungs;
  /** Absent in a browser, which cannot check a proof or a passkey against itself, and during the build. */
  passkeys?: Passkeys | undefined;
  /** What signs, or why nothing does. Absent during the build. */
  signer?: Signer | NoSigner;

  /** The occupations by code. */
  occupationByCode: ReadonlyMap<string, OccupationEntry>;
  /**
   * Returns the search in the turn of the client at this address. Call it before each search, because other clients
   * have their turns in between.
   */
  search(client?: string): Promise<Search>;
  /** Compares candidates and job orders. Created at the first match. */
  matcher(): Matcher | Promise<Matcher>;
}

/** Makes one of what is read, at the first call; what could not be read is read again at the next. */
function loadOnce<F, T>(read: () => F | Promise<F>, create: (from: F) => T): () => Promise<T> {
  let made: Promise<T> | undefined;
  const make = async () => create(await read());
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** A row that can answer 402 where its calls have a price, as its contract then says. */
function withOffer(row: Operation, isMetered: boolean): Operation {
  // A browser's rows have no replies.
  if (!isMetered || row.replies?.[402]) return row;
  return { ...row, replies: { ...row.replies, 402: offer('meterCeiling', 'The meter is at its ceiling.') } };
}

/**
 * Puts a service together from what a host provides; what can be decided once is decided here. Throws where the rate
 * card holds what cannot be metered.
 */
export function createService(
  parts: Omit<
    Service,
    | 'meter'
    | 'chargeRead'
    | 'findReadOffer'
    | 'openWorkspace'
    | 'rungs'
    | 'seed'
    | 'occupationByCode'
    | 'search'
    | 'matcher'
    | 'workspaces'
  >,
): Service {
  const { catalogue, platform } = parts;
  const { matching, occupations } = catalogue;
  const search = loadOnce(catalogue.searchFile, createSearch);
  const meter = createMeter(catalogue.pricing, parts.operations);
  const seed = createSeedView(catalogue.seed);
  const { store } = parts;
  const workspaces = new Workspaces({ store, platform, seed: seed.workspace, listReferences });
  store.onChange((key) => {
    if (key === undefined) workspaces.forgetAll();
    parts.waits?.wake(key);
  });
  const service: Service = {
    ...parts,
    workspaces,
    seed,
    operations: parts.operations.map((row) => withOffer(row, meter.rates.has(row.operationId))),
    meter,
    chargeRead: (operation, workspace, outcome) => chargeRead(service, operation, workspace, outcome),
    findReadOffer: (operation, workspace) => findReadOffer(service, operation, workspace),
    openWorkspace: (id, bearer) =>
      parts.passkeys && isHandle(id)
        ? openAsOwner({ ...parts, workspaces }, id, bearer)
        : openWorkspace({ platform, workspaces }, id),
    rungs: () => resolveRungs(parts),
    occupationByCode: new Map(occupations.map((entry) => [entry.id, entry])),
    async search(client) {
      await platform.pause(client);
      return search();
    },
    matcher: loadOnce(catalogue.matchTables, (tables) => createMatcher(tables, matching, occupations)),
  };
  return service;
}
