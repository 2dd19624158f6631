import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../../kernel/call.ts';
import { isSteady, type Kept } from '../../kernel/kept.ts';
import type { Service } from '../../kernel/service.ts';
import type { Target } from './live.ts';
import { findHeader } from './request-headers.ts';

/** Bytes of answers that are kept, and of one of them. */
const mostBytes = 8_388_608;
const mostBytesOfOne = 262_144;

export function createKept(): Kept {
  const cache = new LRUCache<string, object>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  return {
    get: (key) => cache.get(key),
    // A character takes a byte or two, and header fields with what was sent of them about 2 KB more.
    set: (key, value, bytes, ttl = 0) =>
      cache.set(key, value as object, { size: 2048 + 2 * (key.length + bytes), ttl }),
  };
}

const forCallers = ['x-workspace', 'authorization', 'prefer', 'if-none-match'];

/**
 * What the reply to a request is kept under; undefined where it may be for its caller alone, as the home page is,
 * which negotiates. Plain addresses are served as files.
 */
function toKey({ method, url, rawHeaders }: IncomingMessage, { path, query }: Target): string | undefined {
  if (method !== 'GET' || query === '' || path === '/') return undefined;
  for (const name of forCallers) if (findHeader(rawHeaders, name) !== undefined) return undefined;
  return url;
}

/** The reply to a request: the one that is kept, or else that of `make`, which is kept where it never changes. */
export type KeepReplies = (
  request: IncomingMessage,
  target: Target,
  make: () => Reply | Promise<Reply>,
) => Reply | Promise<Reply>;

export function createKeepReplies(operations: Service['operations'], kept: Kept): KeepReplies {
  const steady = new Set(operations.filter(isSteady).map(({ operationId }) => operationId));
  function keep(key: string, reply: Reply): Reply {
    if (reply.status !== 200 || !steady.has(reply.seen!.operation)) return reply;
    const shared = { ...reply, isKept: true };
    kept.set(key, shared, reply.body.length);
    return shared;
  }
  return (request, target, make) => {
    const key = toKey(request, target);
    if (key === undefined) return make();
    const known = kept.get(key) as Reply | undefined;
    if (known) return known;
    const reply = make();
    return reply instanceof Promise ? reply.then((made) => keep(key, made)) : keep(key, reply);
  };
}
