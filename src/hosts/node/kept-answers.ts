import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../../kernel/call.ts';
import { isSteady, type Kept } from '../../kernel/kept.ts';
import type { Service } from '../../kernel/service.ts';
import type { Target } from './live.ts';

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

/** What makes an answer one for its caller alone, in lower case. */
const forCallers = new Set(['x-workspace', 'authorization', 'prefer', 'if-none-match']);
const lengths = new Set([...forCallers].map(({ length }) => length));

/** Replies that never change while a process lives, by the target that they are asked for at. */
export interface KeptReplies {
  /**
   * What the reply to a request is kept under; undefined where it may be for its caller alone, as the home page is,
   * which negotiates. Plain addresses are served as files.
   */
  keyOf(request: IncomingMessage, target: Target): string | undefined;
  find(key: string): Reply | undefined;
  /** Keeps a reply, where it never changes. Answers what is to be sent. */
  keep(key: string, reply: Reply): Reply;
}

export function createKeptReplies({
  operations,
  kept,
}: Pick<Service, 'operations'> & { kept: Kept }): KeptReplies {
  const steady = new Set(operations.filter(isSteady).map(({ operationId }) => operationId));
  return {
    keyOf({ method, url, rawHeaders }, { path, query }) {
      if (method !== 'GET' || query === '' || path === '/') return undefined;
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = rawHeaders[index]!;
        if (lengths.has(name.length) && forCallers.has(name.toLowerCase())) return undefined;
      }
      return url;
    },
    find: (key) => kept.get(key) as Reply | undefined,
    keep(key, reply) {
      if (reply.status !== 200 || !steady.has(reply.seen!.operation)) return reply;
      const shared = { ...reply, isKept: true };
      kept.set(key, shared, reply.body.length);
      return shared;
    },
  };
}
