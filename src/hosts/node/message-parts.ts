/** The bytes between one message and the next that are no part of either (RFC 9112 section 2.2). */
const [cr, lf] = [13, 10];
/** What ends the head of every message, and a body in chunks. */
const blankLine = '\r\n\r\n';
/** Lines of a body in chunks that are parsed in one turn: a chunk of one byte takes two of them. */
const mostLines = 64;

/** How many bytes of `bytes` begin with CR or LF only. */
export function countBlank(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] === cr || bytes[at] === lf)) at += 1;
  return at;
}

/** Bytes at the end that may be the beginning of a blank line. */
function countHeld(bytes: Buffer): number {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 3));
  for (let length = Math.min(3, end.length); length > 0; length -= 1)
    if (blankLine.startsWith(end.slice(-length))) return length;
  return 0;
}

/** How much of `bytes` is its first lines, at most `length`; a blank line at `blankAt` is not parted. */
function toLines(bytes: Buffer, length: number, blankAt: number): number {
  let at = 0;
  for (let lines = 0; lines < mostLines; lines += 1) {
    const next = bytes.indexOf(lf, at) + 1;
    if (next === 0 || next >= length) return length;
    at = next;
  }
  return at === blankAt + 2 ? length : at;
}

/** How many bytes are of one message: up to the end of its head or of a body in chunks, of which only some lines. */
export function toPart(bytes: Buffer, isInChunks: boolean): number {
  const end = bytes.indexOf(blankLine, 0, 'latin1');
  const length = end < 0 ? bytes.length - countHeld(bytes) : end + blankLine.length;
  return isInChunks ? toLines(bytes, length, end) : length;
}
