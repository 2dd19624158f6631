import type { ListReferences } from '../../workspace/workspace.ts';
import type { Kind } from './kind.ts';

export const findKindByName = (kinds: readonly Kind[], name: string): Kind =>
  kinds.find((kind) => kind.name === name)!;

/** Returns the kind whose ids look like this text, if there is one. */
export const findKindById = (kinds: readonly Kind[], id: string): Kind | undefined =>
  kinds.find(({ prefix }) => id.startsWith(prefix) && /^[0-9a-z]+$/.test(id.slice(prefix.length)));

/** Returns a function that lists the ids of the records that a record refers to. */
export function createListReferences(kinds: readonly Kind[]): ListReferences {
  const members = new Map(kinds.map(({ name, references }) => [name, Object.keys(references)]));
  return (kind, record) =>
    (members.get(kind) ?? []).flatMap((member) => (record[member] as string | undefined) ?? []);
}

/** Returns an object with one member for each kind, under the name of its collection. */
/* @__NO_SIDE_EFFECTS__ */
export const byCollection = <T>(kinds: readonly Kind[], to: (kind: Kind) => T): Record<string, T> =>
  Object.fromEntries(kinds.map((kind) => [kind.collection, to(kind)]));
