import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { getOffer } from '../../pricing/offer.ts';
import { operations } from '../../table.ts';

/** The operations that answer all callers without a workspace alike. */
const alike = new Set(
  operations
    .filter(({ cache, effect }) => cache === 'record' && effect === 'read')
    .map((row) => row.operationId),
);

/** Whether every caller without a workspace or login gets this same reply: content, nothing there, or the offer. */
function isForAll(request: IncomingMessage, { status, headers, logFields }: Reply): boolean {
  const { method, headers: sent } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (sent['x-workspace'] !== undefined || sent.authorization !== undefined) return false;
  // The next caller may prefer something else.
  if (!logFields || headers['Preference-Applied'] !== undefined) return false;
  if (logFields.operation === getOffer.operationId) return status === 402;
  return alike.has(logFields.operation) && logFields.code === undefined && [200, 304, 404].includes(status);
}

/**
 * The headers of live replies for shared caches: the tag of the build on all that they may keep. Where a CDN bypasses its
 * cache for X-Workspace, it may also keep for a while what all other callers get.
 */
export function createSharing(isBypassed: boolean, tag: string) {
  return (request: IncomingMessage, reply: Reply): Reply['headers'] => {
    const { headers } = reply;
    if (!isBypassed || !isForAll(request, reply)) return withCacheTag(headers, tag);
    const { Vary = '' } = headers;
    const varies = /x-workspace/i.test(Vary) ? Vary : [Vary, 'X-Workspace'].filter(Boolean).join(', ');
    return withCacheTag({ ...headers, ...bypassedCache, Vary: varies }, tag);
  };
}
