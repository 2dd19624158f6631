import { toKeyedCreate } from '../kernel/idempotency.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { fromKept, toCreated, toKept } from './created.ts';
import type { Fact, Kind } from './kind.ts';
import { toReferences } from './view.ts';
import { deriveWorkspaceId, makeSalt, mintRecordId, mintWorkspaceId, toWorkspaceHash } from './workspace.ts';

/** Bytes that a workspace may hold for each record that it may hold. */
const bytesPerRecord = 4096;

/**
 * Creates one record: in the caller's workspace, or in a fresh one. Nothing is minted for a create that
 * is refused, and the reply goes out only once the store has the record for good. Under an Idempotency-Key
 * the reply is kept with the record, and whoever sends the same again is answered from it.
 */
export async function create(kind: Kind, input: object, context: Context): Promise<Outcome> {
  const { service, workspace, warnings } = context;
  const { platform, settings, store } = service;
  const fact = { id: mintRecordId(service, kind.prefix), ...input } as Fact;
  const keyed = await toKeyedCreate(context);
  const salt = keyed && !workspace ? makeSalt(service) : undefined;
  const toId = (from: string | undefined) =>
    keyed && from ? deriveWorkspaceId(service, from, keyed.key) : (workspace?.id ?? mintWorkspaceId(service));
  const id = await toId(salt);
  const hash = workspace?.hash ?? (await toWorkspaceHash(service, id));
  const now = platform.now();
  // Told as the store keeps it: a clock that was set back shortens nobody's time.
  const expiresAt = Math.max(now + settings.retentionSeconds * 1000, workspace?.expiresAt ?? 0);
  const refersTo = toReferences(kind.name, fact).map((reference) => reference.id);
  const before = workspace && refersTo.length > 0 ? await store.find(hash, now, refersTo) : [];
  const created = toCreated(kind, fact, { id, now, expiresAt, before }, context);
  const added = await store.add({
    workspace: hash,
    mint: !workspace,
    record: { kind: kind.name, fact },
    ceiling: { records: settings.recordCeiling, bytes: settings.recordCeiling * bytesPerRecord },
    now,
    expiresAt,
    ...(keyed && {
      key: { name: keyed.name, fingerprint: keyed.fingerprint, reply: toKept(created, salt) },
    }),
  });
  if (added.result === 'unknown') throw new Refusal('unknown_workspace');
  if (added.result === 'mismatch') throw new Refusal('idempotency_mismatch');
  if (added.result === 'full') return { status: 402, body: service.catalogue.offers.recordCeiling };
  // The warnings are in the body already, because they are kept with it.
  warnings.length = 0;
  return added.result === 'replay' ? fromKept(added.reply, toId) : created;
}
