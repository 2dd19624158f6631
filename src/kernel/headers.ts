import { type CacheRule, methods, type Operation } from './operation.ts';
import { formatRepresentationLinks } from './representation.ts';
import type { Representation } from './router.ts';

/** A CDN that reads CDN-Cache-Control ignores Cache-Control (RFC 9213 section 2.2), so each of them is complete. */
const createCacheHeaders = (own: string, cdn: string, both: string) => ({
  'Cache-Control': `public, max-age=${own}, ${both}`,
  'CDN-Cache-Control': `max-age=${cdn}, ${both}`,
});
const publicCache = createCacheHeaders('300', '3600', 'stale-while-revalidate=86400, stale-if-error=604800');
/** For files that have a hash of their content in their name (RFC 8246). */
const lastingCache = createCacheHeaders('31536000', '31536000', 'immutable');

/**
 * Caching headers (RFC 9111, 9213) of a 200. A `brief` answer is fresh for five minutes in all, because a cache counts
 * the age that an answer already has. The reply at a record address varies by X-Workspace. A shared cache may not key
 * on that, so it must not store the reply.
 */
const cacheHeaders: Record<CacheRule | 'workspace', Record<string, string>> = {
  public: publicCache,
  brief: createCacheHeaders('300', '300', 'must-revalidate'),
  record: { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'no-store', Vary: 'X-Workspace' },
  workspace: { 'Cache-Control': 'private, no-store', Vary: 'X-Workspace' },
  never: { 'Cache-Control': 'no-store' },
};

/** Sent with every answer. Any origin may read it, because the service sets no cookie. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, Location, X-Workspace, Retry-After, Idempotency-Replayed, Preference-Applied, Allow, WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy, Mcp-Session-Id, MCP-Protocol-Version',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Headers of the reply to OPTIONS, besides `Allow`. It is the reply to a preflight too (Fetch standard, CORS protocol).
 *
 * It allows every method and header, even for a request that will be refused: if the preflight fails, a browser hides
 * the refusal from the page. `*` allows every header except Authorization. Old browsers do not know `*` and need the names.
 */
export const createPreflight = (capabilities: readonly { header: string }[]) => ({
  ...commonHeaders,
  'Access-Control-Allow-Methods': [...Object.keys(methods), 'HEAD', 'OPTIONS'].join(', '),
  'Access-Control-Allow-Headers': `*, Content-Type, X-Workspace, ${capabilities.map(({ header }) => `${header}, `).join('')}Authorization, Idempotency-Key, X-Actor, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent, tracestate, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID`,
  'Access-Control-Max-Age': '86400',
  'Cache-Control': 'no-store',
});

/** For a CDN that does not cache calls with a workspace: how long it may cache the replies to all others. */
export const bypassedCache = { 'CDN-Cache-Control': 'max-age=60' };

/** Adds a tag by which a CDN purges all replies of one build, if it may cache the reply at all. */
export function withCacheTag(headers: Readonly<Record<string, string>>, tag: string) {
  return headers['CDN-Cache-Control']?.startsWith('max-age=') ? { ...headers, 'Cache-Tag': tag } : headers;
}

/** Whether the bundler put a hash of the content into the name of the file. */
export const isContentNamed = (path: string): boolean => /^\/(_astro|worker)\//.test(path);

export const chooseFileCache = (path: string): Record<string, string> =>
  isContentNamed(path) ? lastingCache : publicCache;

export const homeCache = {
  'Cache-Control': 'no-cache',
  'CDN-Cache-Control': 'no-store',
  Vary: 'Accept, User-Agent, Sec-Fetch-Dest',
};

/** Sent with every HTML page: it runs only its own files and cannot be framed (CSP level 3). */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
};

export const json = 'application/json; charset=utf-8';

/** Chooses the cache rule of a 200. No cache stores the reply to a query at a record address. */
export function chooseCacheRule(
  { caching: { rule } }: Operation,
  representation: Representation,
  query: string,
): CacheRule {
  if (representation !== 'own') return 'public';
  return rule === 'record' && query !== '' ? 'never' : rule;
}

/** The headers of a 200. `representation` is that of the address, not the negotiated one. */
export function collectOkHeaders(
  operation: Operation,
  path: string,
  representation: Representation,
  rule: CacheRule | 'workspace',
): Readonly<Record<string, string>> {
  const links = formatRepresentationLinks(operation, path);
  const isHome = path === '/' && representation === 'own';
  return { 'Content-Type': json, ...commonHeaders, ...(isHome ? homeCache : cacheHeaders[rule]), ...links };
}
