import { createWeakTag, isUnchangedBeforeRun } from '../kernel/entity-tag.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { toIsoDate } from '../kernel/text.ts';
import { takeTurn } from './reading-turns.ts';
import type { Context } from './service.ts';

/** How long a reply is cached, in milliseconds. A deleted record can stay in memory for this long, and no longer. */
const cacheMs = 60_000;
/** How often a reading is repeated if the workspace changed while it paused. */
const mostReadings = 3;

/**
 * Answers a read of a workspace from the cache, or runs `read` in its client's turn and caches its reply. `count` is how
 * many records of the workspace `read` goes through. Replies 304 if the caller already has the current version. A read
 * that paused while the workspace changed is repeated, so that a reply shows one version.
 */
export async function cachedRead(
  context: Context,
  input: object,
  count: number,
  read: () => OperationReply | Promise<OperationReply>,
): Promise<OperationReply> {
  const { service, options, workspace, operation } = context;
  const { contents } = workspace!;
  for (let readings = 1; ; readings += 1) {
    const { key, version } = contents.head;
    const today = toIsoDate(service.platform.now());
    const { operationId } = operation;
    const name = JSON.stringify([service.catalogue.build, key, version, today, operationId, input]);
    const ETag = createWeakTag(name);
    if (isUnchangedBeforeRun(options, ETag)) return { status: 304, body: '', headers: { ETag } };
    const findCached = () => service.cache?.get(name) as OperationReply | undefined;
    const cached = findCached();
    if (cached) return cached;
    // While this call waited for its turn, the same read may have been answered to another.
    const reply = await takeTurn(context, count, () => findCached() ?? read());
    const isOneVersion = contents.head.version === version;
    if (!isOneVersion && readings < mostReadings) continue;
    if (!isOneVersion || reply.status !== 200 || reply.headers?.ETag !== undefined) return reply;
    return keep(context, name, { ...reply, headers: { ...reply.headers, ETag } });
  }
}

/** Caches the text of a reply: the records that it was made of take more memory. */
function keep({ service }: Context, name: string, reply: OperationReply): OperationReply {
  if (!(reply.body instanceof Json)) return reply;
  const body = Json.written(reply.body.text);
  const shared = { ...reply, body };
  service.cache?.set(name, shared, 2 * body.text.length, cacheMs);
  return shared;
}
