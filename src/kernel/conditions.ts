import { type Call, headerOf, type Reply } from './call.ts';
import { namesTag } from './entity-tag.ts';

/** A reply without what belongs to a body. */
export function toNotModified({ headers, ...reply }: Reply): Reply {
  const { 'Content-Type': _, ...rest } = headers;
  return { ...reply, status: 304, headers: rest, body: '' };
}

/** A 304 where the caller has what a read answers (RFC 9110 section 13.1.2). */
export function toUnchanged(reply: Reply, call: Call): Reply {
  if (call.method !== 'GET' && call.method !== 'HEAD') return reply;
  const { ETag } = reply.headers;
  if (
    reply.status !== 200 ||
    ETag === undefined ||
    !namesTag(headerOf(call, 'if-none-match'), ETag, 'weak')
  ) {
    return reply;
  }
  return toNotModified(reply);
}

/** A reply that says what became of a preference (RFC 7240 section 3), where there is something to warn of. */
export function toPreferred(reply: Reply, call: Call, isStrict: boolean): Reply {
  if (!isStrict && call.query === '' && call.body.length === 0) return reply;
  const Vary = reply.headers.Vary ? `${reply.headers.Vary}, Prefer` : 'Prefer';
  const strict = {
    'Preference-Applied': 'handling=strict',
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
  };
  return { ...reply, headers: { ...reply.headers, ...(isStrict && strict), Vary } };
}
