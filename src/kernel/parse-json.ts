import { Refusal } from './refusal.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const laterDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The most bytes of a body that are decoded at once. Longer bodies are decoded in two parts, because Node keeps a longer
 * text outside the heap and frees it late.
 */
const mostDecoded = 524_288;
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Decodes UTF-8. Throws a TypeError if it is not well formed. */
function decodeBody(body: Uint8Array): string {
  if (body.length <= mostDecoded) return decoder.decode(body);
  let middle = mostDecoded;
  while (isContinuation(body[middle])) middle += 1;
  return decoder.decode(body.subarray(0, middle)) + laterDecoder.decode(body.subarray(middle));
}

/** Maximum depth and number of parts of a body. The largest accepted body needs far less. */
const mostDeep = 64;
export const mostParts = 40_000;
const [space, quoteByte, backslash, comma, colon] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Texts of at most this many bytes are read byte by byte. In longer ones a search finds the end sooner. */
const shortText = 32;

/** Returns the position of the quote that ends a text, or the end of the body. `start` is behind the quote that opens it. */
function findTextEnd(body: Uint8Array, start: number): number {
  const end = Math.min(body.length, start + shortText);
  for (let at = start; at < end; at += 1) {
    if (body[at] === quoteByte) return at;
    if (body[at] === backslash) at += 1;
  }
  for (let at = body.indexOf(quoteByte, start); at >= 0; at = body.indexOf(quoteByte, at + 1)) {
    let first = at;
    while (first > start && body[first - 1] === backslash) first -= 1;
    const isEscaped = (at - first) % 2 === 1;
    if (!isEscaped) return at;
  }
  return body.length;
}

/**
 * Counts the parts of a body: a comma, a colon or a bracket begins one. Throws a Refusal if it is nested too deep, because
 * it would overflow a reader's stack.
 */
function countBodyParts(body: Uint8Array): number {
  let depth = 0;
  let parts = 0;
  const { length } = body;
  for (let at = 0; at < length; at += 1) {
    const byte = body[at]!;
    if (byte <= space) continue;
    if (byte === quoteByte) at = findTextEnd(body, at + 1);
    else if (byte === comma || byte === colon) parts += 1;
    else if (byte === openList || byte === openObject) {
      parts += 1;
      depth += 1;
      if (depth <= mostDeep) continue;
      const reason = `The body is nested more than ${mostDeep} deep. Send it less deep.`;
      throw new Refusal('invalid_json', { reason });
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return parts;
}

const encoder = new TextEncoder();

/** Counts the parts of a JSON text as they count in a body. */
export const countParts = (text: string): number => countBodyParts(encoder.encode(text));

/** Refuses a body that has too many parts, because parsing it would block other callers. */
function refuseIntricate(body: Uint8Array): void {
  if (countBodyParts(body) <= mostParts) return;
  const reason = `The body holds more than ${mostParts.toLocaleString('en-US')} members and values. Send less.`;
  throw new Refusal('body_too_large', { reason });
}

/** Parses the JSON of a body (RFC 8259, UTF-8). Throws if it is not JSON. */
export function parseJson(body: Uint8Array): unknown {
  // A shorter body cannot be deeper.
  if (body.length > 2 * mostDeep) refuseIntricate(body);
  return JSON.parse(decodeBody(body));
}
