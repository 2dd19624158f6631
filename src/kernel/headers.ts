import { type CacheRule, hasId, methods, type Operation } from './operation.ts';
import { formatRepresentationLinks } from './representation.ts';
import type { Representation } from './router.ts';

/** A CDN that reads CDN-Cache-Control ignores Cache-Control (RFC 9213 section 2.2), so both say everything. */
const createCacheHeaders = (own: string, cdn: string, both: string) => ({
  'Cache-Control': `public, max-age=${own}, ${both}`,
  'CDN-Cache-Control': `max-age=${cdn}, ${both}`,
});
const publicCache = createCacheHeaders('300', '3600', 'stale-while-revalidate=86400, stale-if-error=604800');
/** For files that are named by their content (RFC 8246). */
const lastingCache = createCacheHeaders('31536000', '31536000', 'immutable');

/**
 * Caching headers (RFC 9111, 9213) of a 200. A `brief` answer is fresh for five minutes in all: a cache counts the
 * age that an answer came with. A record address varies on X-Workspace, which a shared cache may not key on.
 */
const cacheHeaders: Record<CacheRule | 'workspace', Record<string, string>> = {
  public: publicCache,
  brief: createCacheHeaders('300', '300', 'must-revalidate'),
  record: { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'no-store', Vary: 'X-Workspace' },
  workspace: { 'Cache-Control': 'private, no-store', Vary: 'X-Workspace' },
  never: { 'Cache-Control': 'no-store' },
};

/** Sent with every answer: it may be read from any origin, since no cookie exists. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, Location, X-Workspace, Retry-After, Idempotency-Replayed, Preference-Applied, Allow, WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy, Mcp-Session-Id, MCP-Protocol-Version',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The answer to OPTIONS, which is a preflight too (Fetch standard, CORS protocol), beside `Allow`.
 *
 * It allows every method and header, also of a request that will be refused: a browser hides the refusal from the page
 * if the preflight fails. The wildcard stands for all headers but Authorization. Old browsers read the names.
 */
export const preflight = {
  ...commonHeaders,
  'Access-Control-Allow-Methods': [...Object.keys(methods), 'HEAD', 'OPTIONS'].join(', '),
  'Access-Control-Allow-Headers':
    '*, Content-Type, X-Workspace, X-Confirmation, X-Shortlist, X-Grader, X-Claim, Authorization, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent, tracestate, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
  'Cache-Control': 'no-store',
};

/** For a CDN that lets calls with a workspace pass: how long it may keep the answers to all others. */
export const bypassedCache = { 'CDN-Cache-Control': 'max-age=60' };

/** Adds a tag by which a CDN drops all of one build, where it may keep an answer at all. */
export function withCacheTag(headers: Readonly<Record<string, string>>, tag: string) {
  return headers['CDN-Cache-Control']?.startsWith('max-age=') ? { ...headers, 'Cache-Tag': tag } : headers;
}

/** Whether the bundler named the file at a path by its content. */
export const isContentNamed = (path: string): boolean => /^\/(_astro|worker)\//.test(path);

export const chooseFileCache = (path: string): Record<string, string> =>
  isContentNamed(path) ? lastingCache : publicCache;

export const homeCache = {
  'Cache-Control': 'no-cache',
  'CDN-Cache-Control': 'no-store',
  Vary: 'Accept, User-Agent, Sec-Fetch-Dest',
};

/** Sent with every HTML page: it runs nothing but its own files and cannot be framed (CSP level 3). */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
};

export const json = 'application/json; charset=utf-8';

/** How a 200 may be cached. No cache keeps the answer to a query at a record address. */
export function chooseCacheRule(
  { caching: { rule } }: Operation,
  representation: Representation,
  query: string,
): CacheRule {
  if (representation !== 'own') return 'public';
  return rule === 'record' && query !== '' ? 'never' : rule;
}

/** Headers of a 200; `representation` is that of the address, not of what was negotiated at it. */
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

/** `collectOkHeaders`, made once for each row, representation and rule unless a link names the record. The result is frozen. */
export function createOkHeaders(): typeof collectOkHeaders {
  const made = new Map<string, ReturnType<typeof collectOkHeaders>>();
  return (operation, path, representation, rule) => {
    if (operation.page && hasId(operation)) return collectOkHeaders(operation, path, representation, rule);
    const key = `${operation.operationId} ${representation} ${rule}`;
    const headers = made.get(key) ?? Object.freeze(collectOkHeaders(operation, path, representation, rule));
    made.set(key, headers);
    return headers;
  };
}
