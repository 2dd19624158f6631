import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { bypassedCache, withCacheTag } from '../../kernel/headers.ts';
import { getOffer } from '../../pricing/offer.ts';
import type { HostTable } from './describe-table.ts';
import { isGetOrHead } from './request.ts';

/** A reply without its body. */
export type ReplyHead = Pick<Reply, 'status' | 'headers' | 'logFields'>;

/** What shared caches may store. */
export interface SharingParts {
  table: Pick<HostTable, 'sharedReads'>;
  /** Whether a CDN bypasses its cache for X-Workspace. */
  isBypassed: boolean;
  /** The tag of this build in shared caches. */
  tag: string;
}

/** Adds to replies what shared caches have to know of them. */
export class Sharing {
  readonly #parts: SharingParts;

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  /**
   * Returns the headers of a reply for shared caches. A reply that they may store has the tag of the build. If a CDN
   * bypasses its cache for X-Workspace, it may also store for a while what all other callers get.
   */
  addHeaders(request: IncomingMessage, reply: ReplyHead): Reply['headers'] {
    const { isBypassed, tag } = this.#parts;
    const { headers } = reply;
    if (!isBypassed || !this.#isForEveryone(request, reply)) return withCacheTag(headers, tag);
    const { Vary = '' } = headers;
    const varies = /x-workspace/i.test(Vary) ? Vary : [Vary, 'X-Workspace'].filter(Boolean).join(', ');
    return withCacheTag({ ...headers, ...bypassedCache, Vary: varies }, tag);
  }

  /** Whether every caller without a workspace or login gets this same reply: content, a 404 or the offer. */
  #isForEveryone(request: IncomingMessage, { status, headers, logFields }: ReplyHead): boolean {
    const { headers: sent } = request;
    if (!isGetOrHead(request) || sent['x-workspace'] !== undefined || sent.authorization !== undefined)
      return false;
    // The next caller may prefer something else.
    if (!logFields || headers['Preference-Applied'] !== undefined) return false;
    if (logFields.operation === getOffer.operationId) return status === 402;
    return (
      this.#parts.table.sharedReads.has(logFields.operation) &&
      logFields.code === undefined &&
      [200, 304, 404].includes(status)
    );
  }
}
