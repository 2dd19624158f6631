import { isUnchangedBeforeRun, toWeakTag } from '../kernel/entity-tag.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { createQueue } from '../kernel/queue.ts';
import { toDay } from '../kernel/text.ts';

/** Those who go through a workspace, and have much of it in memory meanwhile. */
export const inQueue = createQueue(4);

/** Milliseconds for which an answer is kept: what was forgotten is in memory for no longer. */
const keptMs = 60_000;

/**
 * What is answered in a workspace from what it holds, in a seat where that takes much memory (`isLong`); nothing is made for a caller who has it, and nothing twice. A
 * change moves `expiresAt` too, and must: one that a failover of the store lost had the revision that the next is given.
 */
export async function cachedRead(
  context: Context,
  input: object,
  make: () => Promise<Outcome>,
  isLong = true,
): Promise<Outcome> {
  const { service, options, workspace, operation, call } = context;
  const { hash, revision, expiresAt } = workspace!;
  const today = toDay(service.platform.now());
  const { operationId } = operation;
  const { build } = service.catalogue;
  const seen = JSON.stringify([build, hash, revision, expiresAt, today, operationId, input]);
  const ETag = toWeakTag(seen);
  if (isUnchangedBeforeRun(options, ETag)) return { status: 304, body: '', headers: { ETag } };
  const find = () => service.cache?.get(seen) as Outcome | undefined;
  const known = find();
  if (known) return known;
  // Who waited may find what another was answered meanwhile; who needs nothing made does not wait.
  const made = await (isLong ? inQueue(call.client ?? '', async () => find() ?? make()) : make());
  if (made.status !== 200 || made.headers?.ETag !== undefined) return made;
  const told = { ...made, headers: { ...made.headers, ETag } };
  if (!(made.body instanceof Json)) return told;
  // Its text alone, and the quote of that for a tool: the records that it was made of are larger.
  const body = Json.written(made.body.text);
  const shared = { ...told, body };
  service.cache?.set(seen, shared, 2 * body.text.length, keptMs);
  return shared;
}
