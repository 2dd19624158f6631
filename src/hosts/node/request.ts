import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallNotes, LogFields } from '../../kernel/call.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** The path and query of a request target, still encoded. */
export interface Target {
  path: string;
  query: string;
}

/** A request target in absolute form. Its authority counts, and Host does not (RFC 9112 section 3.2.2). */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Parses a request target (RFC 9112 section 3.2) in origin form or absolute form. Only the latter has an authority. */
export function parseTarget(url: string): Target & { authority: string | undefined } {
  const [form = '', authority] = absoluteForm.exec(url) ?? [];
  const target = url.slice(form.length) || '/';
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '', authority }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1), authority };
}

/**
 * Returns the refusal of a request that is not valid HTTP/1. HTTP/1.1 needs Host once, and no version allows it twice
 * (RFC 9112 section 3.2). The only transfer coding that is supported is chunked (section 6.1).
 */
export function findFramingRefusal(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1) return new Refusal('http_version');
  let hosts = 0;
  let reason: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[index + 1]!.toLowerCase() !== 'chunked')
        reason = 'Send the body with Content-Length, or with Transfer-Encoding: chunked alone.';
    }
  }
  if (hosts > 1 || (hosts === 0 && httpVersionMinor === 1)) reason ??= 'Send the header Host, once.';
  return reason === undefined ? undefined : new Refusal('invalid_http', { reason });
}

/** Whether a request reads, and has no body. */
export const isGetOrHead = ({ method }: Pick<IncomingMessage, 'method'>) =>
  method === 'GET' || method === 'HEAD';

/** The status in logs and metrics if the caller went away before its answer. Never sent. */
export const callerGone = 499;

/** A live request that was answered. `code` is that of a refusal, or the id of an offer. */
export interface ServedRequest extends LogFields {
  id: string;
  request: Pick<IncomingMessage, 'method' | 'headers'>;
  path: string;
  client: string;
  status: number;
  /** Bytes of the body as it was sent. */
  bytes: number;
  ms: number;
  noted: CallNotes;
}

const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;
const idPrefix = randomBytes(6).toString('hex');
let idCount = 0;

/** Returns the caller's X-Request-Id if it is 1 to 128 of `A-Za-z0-9._-`. Otherwise returns a unique id. */
export function chooseRequestId(header: string | string[] | undefined): string {
  if (typeof header === 'string' && requestIdShape.test(header)) return header;
  idCount += 1;
  return `${idPrefix}-${idCount.toString(36)}`;
}

/** A token and, after a slash, its version (RFC 9110 sections 5.6.2 and 10.1.5). */
const productShape = /^[\w!#$%&'*+.^`|~-]{1,64}(?:\/[\w!#$%&'*+.^`|~-]{1,64})?(?=[ \t]|$)/;

/** Returns the first product of a User-Agent field, such as `curl/8.5.0`, or undefined if it has none that is short. */
export const parseProduct = (field: string | undefined): string | undefined =>
  field === undefined ? undefined : productShape.exec(field)?.[0];

/** Version, trace id, parent id and flags. A version after 00 may add more. A comma joins two fields. */
const traceShape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[^,]*)?$/;

/** Returns the trace id of a traceparent field (W3C Trace Context, section 3.2), or undefined if it is malformed. */
export function parseTraceId(field: string | string[] | undefined): string | undefined {
  if (typeof field !== 'string') return undefined;
  const [, version, traceId, more] = traceShape.exec(field) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
