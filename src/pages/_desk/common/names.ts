import { html, type TemplateResult } from 'lit-html';
import { isolateEach } from '../../_scripts/isolate.ts';
import { read } from '../state/client.ts';
import type { KindFacts, ListPage, PageRecord } from '../state/model.ts';
import { facts, findKind } from '../state/page-facts.ts';
import { state } from '../state/state.ts';

/** Whether an id is that of an example. It ends in a number of three digits. */
const isExample = (id: string) => /_\d{3}$/.test(id);

/** Returns the name of a record, or its id if the name has not been read. */
const nameOf = (id: string): readonly string[] => state.names.records.get(id) ?? [id];

export const hasName = (id: string): boolean => state.names.records.has(id);

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
  for (const row of rows) state.names.records.set(row.id, nameRecord(row));
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
    else state.names.records.set(id, [id]);
  } catch {}
}

/** Stores the names that a placement has of its person and its job. They are null if these are gone. */
function learnNamesIn(rows: readonly PageRecord[]): void {
  const { records } = state.names;
  for (const row of rows) {
    const { candidateId, candidateName, jobOrderId, title, client } = row as Record<
      string,
      string | null | undefined
    >;
    if (candidateId && candidateName !== undefined) records.set(candidateId, [candidateName ?? candidateId]);
    if (jobOrderId && title && client) records.set(jobOrderId, [title, client]);
    else if (jobOrderId && title === null) records.set(jobOrderId, [jobOrderId]);
  }
}

/** Reads the names that records refer to and do not have, first from lists, which are free, and then one by one. */
export async function learnReferences({ references }: KindFacts, rows: readonly PageRecord[]) {
  learnNamesIn(rows);
  for (const [member, of] of Object.entries(references)) {
    const kind = findKind(of);
    const ids = new Set(rows.map((row) => row[member] as string));
    const listUnknownIds = () => [...ids].filter((id) => !hasName(id));
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
