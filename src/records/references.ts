import type { Warning } from '../kernel/envelope.ts';
import type { Context } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Kind } from './kind.ts';
import { toKindOf, toKindOfId } from './kinds.ts';
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
    ...(kind.canBeOccupied ? [one.id, ...(kind.countedAs?.(one.id) ?? [])] : []),
    ...toReferenceNames(kind, one),
  ]);
  const names = [...new Set(needed)];
  return new RecordsInView(seed, names, names.length > 0 ? await store.find(workspace!.key, names) : []);
}

/** A reference that resolves to nothing, and why. */
interface Missing extends Warning {
  why: 'other kind' | 'no id' | 'unknown ref' | 'unknown id';
}

function toMissing(path: string, of: Kind, reference: string, { workspace }: Context): Missing {
  const { noun, prefix, path: list } = of;
  const way = `send an id from ${list}, or # and a ref`;
  const other = toKindOfId(reference);
  if (isRef(reference)) {
    const message = `resolves to nothing: no ${noun} sent with it or in its workspace has that ref; send one that has, or an id from ${list}`;
    return { why: 'unknown ref', code: 'unresolved_reference', path, message };
  }
  if (other && other !== of) {
    const message = `is the id of a ${other.noun}; here belongs that of a ${noun}, ${prefix}…: ${way}`;
    return { why: 'other kind', code: 'wrong_reference', path, message };
  }
  if (!other) {
    const message = `is no id of a ${noun}, ${prefix}…, so its link is null; ${way}`;
    return { why: 'no id', code: 'wrong_reference', path, message };
  }
  const cure = workspace
    ? `no ${noun} of this workspace or of the seed has it`
    : `X-Workspace (over MCP the argument workspace) was not sent: send that of the ${noun}`;
  const message = `resolves to nothing in view, so its link is null; ${cure}, or ${way}`;
  return { why: 'unknown id', code: 'unresolved_reference', path, message };
}

/** Whether a caller who sent one record hears of a reference by a refusal, where others hear it by a warning. */
export const isRefused = ({ why }: Missing, { options }: Context): boolean =>
  why === 'other kind' || (why === 'no id' && (options.isTool || options.isStrict));

/** The references of a fact: as ids those that resolve, and what is amiss with each that resolves to nothing. */
export function resolveReferences(kind: Kind, fact: StoredRecord, near: RecordsInView, context: Context) {
  const members: Record<string, string> = {};
  const missing: Missing[] = [];
  for (const [member, of] of Object.entries(kind.references)) {
    const reference = fact[member] as string;
    const id = near.resolve(of, reference);
    if (id !== undefined && near.isKnown(of, id)) members[member] = id;
    else missing.push(toMissing(member, toKindOf(of), reference, context));
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
