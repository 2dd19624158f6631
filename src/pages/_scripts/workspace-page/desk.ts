import { need } from '../dom.ts';
import { read } from './ask.ts';
import type { KindFacts, PageFacts, Row, WorkspaceFacts } from './facts.ts';

export const root = need<HTMLElement>(document, '[data-desk]');
export const facts = JSON.parse(root.dataset.desk!) as PageFacts;

export const toKind = (name: string): KindFacts => facts.kinds.find((kind) => kind.name === name)!;
export const kindOfId = (id: string) => facts.kinds.find(({ prefix }) => id.startsWith(prefix));

/** The place on the page that a part is drawn into. */
export const place = (name: string) => need<HTMLElement>(root, `[data-place="${name}"]`);

/** Today, as the service counts days. */
export const toToday = () => new Date().toISOString().slice(0, 10);

type Listener = (workspace: WorkspaceFacts, isNew: boolean) => unknown;
const listeners: Listener[] = [];
let workspace: WorkspaceFacts | undefined;
let seen = '';
let askedAt = 0;

/** The workspace as it was last read. */
export const current = () => workspace;

/** Calls `listener` whenever the workspace was read; `isNew` where what it holds, or the day, is another. */
export function onWorkspace(listener: Listener): void {
  listeners.push(listener);
}

/** When the workspace was last asked for. */
export const lastAsked = () => askedAt;

/** Reads the workspace and tells every part. Throws Refused where it cannot be read. */
export async function refresh(): Promise<void> {
  askedAt = Date.now();
  const { body } = await read('/workspace');
  workspace = body.workspace as WorkspaceFacts;
  const now = `${workspace.createdAt} ${workspace.revision} ${toToday()}`;
  const isNew = now !== seen;
  seen = now;
  await Promise.all(listeners.map((listener) => listener(workspace!, isNew)));
}

/** Nothing is read any more. */
export function forgetDesk(): void {
  workspace = undefined;
  seen = '';
  names.clear();
}

const names = new Map<string, string>();

/** What a person calls a record. */
export function toTitle(row: Row): string {
  const { name, title, client, ref } = row as Record<string, string | undefined> & Row;
  if (name) return name;
  if (title) return client ? `${title}, ${client}` : title;
  return ref ?? row.id;
}

/** Learns what rows are called, so that what refers to them can say it. */
export function learnNames(rows: readonly Row[]): void {
  for (const row of rows) names.set(row.id, toTitle(row));
}

/** What a record is called, as far as that is known without reading it. */
export const nameOf = (id: string) => names.get(id) ?? id;
export const isNamed = (id: string) => names.has(id);
