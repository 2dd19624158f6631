const zipBytes = [0x50, 0x4b, 0x03, 0x04];
const zipText = 'PK\u0003\u0004';

/** Says what is wrong with a text that is no text, or returns undefined. */
export function findBinary(text: string): string | undefined {
  if (text.startsWith(zipText))
    return 'is a zip archive, as a workbook (.xlsx) is; save the sheet as CSV, and send that';
  if (text.includes('\0'))
    return 'is no text, or in UTF-16 without a byte order mark; save it as CSV in UTF-8';
  return undefined;
}

/** Returns the text of some bytes in an encoding, or undefined if they are not in it. */
function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the name of the encoding that a byte order mark shows. */
function findMarked([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

interface DecodedText {
  text: string;
  /** Whether the bytes were read as Windows-1252, because nothing says what they are. */
  isGuessed: boolean;
}

/**
 * Decodes the bytes of a text file: by their byte order mark, by `charset` if it is given, as UTF-8, or else as
 * Windows-1252. Returns what is wrong with them if they are no text.
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText | { problem: string } {
  if (zipBytes.every((byte, index) => bytes[index] === byte)) return { problem: findBinary(zipText)! };
  const label = findMarked(bytes) ?? charset;
  if (label !== undefined) {
    const text = decodeAs(label, bytes);
    if (text === undefined)
      return { problem: `is not in ${label}; send it in UTF-8, or name its charset in Content-Type` };
    return { text, isGuessed: false };
  }
  const text = decodeAs('utf-8', bytes);
  if (text !== undefined) return { text, isGuessed: false };
  return { text: decodeAs('windows-1252', bytes)!, isGuessed: true };
}
