import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { placement } from '../placements/placement.ts';
import type { ListReferences } from '../workspace/workspace.ts';
import type { Kind } from './kind.ts';

/** Every kind of record that a caller can make. One more is its own file, its line here, and its seed content. */
export const kinds: readonly Kind[] = [candidate, jobOrder, placement];

export const findKindByName = (name: string): Kind => kinds.find((kind) => kind.name === name)!;

/** The kind whose ids are made like this text, if any. */
export const findKindById = (id: string): Kind | undefined =>
  kinds.find(({ prefix }) => id.startsWith(prefix) && /^[0-9a-z]+$/.test(id.slice(prefix.length)));

const referenceMembers = new Map(kinds.map(({ name, references }) => [name, Object.keys(references)]));

/** Returns the ids of the records that a record of a kind refers to. */
export const listReferences: ListReferences = (kind, record) =>
  (referenceMembers.get(kind) ?? []).flatMap((member) => (record[member] as string | undefined) ?? []);

export const byCollection = <T>(to: (kind: Kind) => T): Record<string, T> =>
  Object.fromEntries(kinds.map((kind) => [kind.collection, to(kind)]));

/** The kinds, those first that tie others together: what a reader of the whole is told first. */
export const kindsByWeight = kinds.toSorted(
  (a, b) => Object.keys(b.references).length - Object.keys(a.references).length,
);
