import { html, type TemplateResult } from 'lit-html';
import { isolateEach } from '../isolate.ts';
import type { KindFacts, ListPage, PageRecord } from './model.ts';
import { read } from './session.ts';
import { findKind, updateState } from './store.ts';

/** By id, what a record is called, in the parts that its caller sent: a title and a client. */
const names = new Map<string, readonly string[]>();
/** The id of an example ends in its number. */
const isExample = (id: string) => /_\d{3}$/.test(id);

/** What a record is called, as far as that is known without reading it. */
const nameOf = (id: string): readonly string[] => names.get(id) ?? [id];

export const hasName = (id: string): boolean => names.has(id);

/** The same on the page. */
export const viewName = (id: string): TemplateResult[] => isolateEach(nameOf(id), ', ');

function nameRecord({ id, ref, ...row }: PageRecord): readonly string[] {
  const { name, title, client } = row as { name?: string; title?: string; client?: string };
  if (name === undefined && title !== undefined && client !== undefined) return [title, client];
  return [name ?? title ?? ref ?? id];
}

/** The names in what a person calls a record: a placement by who is placed where. */
function listNames(kind: KindFacts, row: PageRecord): (readonly string[])[] {
  const parts = Object.keys(kind.references).map((member) => nameOf(row[member] as string));
  return parts.length > 0 ? parts : [nameRecord(row)];
}

/** What a person calls a record, as plain text. */
export const formatTitle = (kind: KindFacts, row: PageRecord): string =>
  listNames(kind, row)
    .map((name) => name.join(', '))
    .join(' → ');

/** The same on the page. */
export const viewTitle = (kind: KindFacts, row: PageRecord): TemplateResult[] =>
  listNames(kind, row).map((name, index) => html`${index === 0 ? '' : ' → '}${isolateEach(name, ', ')}`);

/** Learns what records are called, so that what refers to them can show it. */
export function learnNames(rows: readonly PageRecord[]): void {
  for (const row of rows) names.set(row.id, nameRecord(row));
}

async function learnExamples({ path, collection }: KindFacts): Promise<void> {
  try {
    learnNames((await (await fetch(`${path}.json`)).json())[collection] as PageRecord[]);
  } catch {}
}

/** Names that are read one by one for a list, at most. */
const mostNamed = 40;

async function learnName({ path, name }: KindFacts, id: string): Promise<void> {
  try {
    const { body } = await read(`${path}/${id}`, { orNothing: true });
    if (body[name]) learnNames([body[name]]);
    else names.set(id, [id]);
  } catch {}
}

/** Learns the names that records refer to from lists, which cost nothing, and the rest one by one. */
export async function learnReferences({ references }: KindFacts, rows: readonly PageRecord[]) {
  for (const [member, of] of Object.entries(references)) {
    const kind = findKind(of);
    const ids = new Set(rows.map((row) => row[member] as string));
    const listUnknownIds = () => [...ids].filter((id) => !names.has(id));
    if (listUnknownIds().some(isExample)) await learnExamples(kind);
    if (listUnknownIds().some((id) => !isExample(id))) await readList(kind, { limit: '200' });
    const rest = listUnknownIds().slice(0, mostNamed);
    await Promise.all(rest.map((id) => learnName(kind, id)));
  }
}

/** Reads a page of the workspace's own records of a kind, the newest first, with the names of what they refer to. */
export async function readList(kind: KindFacts, query: Record<string, string>): Promise<ListPage> {
  const { path, collection } = kind;
  const { body } = await read(`${path}?${new URLSearchParams({ scope: 'workspace', ...query })}`);
  const rows = (body[collection] ?? []) as PageRecord[];
  learnNames(rows);
  await learnReferences(kind, rows);
  return { rows, total: body.total ?? 0, next: body.nextCursor };
}

/** What the page shows of an occupation. */
interface ShownOccupation {
  title: string;
  pay?: { release: string; hourly?: Record<string, number | null> };
}

let titles: Promise<void> | undefined;
const occupations = new Map<string, ShownOccupation>();

/** An occupation, with its pay where that was read; its code is its title until titles are read. */
export const occupationOf = (code: string): ShownOccupation => occupations.get(code) ?? { title: code };

/** The titles of all occupations, and the code of one; nothing until titles are read. */
export const occupationTitles = () => [...occupations.values()].map(({ title }) => title);
export const codeOf = (title: string) => [...occupations].find(([, one]) => one.title === title)?.[0];

/** Reads the titles of all occupations, once. Without them codes are shown. */
export function learnTitles(): void {
  titles ??= fetch('/occupations.json')
    .then((response) => response.json())
    .then((body) => {
      for (const { id, title } of body.occupations) occupations.set(id, { title, ...occupations.get(id) });
      updateState({});
    })
    .catch(() => (titles = undefined));
}

/** Reads an occupation with its pay; without it the title alone is shown. */
export async function learnOccupation(code: string): Promise<void> {
  if (occupationOf(code).pay) return;
  try {
    occupations.set(code, (await (await fetch(`/occupations/${code}.json`)).json()).occupation);
  } catch {}
}
