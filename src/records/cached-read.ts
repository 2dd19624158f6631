import { isUnchangedBeforeRun, toWeakTag } from '../kernel/entity-tag.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { toDay } from '../kernel/text.ts';
import { takeTurn } from './reading-turns.ts';

/** How long a reply is cached, in milliseconds. A deleted record can stay in memory for this long, and no longer. */
const cacheMs = 60_000;

/**
 * Answers a read of a workspace from the cache, or runs `read` in its client's turn and caches its reply. `count` is how
 * many records of the workspace `read` goes through. Replies 304 if the caller already has the current version.
 *
 * The key holds the revision and the expiry: after a failover a revision can be issued a second time.
 */
export async function cachedRead(
  context: Context,
  input: object,
  count: number,
  read: () => Promise<Outcome>,
): Promise<Outcome> {
  const { service, options, workspace, operation } = context;
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
  // While this call waited for its turn, the same read may have been answered to another.
  const made = await takeTurn(context, count, async () => find() ?? read());
  if (made.status !== 200 || made.headers?.ETag !== undefined) return made;
  const told = { ...made, headers: { ...made.headers, ETag } };
  if (!(made.body instanceof Json)) return told;
  // Its text alone, and the quote of that for a tool: the records that it was made of are larger.
  const body = Json.written(made.body.text);
  const shared = { ...told, body };
  service.cache?.set(seen, shared, 2 * body.text.length, cacheMs);
  return shared;
}
