import { type Call, headerOf } from '../kernel/call.ts';
import type { Finding } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';

const bytesOfZip = [0x50, 0x4b, 0x03, 0x04];
const zipText = 'PK\u0003\u0004';

/** Says what is wrong with a text that is no text, or returns undefined. */
export function findBinary(text: string): string | undefined {
  if (text.startsWith(zipText))
    return 'is a zip archive, as a workbook (.xlsx) is; save the sheet as CSV, and send that';
  if (text.includes('\0'))
    return 'is no text, or in UTF-16 without a byte order mark; save it as CSV in UTF-8';
  return undefined;
}

function decodeAs(label: string, body: Uint8Array): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(body);
  } catch {
    const reason = `The body is not in ${label}. Send it in UTF-8, or name its charset in Content-Type.`;
    throw new Refusal('unsupported_media', { reason });
  }
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

const readAsWindows: Finding = {
  code: 'read_as',
  path: '',
  message: 'is not UTF-8 and was read as Windows-1252; check letters with accents',
  refusal: 'is not UTF-8; send it in UTF-8, or name its charset in Content-Type',
};

/** Returns the name of the encoding that a byte order mark shows. */
function findMarked([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * Decodes a text file: by its byte order mark, by the charset of Content-Type, as UTF-8, or else as Windows-1252 with a
 * warning. Throws the Refusal `unsupported_media` for a zip archive, and for bytes that are not in the charset.
 */
export function decodeFile(call: Call): { text: string; warnings: Finding[] } {
  const { body } = call;
  if (bytesOfZip.every((byte, index) => body[index] === byte)) {
    const reason = `The body ${findBinary(zipText)}.`;
    throw new Refusal('unsupported_media', { reason });
  }
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})/i.exec(headerOf(call, 'content-type') ?? '') ?? [];
  const label = findMarked(body) ?? (charset && !/^utf-?8$/i.test(charset) ? charset : undefined);
  if (label !== undefined) return { text: decodeAs(label, body), warnings: [] };
  if (isUtf8(body)) return { text: decodeAs('utf-8', body), warnings: [] };
  return { text: decodeAs('windows-1252', body), warnings: [readAsWindows] };
}
