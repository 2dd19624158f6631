import type { IncomingMessage } from 'node:http';
import type { Reply } from '../../kernel/call.ts';
import { parsePreferences } from '../../kernel/representation.ts';
import type { Compression } from './compression.ts';
import { isGetOrHead } from './request.ts';

export type Encoding = 'identity' | Compression;

/**
 * Chooses the best coding that Accept-Encoding allows, by name or by `*` (RFC 9110 section 12.5.3): brotli, then gzip.
 */
export function chooseEncoding(header: string): Encoding {
  const preferences = new Map(parsePreferences(header));
  const accepts = (coding: string) => (preferences.get(coding) ?? preferences.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

/**
 * Shorter bodies, in characters, are not compressed. They fit the first round trip of a connection, and compressing
 * them takes longer than all the rest. A cached body is compressed once, so its limit is lower.
 */
const worthwhile = 14_336;
const worthwhileIfKept = 1024;

/**
 * Whether a reply may be compressed. A strong tag names bytes, and callers send it back with a change. A reply to a
 * write may hold a secret beside text of its caller: its compressed size could reveal the secret (BREACH).
 */
export const canEncode = (request: IncomingMessage, { status, headers }: Reply): boolean =>
  isGetOrHead(request) && (status === 200 || status === 304) && headers.ETag?.startsWith('"') !== true;

/** Adds that a reply depends on Accept-Encoding, whichever coding it is sent in. */
export function addVary(reply: Reply): Reply {
  const { Vary: before } = reply.headers;
  const Vary = before ? `${before}, Accept-Encoding` : 'Accept-Encoding';
  return { ...reply, headers: { ...reply.headers, Vary } };
}

/** Chooses the coding of a reply that may be compressed. */
export function chooseCoding({ headers }: IncomingMessage, { isKept, body }: Reply): Encoding {
  if (body.length < (isKept ? worthwhileIfKept : worthwhile)) return 'identity';
  return chooseEncoding(String(headers['accept-encoding'] ?? ''));
}
