import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AnswerCache } from '../../kernel/cache.ts';
import type { Reply } from '../../kernel/call.ts';
import { fnv1a } from '../../kernel/entity-tag.ts';
import { isSteady } from '../../kernel/operation.ts';
import type { Service } from '../../service.ts';
import type { Target } from './request.ts';

/** Bytes of answers that are kept, and of one of them. */
const mostBytes = 4_194_304;
const mostBytesOfOne = 262_144;
/** Characters of a key at most: to look a longer one up, which a caller may send, costs more than most answers. */
const longestKey = 4096;

/** Keys that are remembered, by their hash, until they are asked for again. */
const mostAsked = 16_384;

/** Keeps answers in the memory of this process. */
export function createAnswerCache(): AnswerCache {
  const cache = new LRUCache<string, object>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  // What is never asked for again would cost more to keep than to make, and push out what is.
  const asked = new LRUCache<number, true>({ max: mostAsked });
  const answers: AnswerCache = {
    get: (key) => cache.get(key),
    // A character takes a byte, but where one is beyond Latin-1; header fields with what was sent of them about 2 KB more.
    set: (key, answer, length, ttl = 0) => cache.set(key, answer, { size: 2048 + key.length + length, ttl }),
    keep<T extends { status: number; isKept?: boolean }>(
      key: string,
      make: () => T | Promise<T>,
      measure: (made: T) => number | undefined,
    ) {
      if (key.length > longestKey) return make();
      const known = answers.get(key) as T | undefined;
      if (known) return known;
      const made = make();
      const hash = fnv1a(key);
      if (!asked.get(hash)) {
        asked.set(hash, true);
        return made;
      }
      const keep = (one: T) => {
        const length = one.status === 200 ? measure(one) : undefined;
        if (length === undefined) return one;
        const shared = { ...one, isKept: true };
        answers.set(key, shared, length);
        return shared;
      };
      return made instanceof Promise ? made.then(keep) : keep(made);
    },
  };
  return answers;
}

const forCallers = ['x-workspace', 'authorization', 'prefer', 'if-none-match'];

/**
 * The key of a reply, which HEAD shares with GET; undefined if it may be for its caller alone, as what `/` negotiates,
 * or is served as a file.
 */
function findKey({ method, url, headers }: IncomingMessage, { path, query }: Target): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || query === '' || path === '/') return undefined;
  return forCallers.some((name) => headers[name] !== undefined) ? undefined : url;
}

export type KeepReplies = ReturnType<typeof createKeepReplies>;

/** The reply to a request: the one that is kept, or else that of `make`, which may be kept where it never changes. */
export function createKeepReplies(operations: Service['operations'], answers: AnswerCache) {
  const steady = new Set(operations.filter(isSteady).map(({ operationId }) => operationId));
  const measureReply = ({ logFields, body }: Reply) =>
    steady.has(logFields!.operation) ? body.length : undefined;
  return (request: IncomingMessage, target: Target, make: () => Reply | Promise<Reply>) => {
    const key = findKey(request, target);
    return key === undefined ? make() : answers.keep(key, make, measureReply);
  };
}
