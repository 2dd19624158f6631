import { createWeakTag, isUnchangedBeforeRun } from '../../kernel/entity-tag.ts';
import { Json } from '../../kernel/json.ts';
import { type OperationReply, runSteps } from '../../kernel/operation.ts';
import type { Steps } from '../../kernel/steps.ts';
import { toIsoDate } from '../../kernel/text.ts';
import type { Context } from '../service.ts';

/** How long a reply is cached, in milliseconds. A deleted record can stay in memory for this long, and no longer. */
const cacheMs = 60_000;
/** A read runs at most this many times if the workspace keeps changing while it runs. */
const mostReadings = 3;

/**
 * Answers a read of a workspace from the cache, or runs `read` and caches its reply. Replies 304 if the caller already
 * has the current version.
 *
 * If the workspace changes while `read` runs, it runs again, so that a reply shows one version. A reply that may
 * mix versions is not cached.
 */
export async function cachedRead(
  context: Context,
  input: object,
  read: () => Steps<OperationReply>,
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
    // Another call may have cached the same reply while this one waited for its turn.
    const readUnlessCached = function* () {
      return findCached() ?? (yield* read());
    };
    const reply = await runSteps(context, readUnlessCached());
    const isOneVersion = contents.head.version === version;
    if (!isOneVersion && readings < mostReadings) continue;
    if (!isOneVersion || reply.status !== 200 || reply.headers?.ETag !== undefined) return reply;
    return keep(context, name, { ...reply, headers: { ...reply.headers, ETag } });
  }
}

/** Caches a reply as text, because its records take more memory. Returns it as cached. */
function keep({ service }: Context, name: string, reply: OperationReply): OperationReply {
  if (!(reply.body instanceof Json)) return reply;
  const body = Json.written(reply.body.text);
  const textReply = { ...reply, body };
  service.cache?.set(name, textReply, 2 * body.text.length, cacheMs);
  return textReply;
}
