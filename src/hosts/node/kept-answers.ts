import { LRUCache } from 'lru-cache';
import type { Call, Reply } from '../../kernel/call.ts';
import { isSteady, type Kept } from '../../kernel/kept.ts';
import type { Service } from '../../kernel/service.ts';

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

const forCallers = ['x-workspace', 'authorization', 'prefer', 'if-none-match'] as const;

/**
 * What an answer is kept under; undefined where it may be for its caller alone, as the home page is, which negotiates.
 * Plain addresses are served as files.
 */
function toKey({ method, path, query, headers }: Call): string | undefined {
  if (method !== 'GET' || query === '' || path === '/') return undefined;
  for (const name of forCallers) if (headers[name] !== undefined) return undefined;
  return `${path}?${query}`;
}

/** Answers what was answered before from memory, where it never changes. */
export function keepAnswers(
  answer: (call: Call) => Reply | Promise<Reply>,
  { operations, kept }: Pick<Service, 'operations' | 'kept'>,
): typeof answer {
  const steady = new Set(operations.filter(isSteady).map(({ operationId }) => operationId));
  return (call) => {
    const key = kept && toKey(call);
    if (key === undefined) return answer(call);
    const known = kept!.get(key) as Reply | undefined;
    if (known) return known;
    const keep = (reply: Reply): Reply => {
      if (reply.status !== 200 || !steady.has(reply.seen!.operation)) return reply;
      const shared = { ...reply, isKept: true };
      kept!.set(key, shared, reply.body.length);
      return shared;
    };
    const reply = answer(call);
    return reply instanceof Promise ? reply.then(keep) : keep(reply);
  };
}
