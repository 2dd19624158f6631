import type { Reply } from '../../kernel/call.ts';
import type { EncodedText } from './encode-text.ts';

type Body = EncodedText | Uint8Array;

/** An answer as it is sent. */
export interface RawReply {
  status: number;
  /** Names and values of its header fields in turn. They include the length of the body, if it has one. */
  fields: readonly string[];
  /** Whole, or in pieces. A string in Latin-1 has one character for each byte. */
  body: Body;
  encoding?: 'latin1' | 'utf8';
}

export const isPieces = (body: Body): body is readonly (string | Buffer)[] => Array.isArray(body);

const measurePart = (part: string | Uint8Array) =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** Returns the bytes of a body. */
export const measureBody = (body: Body) =>
  isPieces(body) ? body.reduce((sum, part) => sum + measurePart(part), 0) : measurePart(body);

/** Lists names and values of header fields in turn, and the length of the body unless the status has none. */
export function listHeaderFields(status: number, headers: Reply['headers'], size: number): string[] {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  if (status !== 204 && status !== 304) fields.push('Content-Length', String(size));
  return fields;
}
