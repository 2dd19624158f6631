import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AnswerCache } from '../../kernel/cache.ts';
import type { Reply } from '../../kernel/call.ts';
import { fnv1a } from '../../kernel/entity-tag.ts';
import type { HostTable } from './describe-table.ts';
import { isGetOrHead, type Target } from './request.ts';

/** Maximum bytes of all cached answers, and of one. */
const mostBytes = 4_194_304;
const mostBytesOfOne = 262_144;
/**
 * Maximum length of a key in characters. A caller may send a longer one, and looking it up costs more than most
 * answers.
 */
const longestKey = 4096;

/** How many keys of earlier requests are remembered, by their hash. */
const mostAsked = 16_384;

/** Creates a cache of answers in the memory of this process. */
export function createAnswerCache(): AnswerCache {
  const cache = new LRUCache<string, object>({ maxSize: mostBytes, maxEntrySize: mostBytesOfOne });
  // An answer that is requested only once would cost more to cache than to make, and would displace others.
  const requested = new LRUCache<number, true>({ max: mostAsked });
  const answers: AnswerCache = {
    get: (key) => cache.get(key),
    // Counts one byte a character, and 2 KB for the header fields and messages of an answer.
    set: (key, answer, length, ttl = 0) => cache.set(key, answer, { size: 2048 + key.length + length, ttl }),
    keep<T extends { status: number; isKept?: boolean }>(
      key: string,
      make: () => T | Promise<T>,
      measure: (answer: T) => number | undefined,
    ) {
      if (key.length > longestKey) return make();
      const cached = answers.get(key) as T | undefined;
      if (cached) return cached;
      const answer = make();
      const hash = fnv1a(key);
      if (!requested.get(hash)) {
        requested.set(hash, true);
        return answer;
      }
      const keep = (fresh: T) => {
        const length = fresh.status === 200 ? measure(fresh) : undefined;
        if (length === undefined) return fresh;
        const shared = { ...fresh, isKept: true };
        answers.set(key, shared, length);
        return shared;
      };
      return answer instanceof Promise ? answer.then(keep) : keep(answer);
    },
  };
  return answers;
}

const forCallers = ['x-workspace', 'authorization', 'prefer', 'if-none-match'];

/**
 * The cache key of a reply, the same for HEAD and GET. Undefined if the reply may be for its caller alone, such as what
 * `/` negotiates, or if it is served as a file.
 */
function findKey(request: IncomingMessage, { path, query }: Target): string | undefined {
  if (!isGetOrHead(request) || query === '' || path === '/') return undefined;
  const { url, headers } = request;
  return forCallers.some((name) => headers[name] !== undefined) ? undefined : url;
}

export type KeepReplies = ReturnType<typeof createKeepReplies>;

/** Returns the cached reply to a request, or calls `make`. Caches the reply if it never changes. */
export function createKeepReplies({ steadyReads }: Pick<HostTable, 'steadyReads'>, answers: AnswerCache) {
  const measureReply = ({ logFields, body }: Reply) =>
    steadyReads.has(logFields!.operation) ? body.length : undefined;
  return (request: IncomingMessage, target: Target, make: () => Reply | Promise<Reply>) => {
    const key = findKey(request, target);
    return key === undefined ? make() : answers.keep(key, make, measureReply);
  };
}
