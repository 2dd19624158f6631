import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { getOffer } from '../../pricing/offer.ts';
import { operations } from '../../table.ts';

/** Those that answer all callers who show no workspace alike. */
const alike = new Set(
  operations
    .filter(({ cache, effect }) => cache === 'record' && effect === 'read')
    .map((row) => row.operationId),
);

/** Whether a reply is what every caller is told who shows nothing: content, nothing there, or the offer. */
function isForAll(request: IncomingMessage, { status, headers, logFields }: Reply): boolean {
  const { method, headers: sent } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (sent['x-workspace'] !== undefined || sent.authorization !== undefined) return false;
  // What a caller preferred is not what the next one did.
  if (!logFields || headers['Preference-Applied'] !== undefined) return false;
  if (logFields.operation === getOffer.operationId) return status === 402;
  return alike.has(logFields.operation) && logFields.code === undefined && [200, 304, 404].includes(status);
}

/**
 * The headers of live replies as shared caches are to see them: the tag of the build on what they may keep, and, where
 * a CDN passes by what carries X-Workspace, leave to keep for a while what all others are told.
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
