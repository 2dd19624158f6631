import type { Warning } from '../kernel/envelope.ts';
import type { Context } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Kind } from './kind.ts';
import { toKindOf } from './kinds.ts';
import { type StoredRecord, toRefName } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import type { StoreEntry } from './store.ts';

const isRef = (reference: string) => reference.startsWith('#');

/** The names that a store knows what the references of a body by: ids, and those of refs. */
export function toReferenceNames(kind: Kind, body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(kind.references).flatMap(([member, of]) => {
    const reference = body[member];
    if (typeof reference !== 'string') return [];
    return [isRef(reference) ? toRefName(of, reference.slice(1)) : reference];
  });
}

/** What is near some records of a kind in a workspace: who occupies them, and what they refer to. */
export async function readNear(
  kind: Kind,
  records: readonly StoredRecord[],
  { service, workspace }: Context,
) {
  const { seed, store } = service;
  const needed = records.flatMap((one) => [
    ...(kind.canBeOccupied ? [one.id] : []),
    ...toReferenceNames(kind, one),
  ]);
  const names = [...new Set(needed)];
  return new RecordsInView(seed, names, names.length > 0 ? await store.find(workspace!.key, names) : []);
}

/** A reference that resolves to nothing. */
interface Missing extends Warning {
  isRef: boolean;
}

/** The references of a fact: as ids those that resolve, and a warning for each that resolves to nothing. */
export function resolveReferences(
  kind: Kind,
  fact: StoredRecord,
  near: RecordsInView,
  { workspace }: Context,
) {
  const members: Record<string, string> = {};
  const missing: Missing[] = [];
  for (const [member, of] of Object.entries(kind.references)) {
    const reference = fact[member] as string;
    const id = near.resolve(of, reference);
    if (id !== undefined && near.isKnown(of, id)) {
      members[member] = id;
      continue;
    }
    const { noun, path } = toKindOf(of);
    const isByRef = isRef(reference);
    const header = 'X-Workspace (over MCP the argument workspace)';
    const cure = workspace
      ? `send the ${header} of the ${noun}`
      : `${header} was not sent: send that of the ${noun}`;
    missing.push({
      code: 'unresolved_reference',
      path: member,
      message: isByRef
        ? `resolves to nothing: no ${noun} sent with it or in its workspace has that ref; send one that has, or an id from ${path}`
        : `resolves to nothing in view, so its link is null; ${cure}, or an id from ${path}`,
      isRef: isByRef,
    });
  }
  return { members, missing };
}

/** Refuses a ref that another record of the kind has; that of `was`, the record itself, is its own. */
export function refuseKnownRef(
  { name, noun }: Kind,
  ref: unknown,
  near: RecordsInView,
  { was, at = '' }: { was?: StoreEntry; at?: string },
): void {
  const other = typeof ref === 'string' ? near.found(toRefName(name, ref))?.record : undefined;
  if (!other || other.seq === was?.seq) return;
  const issues = [{ path: `${at}ref`, message: `${ref} is that of another ${noun} in this workspace` }];
  throw new Refusal('duplicate_ref', { issues });
}
