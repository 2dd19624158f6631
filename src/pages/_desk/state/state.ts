import { dayFromNow } from '../../_scripts/format.ts';
import type { ActivityPage } from '../activity/activity-page.ts';
import { blankChoice, type PlanChoice, type PlanPage } from '../plan/plan-groups.ts';
import type { NeedsPages } from '../today/needs.ts';
import { read } from './client.ts';
import type { Board, FoundMatch, KindFacts, ListPage, OpenedRecord, WorkspaceFacts } from './model.ts';
import { type DeskRoute, formatHash, parseRoute } from './route.ts';

/** The parts of the page that are read separately. */
interface Parts {
  list: ListPage;
  board: Board;
  needs: NeedsPages;
  activity: ActivityPage;
  plan: PlanPage;
  record: OpenedRecord;
  matches: { rows: FoundMatch[]; next: string | undefined; words: string };
}

/** Why a part could not be read. `isGone` if it no longer exists and the service is not at fault. */
interface PartFailure {
  failed: string;
  isGone?: boolean;
}

/** The state of a part of the page. Undefined until it was read. */
export type PartState<T> = T | PartFailure | undefined;
type LoadedParts = { [P in keyof Parts]: PartState<Parts[P]> };

/** A workspace of an owner. */
export type OwnedWorkspace = WorkspaceFacts & { handle: string };

/** The state that the page is drawn from. `updateState` changes it. */
interface State extends LoadedParts {
  /** The open workspace. */
  workspace: WorkspaceFacts | undefined;
  /** Whether the service has stopped answering. */
  isAway: boolean;
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
  planChoice: PlanChoice;
  /** Whether Today shows all needs, and not only the most urgent. */
  showsAllNeeds: boolean;
  earn: { words: string /** From 0 to 1 while the work goes on. */; done: number | undefined };
  exporting: { words: string; isBusy: boolean };
}

const partNames = [
  'list',
  'board',
  'needs',
  'activity',
  'plan',
  'record',
  'matches',
] as const satisfies (keyof Parts)[];

/** Returns the initial state, which is also the state after a workspace is closed. */
const blank = () => ({
  workspace: undefined,
  isAway: false,
  list: undefined,
  board: undefined,
  needs: undefined,
  activity: undefined,
  plan: undefined,
  planChoice: blankChoice,
  showsAllNeeds: false,
  record: undefined,
  matches: undefined,
  earn: { words: '', done: undefined },
  exporting: { words: '', isBusy: false },
});

const firstRoute = parseRoute(location.hash);

export const state: State = {
  ...blank(),
  gate: { words: '', tone: 'ok' },
  isRecalling: true,
  isOpening: false,
  owned: undefined,
  route: firstRoute,
  lastList: firstRoute,
};

let draw = () => {};

/** Sets the function that draws the page whenever its state changes. */
export function onUpdate(drawer: () => void): void {
  draw = drawer;
  draw();
}

/** Changes the state and draws the page. */
export function updateState(change: Partial<State>): void {
  Object.assign(state, change);
  draw();
}

export const hasFailed = <T>(loaded: PartState<T>): loaded is PartFailure =>
  typeof loaded === 'object' && loaded !== null && 'failed' in loaded;

/** The latest read of each part. Results of earlier reads are not shown. */
let latest: { [P in keyof Parts]?: object | undefined } = {};

/** Reads a part of the page, and shows it or why it could not be read. */
export async function load<P extends keyof Parts>(part: P, run: () => Promise<LoadedParts[P]>) {
  const mine = {};
  latest[part] = mine;
  const loaded = await run().catch((error: Error): PartFailure => ({ failed: error.message }));
  if (latest[part] === mine) updateState({ [part]: loaded });
}

let loadChanged: () => Promise<unknown> = async () => {};
const cleaners: (() => void)[] = [];
let seen = '';
let readAt = 0;

/** Sets the function that is called whenever the records of the workspace or the date have changed. */
export function onChanged(loader: () => Promise<unknown>): void {
  loadChanged = loader;
}

/** Calls `clean` whenever the workspace is closed. */
export function onForget(clean: () => void): void {
  cleaners.push(clean);
}

/** Returns when the workspace was last read. */
export const lastRead = () => readAt;

/** Whether a part failed and can be read again. Waiting for a change would not reload it. */
export const hasFailedPart = () =>
  partNames.some((name) => {
    const part: PartState<object> = state[name];
    return hasFailed(part) && !part.isGone;
  });

/** Reads the workspace and, if it has changed, all shown parts. Throws an ApiError if it cannot be read. */
export async function refresh(): Promise<void> {
  readAt = Date.now();
  const workspace = (await read('/workspace')).body.workspace as WorkspaceFacts;
  updateState({ workspace });
  const now = `${workspace.createdAt} ${workspace.revision} ${dayFromNow()}`;
  if (now === seen && !hasFailedPart()) return;
  seen = now;
  await loadChanged();
}

/** Updates the state to what the address names. */
export function followAddress(): void {
  const route = parseRoute(location.hash);
  latest = { ...latest, plan: undefined, record: undefined, matches: undefined };
  const lastList = route.view === 'list' ? route : state.lastList;
  updateState({ route, lastList, plan: undefined, record: undefined, matches: undefined });
}

/** Forgets the workspace and everything that was read from it. */
export function forget(): void {
  seen = '';
  latest = {};
  for (const clean of cleaners) clean();
  updateState(blank());
}

/** Has the address ask for another list. */
export const showList = (kind: KindFacts, query: Record<string, string> = {}) => {
  location.hash = formatHash(kind, query);
};

/** Changes the query of the list in the address. Shows the first page unless the query names a cursor. */
export const changeList = (query: Record<string, string>) =>
  showList(state.route.kind, { ...state.route.query, cursor: '', ...query });
