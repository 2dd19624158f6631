import { methods } from './effect.ts';
import type { CacheRule, Operation } from './operation.ts';
import { toRepresentationLinks } from './representation.ts';
import type { Representation } from './router.ts';

/** What CDN-Cache-Control does not repeat of Cache-Control does not hold for a CDN (RFC 9213 section 2.2). */
const publicCache = {
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800',
  'CDN-Cache-Control': 'max-age=3600, stale-while-revalidate=86400, stale-if-error=604800',
};

/** Five minutes on the whole way, since a cache counts the age that its answer came with (RFC 9111 section 4.2.3). */
const briefCache = {
  'Cache-Control': 'public, max-age=300, must-revalidate',
  'CDN-Cache-Control': 'max-age=300, must-revalidate',
};

/** One that is named by its content is never another (RFC 8246). */
const lastingCache = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'CDN-Cache-Control': 'max-age=31536000, immutable',
};

/** Sent with every answer: it may be read from any origin, since no cookie exists. */
export const everyAnswer = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, Location, X-Workspace, Retry-After, Idempotency-Replayed, Preference-Applied, Allow, WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
};

/** What a page at another origin may ask with; an address says in Allow what it takes. */
const anyMethod = [...Object.keys(methods), 'HEAD', 'OPTIONS'].join(', ');

/** The answer to OPTIONS, which is a preflight too (Fetch standard, CORS protocol), beside `Allow`. */
export const preflight = {
  ...everyAnswer,
  'Access-Control-Allow-Methods': anyMethod,
  'Access-Control-Allow-Headers':
    'Content-Type, X-Workspace, X-Confirmation, X-Claim, Authorization, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent, tracestate, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '86400',
  'Cache-Control': 'no-store',
};

/**
 * Caching headers (RFC 9111, 9213) of a 200. A record address varies on X-Workspace, which a shared
 * cache may not key on, so it stays out of shared caches.
 */
function toCacheHeaders(rule: CacheRule | 'workspace'): Record<string, string> {
  if (rule === 'workspace') return { 'Cache-Control': 'private, no-store', Vary: 'X-Workspace' };
  if (rule === 'public') return publicCache;
  if (rule === 'brief') return briefCache;
  if (rule === 'record') {
    return { 'Cache-Control': 'no-cache', 'CDN-Cache-Control': 'no-store', Vary: 'X-Workspace' };
  }
  return { 'Cache-Control': 'no-store' };
}

/** How long a CDN may keep what callers who show no workspace are all answered, where it passes by those who do. */
export const bypassedCache = { 'CDN-Cache-Control': 'max-age=60' };

/** Headers with a tag by which a CDN forgets all of one build, on what it may keep at all. */
export function withCacheTag(
  headers: Readonly<Record<string, string>>,
  tag: string,
): Readonly<Record<string, string>> {
  return headers['CDN-Cache-Control']?.startsWith('max-age=') ? { ...headers, 'Cache-Tag': tag } : headers;
}

/** Whether the bundler named the file at a path by its content. */
export function isContentNamed(path: string): boolean {
  return path.startsWith('/_astro/') || path.startsWith('/worker/');
}

/** Caching headers of a file that the pages or the bundler wrote. */
export function toFileCache(path: string): Record<string, string> {
  return isContentNamed(path) ? lastingCache : publicCache;
}

/** Caching headers of the home page, which negotiates. */
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

/** Media type of every answer that does not say. */
export const json = 'application/json; charset=utf-8';

/** How a 200 may be kept: a query to a record address is answered for one caller, and no cache is to keep that. */
export function toCacheRule({ cache }: Operation, representation: Representation, query: string): CacheRule {
  if (representation !== 'own') return 'public';
  return cache === 'record' && query !== '' ? 'never' : cache;
}

/** Headers of a 200; `representation` is that of the address, not of what was negotiated at it. */
export function toOkHeaders(
  operation: Operation,
  path: string,
  representation: Representation,
  rule: CacheRule | 'workspace',
): Readonly<Record<string, string>> {
  const links = toRepresentationLinks(operation, path);
  const isHome = path === '/' && representation === 'own';
  return { 'Content-Type': json, ...everyAnswer, ...(isHome ? homeCache : toCacheHeaders(rule)), ...links };
}

/** `toOkHeaders`, made once for each row, representation and rule unless a link names the record. The result is frozen. */
export function createOkHeaders(): typeof toOkHeaders {
  const made = new Map<string, ReturnType<typeof toOkHeaders>>();
  return (operation, path, representation, rule) => {
    if (operation.idText && operation.page) return toOkHeaders(operation, path, representation, rule);
    const key = operation.operationId + representation + rule;
    const known = made.get(key);
    if (known) return known;
    const headers = Object.freeze(toOkHeaders(operation, path, representation, rule));
    made.set(key, headers);
    return headers;
  };
}
