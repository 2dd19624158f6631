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
  const kept: Kept = {
    get: (key) => cache.get(key),
    // A character takes a byte or two, and header fields with what was sent of them about 2 KB more.
    set: (key, value, bytes, ttl = 0) =>
      cache.set(key, value as object, { size: 2048 + 2 * (key.length + bytes), ttl }),
    keep<T extends { isKept?: boolean }>(
      key: string,
      make: () => T | Promise<T>,
      toBytes: (made: T) => number,
    ) {
      const known = kept.get(key) as T | undefined;
      if (known) return known;
      const keep = (made: T) => {
        if (made.isKept) kept.set(key, made, toBytes(made));
        return made;
      };
      const made = make();
      return made instanceof Promise ? made.then(keep) : keep(made);
    },
  };
  return kept;
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
  const mark = (reply: Reply): Reply =>
    reply.status === 200 && steady.has(reply.seen!.operation) ? { ...reply, isKept: true } : reply;
  const toBytes = ({ body }: Reply) => body.length;
  return (request, target, make) => {
    const key = toKey(request, target);
    if (key === undefined) return make();
    const makeMarked = () => {
      const reply = make();
      return reply instanceof Promise ? reply.then(mark) : mark(reply);
    };
    return kept.keep(key, makeMarked, toBytes);
  };
}
