import type { Call, Reply, RequestOptions } from './call.ts';
import type { Operation, Outcome } from './operation.ts';
import type { Service } from './service.ts';
import { toDay } from './text.ts';

/** What FNV-1a begins with, in 32 bits (its offset basis). */
export const fnvStart = 0x811c9dc5;

/** FNV-1a over the UTF-16 of a text, in 32 bits. */
export function fnv1a(text: string, start = fnvStart): number {
  let sum = start;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

/** A strong entity tag (RFC 9110 section 8.8.3) of a text: 64 bits, for telling versions apart, not for secrets. */
export function toEntityTag(text: string): string {
  const parts = [fnv1a(text), fnv1a(text, text.length ^ 0x2f0b4a2d)];
  return `"${parts.map((part) => part.toString(36)).join('')}"`;
}

/** A weak one: what is sent compressed, or not, is the same by it. */
export const toWeakTag = (text: string): string => `W/${toEntityTag(text)}`;

const toBare = (tag: string) => tag.replace(/^W\//, '');

/**
 * Whether a field of If-Match, which compares strongly, or of If-None-Match, which compares weakly (RFC 9110 section
 * 8.8.3.2), names a tag; `*` alone names any.
 */
export function namesTag(field: string | undefined, tag: string, how: 'strong' | 'weak'): boolean {
  if (field === undefined) return false;
  const named = field.split(',').map((one) => one.trim());
  if (named.length === 1 && named[0] === '*') return true;
  return named.some((one) => (how === 'weak' ? toBare(one) === toBare(tag) : one === tag));
}

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
const isNamed = ({ ifNoneMatch }: RequestOptions, tag: string) => namesTag(ifNoneMatch, tag, 'weak');

const namesAny = ({ ifNoneMatch }: RequestOptions) => ifNoneMatch?.trim() === '*';

/** The same before there is an answer: `*` names any, and that there is one is known only once it is made. */
export const isUnchangedBeforeRun = (options: RequestOptions, tag: string) =>
  !namesAny(options) && isNamed(options, tag);

/** A 304 where the caller has what a read answers, or takes whatever it is for that (RFC 9110 section 13.1.2). */
export function orNotModified(outcome: Outcome, options: RequestOptions): Outcome {
  const { ETag } = outcome.headers ?? {};
  const isKnown = namesAny(options) || (ETag !== undefined && isNamed(options, ETag));
  return isKnown && outcome.status === 200 ? { ...outcome, status: 304, body: '' } : outcome;
}

/** A reply that says what became of a preference (RFC 7240 section 3), where there is something to warn of. */
export function withPreference(reply: Reply, call: Call, isStrict: boolean): Reply {
  if (!isStrict && call.query === '' && call.body.length === 0) return reply;
  const Vary = reply.headers.Vary ? `${reply.headers.Vary}, Prefer` : 'Prefer';
  const strict = {
    'Preference-Applied': 'handling=strict',
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
  };
  return { ...reply, headers: { ...reply.headers, ...(isStrict && strict), Vary } };
}
