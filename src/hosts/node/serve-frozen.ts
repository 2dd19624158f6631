import type { IncomingMessage, ServerResponse } from 'node:http';
import { toEncoding } from './encoding.ts';
import { findHeader } from './find-header.ts';
import type { Variants } from './variants.ts';

/** Whether If-None-Match (RFC 9110 section 13.1.2) names this entity tag; comparison is weak. */
function isMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Answers a GET or HEAD from memory. Answers the bytes of the body. */
export function serveFrozen(variants: Variants, request: IncomingMessage, response: ServerResponse): number {
  const encoding = toEncoding(findHeader(request.rawHeaders, 'accept-encoding'));
  const variant = variants[encoding] ?? variants.identity;
  if (isMatch(findHeader(request.rawHeaders, 'if-none-match'), variant.etag)) {
    response.writeHead(304, variant.notModified).end();
    return 0;
  }
  response.writeHead(200, variant.headers);
  if (request.method === 'HEAD') {
    response.end();
    return 0;
  }
  response.end(variant.body, 'latin1');
  return variant.body.length;
}
