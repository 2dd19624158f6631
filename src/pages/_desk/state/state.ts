/** The state of the desk: all that the page keeps while it is open, in one object with named parts. */
import type { ApiAnswer } from '../../_scripts/api-client.ts';
import type { ActivityPage } from '../activity/activity-page.ts';
import type { PlacementNames } from '../activity/activity-sentence.ts';
import type { ImportSession } from '../import/import-model.ts';
import { blankChoice, type PlanChoice, type PlanPage } from '../plan/plan-groups.ts';
import type { FitList } from '../room/fits.ts';
import { type HeldDecisions, noDecisions } from '../room/held.ts';
import type { NeedsPages } from '../today/needs.ts';
import type { Board, Close, KindFacts, ListPage, OpenedRecord, PageRecord, WorkspaceFacts } from './model.ts';
import { type DeskRoute, parseRoute } from './route.ts';

/** The parts of the page that are read separately. */
export interface ReadParts {
  list: ListPage;
  board: Board;
  needs: NeedsPages;
  activity: ActivityPage;
  plan: PlanPage;
  record: OpenedRecord;
  fits: FitList;
}

/** Why a part could not be read. `isGone` if it no longer exists and the service is not at fault. */
export interface PartFailure {
  failed: string;
  isGone?: boolean;
}

/** The state of a part of the page. Undefined until it was read. */
export type PartState<T> = T | PartFailure | undefined;
export type LoadedParts = { [P in keyof ReadParts]: PartState<ReadParts[P]> };

/** How the page reads: with the id of a workspace, or with an owner's session and one of their workspaces. */
export type WorkspaceAccess = { id: string } | { bearer: string; handle?: string };

/** A workspace of an owner. */
export type OwnedWorkspace = WorkspaceFacts & { handle: string };

type Timer = ReturnType<typeof setTimeout> | undefined;

/** How the page calls the service. */
interface ClientState {
  access: WorkspaceAccess | undefined;
  /** Replies by path that a 304 can confirm, latest last. */
  answers: Map<string, ApiAnswer>;
  /** The Idempotency-Keys of writes that may have been done, so that a repeated write counts once. */
  keys: Map<string, string>;
}

/** How the page finds out that the workspace has changed. */
interface PollingState {
  timer: Timer;
  /** Aborts the request that waits for a change. */
  waiting: AbortController;
  /** Whether the service waits for a change, as far as the page knows. */
  canWait: boolean;
  /** Whether the person deletes or leaves the workspace, so that it is no surprise if it is gone. */
  isLeaving: boolean;
}

/** Which reads the page has made. */
interface ReadingState {
  /** The latest read of each part. Results of earlier reads are not shown. */
  latest: { [P in keyof ReadParts]?: object | undefined };
  /** Identifies the version and the day for which all shown parts were read. */
  seen: string;
  /** Settles when they are read. */
  shown: Promise<unknown>;
  /** When the workspace was last read, in milliseconds since the epoch. */
  readAt: number;
}

/** An occupation, with its pay if that was read. */
export interface ShownOccupation {
  title: string;
  pay?: { release: string; hourly?: Record<string, number | null> };
}

/** The names of what records refer to. They stay if another workspace is opened. */
interface KnownNames {
  /** The names of records by id, in the parts that callers sent: a title and a client. */
  records: Map<string, readonly string[]>;
  occupations: Map<string, ShownOccupation>;
  /** Settles when the titles of all occupations are read. */
  titles: Promise<void> | undefined;
  /** The person and the job of placements by id. */
  placements: Map<string, PlacementNames & { joined: string }>;
  /** Placements, with their names, that are not among the newest ones. They are not looked for again. */
  unknownPlacements: Set<string>;
}

/** What a view of the desk does: it is drawn, and reads what it shows. */
export interface DeskView {
  view(close: Close): unknown;
  /** Reads what the view shows, if the address names it. */
  load(): Promise<unknown>;
}

export type ViewName = DeskRoute['view'] | 'board';

/** The code of the views, which is loaded when a view is first shown. */
interface ViewsState {
  loaded: Map<ViewName, DeskView>;
  /** Views whose code could not be loaded, for example because the device is offline. */
  failed: Set<ViewName>;
}

/** What was found of a kind: the first records, and how many there are. */
export interface FoundRecords {
  kind: KindFacts;
  rows: PageRecord[];
  total: number;
}

/** The search over all kinds. */
export interface SearchState {
  words: string;
  /** What was found, or undefined until it is known. */
  found: FoundRecords[] | undefined;
  failed: string | undefined;
  /** Whether the panel is open. Escape closes it, and the words stay. */
  isOpen: boolean;
  /** The index of the option that the arrow keys have come to, or -1. */
  active: number;
  timer: Timer;
  /** Aborts the requests of the search before this one. */
  running: AbortController;
}

