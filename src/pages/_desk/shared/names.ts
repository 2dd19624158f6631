import { html, type TemplateResult } from 'lit-html';
import { isolateEach } from '../../_scripts/isolate.ts';
import { read } from '../state/client.ts';
import type { KindFacts, ListPage, PageRecord } from '../state/model.ts';
import { facts, findKind } from '../state/page-facts.ts';
import { updateState } from '../state/state.ts';

/** The names of records by id, in the parts that callers sent: a title and a client. */
const names = new Map<string, readonly string[]>();
/** Whether an id is that of an example. It ends in a number of three digits. */
const isExample = (id: string) => /_\d{3}$/.test(id);

/** Returns the name of a record, or its id if the name has not been read. */
const nameOf = (id: string): readonly string[] => names.get(id) ?? [id];

export const hasName = (id: string): boolean => names.has(id);

/** Shows the name of a record. */
export const viewName = (id: string): TemplateResult[] => isolateEach(nameOf(id), ', ');

function nameRecord({ id, ref, ...row }: PageRecord): readonly string[] {
  const { name, title, client } = row as { name?: string; title?: string; client?: string };
  if (name === undefined && title !== undefined && client !== undefined) return [title, client];
  return [name ?? title ?? ref ?? id];
}

/** Lists the names in the title of a record. A placement has those of the person and the job. */
function listNames(kind: KindFacts, row: PageRecord): (readonly string[])[] {
  const parts = Object.keys(kind.references).map((member) => nameOf(row[member] as string));
  return parts.length > 0 ? parts : [nameRecord(row)];
}

/** Returns the title of a record as plain text. */
export const formatTitle = (kind: KindFacts, row: PageRecord): string =>
  listNames(kind, row)
    .map((name) => name.join(', '))
    .join(' → ');

/** Shows the title of a record. */
export const viewTitle = (kind: KindFacts, row: PageRecord): TemplateResult[] =>
  listNames(kind, row).map((name, index) => html`${index === 0 ? '' : ' → '}${isolateEach(name, ', ')}`);

/** Stores the names of records, for records that refer to them. */
export function learnNames(rows: readonly PageRecord[]): void {
  for (const row of rows) names.set(row.id, nameRecord(row));
}

async function learnExamples({ path, collection }: KindFacts): Promise<void> {
  try {
    learnNames((await (await fetch(`${path}.json`)).json())[collection] as PageRecord[]);
  } catch {}
}

/** The most names that are read one by one for a list. */
const mostNamed = 40;

async function learnName({ path, name }: KindFacts, id: string): Promise<void> {
  try {
    const { body } = await read(`${path}/${id}`, { orNothing: true });
    if (body[name]) learnNames([body[name]]);
    else names.set(id, [id]);
  } catch {}
}

/** Stores the names that a placement has of its person and its job. They are null if these are gone. */
function learnNamesIn(rows: readonly PageRecord[]): void {
  for (const row of rows) {
    const { candidateId, candidateName, jobOrderId, title, client } = row as Record<
      string,
      string | null | undefined
    >;
    if (candidateId && candidateName !== undefined) names.set(candidateId, [candidateName ?? candidateId]);
    if (jobOrderId && title && client) names.set(jobOrderId, [title, client]);
    else if (jobOrderId && title === null) names.set(jobOrderId, [jobOrderId]);
  }
}

/** Reads the names that records refer to and do not have, first from lists, which are free, and then one by one. */
export async function learnReferences({ references }: KindFacts, rows: readonly PageRecord[]) {
  learnNamesIn(rows);
  for (const [member, of] of Object.entries(references)) {
    const kind = findKind(of);
    const ids = new Set(rows.map((row) => row[member] as string));
    const listUnknownIds = () => [...ids].filter((id) => !names.has(id));
    if (listUnknownIds().some(isExample)) await learnExamples(kind);
    if (listUnknownIds().some((id) => !isExample(id)))
      await readList(kind, { limit: String(facts.maxLimit) });
    const rest = listUnknownIds().slice(0, mostNamed);
    await Promise.all(rest.map((id) => learnName(kind, id)));
  }
}

/**
 * Reads a page of the workspace's own records of a kind, newest first unless the query sorts them, and the names of
 * records that they refer to. Throws an ApiError if it is refused or aborted.
 */
export async function readList(
  kind: KindFacts,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<ListPage> {
  const { path, collection } = kind;
  const { body } = await read(`${path}?${new URLSearchParams(query)}`, { signal });
  const rows = (body[collection] ?? []) as PageRecord[];
  learnNames(rows);
  await learnReferences(kind, rows);
  return { rows, total: body.total ?? 0, next: body.nextCursor };
}

interface ShownOccupation {
  title: string;
  pay?: { release: string; hourly?: Record<string, number | null> };
}

let titles: Promise<void> | undefined;
const occupations = new Map<string, ShownOccupation>();

/** Returns an occupation, with its pay if that was read. Until titles are read, the code is its title. */
export const occupationOf = (code: string): ShownOccupation => occupations.get(code) ?? { title: code };

/** The titles of all occupations, and the code of a title. Both are empty until titles are read. */
export const occupationTitles = () => [...occupations.values()].map(({ title }) => title);
export const codeOf = (title: string) => [...occupations].find(([, one]) => one.title === title)?.[0];

/** Reads the titles of all occupations once. Without them the page shows codes. */
export function learnTitles(): void {
  titles ??= fetch('/occupations.json')
    .then((response) => response.json())
    .then((body) => {
      for (const { id, title } of body.occupations) occupations.set(id, { title, ...occupations.get(id) });
      updateState({});
    })
    .catch(() => (titles = undefined));
}

/** Reads an occupation with its pay. If that fails, the page shows only the title. */
export async function learnOccupation(code: string): Promise<void> {
  if (occupationOf(code).pay) return;
  try {
    occupations.set(code, (await (await fetch(`/occupations/${code}.json`)).json()).occupation);
  } catch {}
}
