import { need } from '../dom.ts';
import { toDay } from '../format.ts';
import type {
  KindFacts,
  ListPage,
  PageFacts,
  Placement,
  PresentedRecord,
  Shown,
  WorkspaceFacts,
} from './model.ts';
import { read } from './session.ts';

export const root = need<HTMLElement>(document, '[data-facts]');
export const facts = JSON.parse(root.dataset.facts!) as PageFacts;

export const toKind = (name: string): KindFacts => facts.kinds.find((kind) => kind.name === name)!;
export const kindOfId = (id: string) =>
  /^[a-z]+_\w+$/.test(id) ? facts.kinds.find(({ prefix }) => id.startsWith(prefix)) : undefined;

/** What the address asks for: a record, or a list with its filters. It follows the `#`, which is sent nowhere. */
export interface Route {
  /** The record that is shown; undefined for the lists. */
  id: string | undefined;
  kind: KindFacts;
  /** Filters by name; `q` holds words to search for, `sort` a column, `page` and `cursor` the page. */
  query: Record<string, string>;
}

/** Reads `cand_…`, or `job-orders?status=open&sort=-name&page=2&cursor=…`. */
function toRoute(hash: string): Route {
  const [name = '', query] = hash.replace(/^#/, '').split('?');
  const ofId = kindOfId(name);
  const kind = ofId ?? facts.kinds.find(({ path }) => path === `/${name}`) ?? facts.kinds[0]!;
  return { id: ofId && name, kind, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a list; empty values are left out. */
export function toHash({ path }: KindFacts, query: Record<string, string> = {}): string {
  const text = String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')));
  return `#${path.slice(1)}${text && `?${text}`}`;
}

/** What a part of the page has read: undefined until then. */
export type Loaded<T> = T | { failed: string; isGone: boolean } | undefined;

/** A workspace of an owner. */
export type Owned = WorkspaceFacts & { handle: string };

/** A match of a record with one of the kind at the other end of a placement. */
export interface Match {
  score: number;
  reasons: { factor: string; points: number; text: string }[];
  met: { phrase: string; by: string }[];
  unmet: string[];
  gaps: string[];
  [other: string]: unknown;
}

/** All that the page is drawn from. Parts read it, `update` changes it. */
interface State {
  /** The open workspace. */
  workspace: WorkspaceFacts | undefined;
  /** Whether the service has stopped answering. */
  isAway: boolean;
  gate: { words: string; tone: 'ok' | 'blocked' };
  /** Whether something is being opened or made at the gate. */
  isOpening: boolean;
  /** The workspaces of whoever is signed in; undefined where nobody is. */
  owned: Owned[] | undefined;
  route: Route;
  /** The list that was shown last: a record leads back to it. */
  lastList: Route;
  list: Loaded<ListPage>;
  due: Loaded<Placement[]>;
  record: Loaded<Shown>;
  /** What refers to the record. */
  holders: { kind: KindFacts; page: ListPage } | undefined;
  matches: Loaded<{ rows: Match[]; next: string | undefined; words: string }>;
  earn: { words: string /** From 0 to 1 while the work goes on. */; done: number | undefined };
  exporting: { words: string; isBusy: boolean };
}

/** What the page begins with, and returns to when a workspace is closed. */
export const blank = () => ({
  workspace: undefined,
  isAway: false,
  list: undefined,
  due: undefined,
  record: undefined,
  holders: undefined,
  matches: undefined,
  earn: { words: '', done: undefined },
  exporting: { words: '', isBusy: false },
});

const firstRoute = toRoute(location.hash);

export const state: State = {
  ...blank(),
  gate: { words: '', tone: 'ok' },
  isOpening: false,
  owned: undefined,
  route: firstRoute,
  lastList: firstRoute,
};

let draw = () => {};

/** Has `drawer` draw the page whenever its state changes. */
export function onUpdate(drawer: () => void): void {
  draw = drawer;
  draw();
}

/** Changes the state and draws the page. */
export function update(change: Partial<State>): void {
  Object.assign(state, change);
  draw();
}

/** What could not be read: `isGone` where that is no fault of the service. */
export const failed = (error: unknown, isGone = false) => ({ failed: (error as Error).message, isGone });
export const hasFailed = <T>(loaded: Loaded<T>): loaded is { failed: string; isGone: boolean } =>
  typeof loaded === 'object' && loaded !== null && 'failed' in loaded;

const loaders: (() => Promise<unknown> | undefined)[] = [];
let seen = '';
let readAt = 0;

/** Calls `loader` whenever what the workspace holds, or the day, has changed. */
export function onChanged(loader: () => Promise<unknown> | undefined): void {
  loaders.push(loader);
}

/** When the workspace was last read. */
export const lastRead = () => readAt;

/** Reads the workspace, and what else is shown where it has changed. Throws Refused where it cannot be read. */
export async function refresh(): Promise<void> {
  readAt = Date.now();
  const workspace = (await read('/workspace')).body.workspace as WorkspaceFacts;
  update({ workspace });
  const now = `${workspace.createdAt} ${workspace.revision} ${toDay()}`;
  const parts: Loaded<object>[] = [state.list, state.due, state.record];
  if (now === seen && !parts.some((part) => hasFailed(part) && !part.isGone)) return;
  seen = now;
  await Promise.all(loaders.map((loader) => loader()));
}

/** Follows the address: its list or its record. */
export function followAddress(): void {
  const route = toRoute(location.hash);
  const lastList = route.id === undefined ? route : state.lastList;
  update({ route, lastList, matches: undefined });
}

/** Forgets the workspace and all that was read of it. */
export function forget(): void {
  seen = '';
  names.clear();
  update(blank());
}

const names = new Map<string, string>();
const isNamed = (id: string) => names.has(id);
/** Kinds of the public examples whose names were read; they never change. */
const examples = new Map<string, Promise<void>>();
/** The id of an example ends in its number. */
const isExample = (id: string) => /_\d{3}$/.test(id);

/** What a record is called, as far as that is known without reading it. */
export const nameOf = (id: string) => names.get(id) ?? id;

function toName({ id, ref, ...row }: PresentedRecord): string {
  const { name, title, client } = row as Record<string, unknown> as Record<string, string | undefined>;
  return name ?? (title && client ? `${title}, ${client}` : title) ?? ref ?? id;
}

/** What a person calls a record: a placement by who is placed where. */
export function toTitle(kind: KindFacts, row: PresentedRecord): string {
  const parts = Object.keys(kind.references).map((member) => nameOf(row[member] as string));
  return parts.length > 0 ? parts.join(' → ') : toName(row);
}

/** Learns what records are called, so that what refers to them can show it. */
export function learnNames(rows: readonly PresentedRecord[]): void {
  for (const row of rows) names.set(row.id, toName(row));
}

async function learnExamples({ path, collection }: KindFacts): Promise<void> {
  try {
    learnNames((await (await fetch(`${path}.json`)).json())[collection] as PresentedRecord[]);
  } catch {}
}

/** Names that are read one by one for a list, at most. */
const mostNamed = 40;

async function learnName({ path, name }: KindFacts, id: string): Promise<void> {
  try {
    const { body } = await read(`${path}/${id}`, { orNothing: true });
    if (body[name]) learnNames([body[name]]);
    else names.set(id, id);
  } catch {}
}

/** Learns the names that records refer to from lists, which cost nothing, and the rest one by one. */
export async function learnReferred({ references }: KindFacts, rows: readonly PresentedRecord[]) {
  for (const [member, of] of Object.entries(references)) {
    const unknown = rows.map((row) => row[member] as string).filter((id) => !isNamed(id));
    const kind = toKind(of);
    if (unknown.some(isExample)) {
      if (!examples.has(of)) examples.set(of, learnExamples(kind));
      await examples.get(of);
    }
    if (unknown.some((id) => !isExample(id))) await readList(kind, { limit: '200' });
    const rest = [...new Set(unknown)].filter((id) => !isNamed(id)).slice(0, mostNamed);
    await Promise.all(rest.map((id) => learnName(kind, id)));
  }
}

/** Reads a page of the workspace's own records of a kind, the newest first, with the names of what they refer to. */
export async function readList(kind: KindFacts, query: Record<string, string>): Promise<ListPage> {
  const { path, collection } = kind;
  const { body } = await read(`${path}?${new URLSearchParams({ scope: 'workspace', ...query })}`);
  const rows = (body[collection] ?? []) as PresentedRecord[];
  learnNames(rows);
  await learnReferred(kind, rows);
  return { rows, total: body.total ?? 0, next: body.nextCursor };
}