/** The chosen records of a page of a list. */
interface SelectionState {
  ids: Set<string>;
  /** The address of the page of the list that they were chosen on. */
  address: string;
  /** The row that was chosen last, from which a range begins. */
  anchor: string | undefined;
}

/** What belongs to one workspace. It is forgotten when the workspace is closed. */
interface WorkspaceState extends LoadedParts {
  /** The open workspace. */
  workspace: WorkspaceFacts | undefined;
  /** Whether the service has stopped answering. Then the page may show old replies. */
  isAway: boolean;
  planChoice: PlanChoice;
  /** The file that is being imported. */
  importing: ImportSession | undefined;
  held: HeldDecisions;
  /** The rows of fits that are open, and those that are side by side, by id. */
  room: { open: ReadonlySet<string>; compared: readonly string[] };
  /** The order whose proposals Today shows. */
  reviewed: string | undefined;
  /** Whether Today shows all needs, and not only the most urgent. */
  showsAllNeeds: boolean;
  /** The work for a credit. `done` is from 0 to 1 while it goes on, and `solver` does it. */
  earn: { words: string; done: number | undefined; solver: Worker | undefined };
  exporting: { words: string; isBusy: boolean };
}

/** The state that the page is drawn from. `updateState` changes what is drawn. */
export interface DeskState extends WorkspaceState {
  gate: { words: string; tone: 'ok' | 'blocked' };
  /** Whether the browser still looks up the workspace that it remembers, and opens it. */
  isRecalling: boolean;
  /** Whether the gate is opening or creating a workspace. */
  isOpening: boolean;
  /** The workspaces of the signed-in owner, or undefined if none is signed in. */
  owned: OwnedWorkspace[] | undefined;
  route: DeskRoute;
  /** The list that was shown last, to which a record links back. */
  lastList: DeskRoute;
  /** Whether the fields of the filters are shown. */
  showsFilters: boolean;
  /** Whether the page is on its way to another address. Until it is there, its place is not stored. */
  isMoving: boolean;
  search: SearchState;
  selection: SelectionState;
  names: KnownNames;
  client: ClientState;
  polling: PollingState;
  reading: ReadingState;
  views: ViewsState;
  /**
   * The record that had the focus last, whether the plan had it since it was opened, the row that gets it once it is
   * read, and the step of an import that had it.
   */
  focused: {
    record: string | undefined;
    plan: boolean;
    row: string | undefined;
    step: string | undefined;
  };
  /** Until a toast goes, the place of the page is stored, and decisions are sent. */
  timers: { toast: Timer; place: Timer; decisions: Timer };
  /** Functions that the page sets when it starts: `draw` draws it, `loadShown` reads what it shows. */
  hooks: { draw(): void; loadShown(): Promise<unknown> };
}

/** Returns the state of a page without a workspace. */
export const createWorkspaceState = (): WorkspaceState => ({
  workspace: undefined,
  isAway: false,
  list: undefined,
  board: undefined,
  needs: undefined,
  activity: undefined,
  plan: undefined,
  planChoice: blankChoice,
  importing: undefined,
  held: noDecisions,
  room: { open: new Set(), compared: [] },
  reviewed: undefined,
  showsAllNeeds: false,
  record: undefined,
  fits: undefined,
  earn: { words: '', done: undefined, solver: undefined },
  exporting: { words: '', isBusy: false },
});

function createState(hash: string): DeskState {
  const route = parseRoute(hash);
  return {
    ...createWorkspaceState(),
    gate: { words: '', tone: 'ok' },
    isRecalling: true,
    isOpening: false,
    owned: undefined,
    route,
    lastList: route,
    showsFilters: false,
    isMoving: false,
    search: {
      words: '',
      found: undefined,
      failed: undefined,
      isOpen: false,
      active: -1,
      timer: undefined,
      running: new AbortController(),
    },
    selection: { ids: new Set(), address: '', anchor: undefined },
    names: {
      records: new Map(),
      occupations: new Map(),
      titles: undefined,
      placements: new Map(),
      unknownPlacements: new Set(),
    },
    client: { access: undefined, answers: new Map(), keys: new Map() },
    polling: { timer: undefined, waiting: new AbortController(), canWait: true, isLeaving: false },
    reading: { latest: {}, seen: '', shown: Promise.resolve(), readAt: 0 },
    views: { loaded: new Map(), failed: new Set() },
    focused: { record: undefined, plan: false, row: undefined, step: undefined },
    timers: { toast: undefined, place: undefined, decisions: undefined },
    hooks: { draw() {}, async loadShown() {} },
  };
}

export const state = createState(location.hash);
