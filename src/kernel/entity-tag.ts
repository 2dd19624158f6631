import type { Call, RequestOptions } from './call.ts';
import type { Operation, OperationReply } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { KernelService } from './service.ts';

export const fnvStart = 0x811c9dc5;

const fnvPrime = 0x01000193;

/** FNV-1a hash of the UTF-16 code units of a text, in 32 bits. */
export function fnv1a(text: string, start = fnvStart): number {
  let sum = start;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), fnvPrime);
  return sum >>> 0;
}

/** A strong entity tag (RFC 9110 section 8.8.3) of a text. Its 64 bits tell versions apart; they protect no secret. */
export function createEntityTag(text: string): string {
  let first = fnvStart;
  let second = text.length ^ 0x2f0b4a2d;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, fnvPrime);
    second = Math.imul(second ^ unit, fnvPrime);
  }
  return `"${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}"`;
}

/** A weak entity tag: a compressed reply and a plain one have the same tag. */
export const createWeakTag = (text: string): string => `W/${createEntityTag(text)}`;

export const isAnyTag = (field: string | undefined) => field?.trim() === '*';
const stripWeak = (tag: string) => tag.replace(/^W\//, '');

/** Returns a tag in quotes. Many clients leave them out, and then a tag that never matched would make them ask at once. */
const quoteTag = (entry: string) =>
  entry.replace(/^(W\/)?([^"]+)$/, (_, weak = '', opaque) => `${weak}"${opaque}"`);

/** Whether If-Match (strong) or If-None-Match (weak, RFC 9110 section 8.8.3.2) names a tag. `*` names every tag. */
export function hasTag(field: string | undefined, tag: string, how: 'strong' | 'weak'): boolean {
  if (field === undefined) return false;
  if (isAnyTag(field)) return true;
  const entries = field.split(',').map((entry) => quoteTag(entry.trim()));
  return entries.some((entry) => (how === 'weak' ? stripWeak(entry) === stripWeak(tag) : entry === tag));
}

/**
 * Refuses a change if the caller has read another version (RFC 9110 section 13.1.1). If-Match compares strongly, so a
 * weak tag never matches. Its refusal is `weak_tag`, because the record may be unchanged. Otherwise it is `changed`.
 */
export function refuseOtherVersion(ifMatch: string | undefined, tag: string, reason?: string): void {
  if (ifMatch === undefined || hasTag(ifMatch, tag, 'strong')) return;
  if (/(^|,)\s*W\//.test(ifMatch)) throw new Refusal('weak_tag');
  throw new Refusal('changed', reason === undefined ? {} : { reason });
}

/**
 * Returns the tag of a list of public records. A build reads them as of one day, so the list is the same for all callers
 * while the build runs. Call it for GET only.
 */
export function createSharedTag(
  { catalogue: { build } }: KernelService,
  { access, input }: Operation,
  { path, query }: Call,
): string | undefined {
  const isList = access.workspace !== 'required' && 'limit' in input.entries;
  return isList && build ? createWeakTag(JSON.stringify([build, path, query])) : undefined;
}

/** Whether the caller has the answer with this tag. `*` does not count before the operation has run. */
export const isUnchangedBeforeRun = ({ ifNoneMatch }: RequestOptions, tag: string) =>
  !isAnyTag(ifNoneMatch) && hasTag(ifNoneMatch, tag, 'weak');

/** Turns a 200 that the caller already has into a 304 (RFC 9110 section 13.1.2). The body stays, for tools. */
export function orNotModified(outcome: OperationReply, { ifNoneMatch }: RequestOptions): OperationReply {
  if (ifNoneMatch === undefined || outcome.status !== 200) return outcome;
  const { ETag } = outcome.headers ?? {};
  const isKnown = ETag === undefined ? isAnyTag(ifNoneMatch) : hasTag(ifNoneMatch, ETag, 'weak');
  return isKnown ? { ...outcome, status: 304 } : outcome;
}
