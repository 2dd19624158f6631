import { everyAnswer, homeCache, toCacheHeaders } from './headers.ts';
import type { CacheRule, Operation } from './operation.ts';
import { toRepresentationLinks } from './representation.ts';
import type { Representation } from './router.ts';

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

/**
 * `toOkHeaders`, made once for each row, representation and rule where no link in them names the record. What replies
 * share in this way is frozen.
 */
export function createOkHeaders(): typeof toOkHeaders {
  const made = new Map<Operation, Map<string, ReturnType<typeof toOkHeaders>>>();
  return (operation, path, representation, rule) => {
    if (operation.idText && operation.page) return toOkHeaders(operation, path, representation, rule);
    const ofRow = made.get(operation) ?? new Map();
    made.set(operation, ofRow);
    const key = representation + rule;
    if (!ofRow.has(key)) ofRow.set(key, Object.freeze(toOkHeaders(operation, path, representation, rule)));
    return ofRow.get(key);
  };
}
