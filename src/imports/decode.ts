import { type Call, headerOf } from '../kernel/call.ts';
import type { Finding } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { decodeText } from './decode-text.ts';

const readAsWindows: Finding = {
  code: 'read_as',
  path: '',
  message: 'is not UTF-8 and was read as Windows-1252; check letters with accents',
  refusal: 'is not UTF-8; send it in UTF-8, or name its charset in Content-Type',
};

/**
 * Decodes a text file: by its byte order mark, by the charset of Content-Type, as UTF-8, or else as Windows-1252 with a
 * warning. Throws the Refusal `unsupported_media` for a zip archive, and for bytes that are not in the charset.
 */
export function decodeFile(call: Call): { text: string; warnings: Finding[] } {
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})/i.exec(headerOf(call, 'content-type') ?? '') ?? [];
  const isNamed = charset !== undefined && !/^utf-?8$/i.test(charset);
  const decoded = decodeText(call.body, isNamed ? charset : undefined);
  if ('problem' in decoded)
    throw new Refusal('unsupported_media', { reason: `The body ${decoded.problem}.` });
  return { text: decoded.text, warnings: decoded.isGuessed ? [readAsWindows] : [] };
}
