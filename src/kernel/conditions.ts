import type { Asks } from './asks.ts';
import type { Call, Reply } from './call.ts';
import { namesTag, toWeakTag } from './entity-tag.ts';
import type { Operation, Outcome } from './operation.ts';
import type { Service } from './service.ts';
import { toDay } from './text.ts';

/** A reply without what belongs to a body. */
export function toNotModified({ headers, ...reply }: Reply): Reply {
  const { 'Content-Type': _, ...rest } = headers;
  return { ...reply, status: 304, headers: rest, body: '' };
}

/** The tag of a list that everybody is answered alike, as long as build and day are the same. */
export function toSharedTag(
  { catalogue: { build }, platform }: Service,
  { method, workspace, input }: Operation,
  { path, query }: Call,
): string | undefined {
  const isList = method === 'GET' && workspace !== 'required' && 'limit' in input.entries;
  return isList && build ? toWeakTag(JSON.stringify([build, toDay(platform.now()), path, query])) : undefined;
}

/** Whether the caller has what a tag stands for. */
const isNamed = ({ ifNoneMatch }: Asks, tag: string) => namesTag(ifNoneMatch, tag, 'weak');

const namesAny = ({ ifNoneMatch }: Asks) => ifNoneMatch?.trim() === '*';

/** The same before there is an answer: `*` names any, and that there is one is known only once it is made. */
export const isNamedBefore = (asks: Asks, tag: string) => !namesAny(asks) && isNamed(asks, tag);

/** A 304 where the caller has what a read answers, or takes whatever it is for that (RFC 9110 section 13.1.2). */
export function toUnchanged(outcome: Outcome, asks: Asks): Outcome {
  const { ETag } = outcome.headers ?? {};
  const isKnown = namesAny(asks) || (ETag !== undefined && isNamed(asks, ETag));
  return isKnown && outcome.status === 200 ? { ...outcome, status: 304, body: '' } : outcome;
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
