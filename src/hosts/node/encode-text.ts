import { memoize } from '../../kernel/cache.ts';
import type { Piece, Reply, SharedText } from '../../kernel/call.ts';
import { runAtOnce, type Steps } from '../../kernel/steps.ts';
import { stepRunner } from '../node-platform.ts';

/** Maximum characters of a body that is sent as a string. node:http sends that in one write with the headers. */
export const longestText = 8192;
/** Longer bodies, in characters, are encoded in steps. */
const longestAtOnce = 524_288;
/** Characters that are encoded at once then. */
const pieceLength = 65_536;

/** How many texts that several replies share are remembered as bytes. */
const mostShared = 1000;
const encodeShared = memoize(({ text }: SharedText) => Buffer.from(text), { most: mostShared });

const isHighSurrogate = (code: number) => (code & 0xfc00) === 0xd800;

/** Cuts a text into parts of about `pieceLength` characters, and never within a character. */
function* cutText(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = from + pieceLength;
    if (isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** Encodes the pieces of a body. Short ones become one buffer, and long ones several. */
function* encodePieces(pieces: readonly Piece[]): Steps<Buffer[]> {
  const buffers: Buffer[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') buffers.push(Buffer.from(text));
    text = '';
  };
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      flush();
      buffers.push(encodeShared(piece));
      continue;
    }
    for (const part of cutText(piece)) {
      text += part;
      if (text.length < pieceLength) continue;
      flush();
      yield;
    }
  }
  flush();
  return buffers;
}

/** Most short bodies in pieces are a text and one that is shared. */
const encodeShort = (pieces: readonly Piece[]): EncodedText =>
  pieces.length > 2
    ? runAtOnce(encodePieces(pieces))
    : pieces.map((piece) => (typeof piece === 'string' ? piece : encodeShared(piece)));

/** A body in UTF-8, or a short text as it is. */
export type EncodedText = string | readonly (string | Buffer)[];

/** Encodes the body of a reply in UTF-8. Returns a short one as it is, and a promise if others are served meanwhile. */
export function encodeText(
  { body, pieces, logFields }: Reply,
  client: string,
): EncodedText | Promise<EncodedText> {
  if (!pieces && body.length <= longestText) return body;
  if (body.length <= longestAtOnce) return pieces ? encodeShort(pieces) : [Buffer.from(body)];
  return stepRunner.run(encodePieces(pieces ?? [body]), { client, operation: logFields?.operation });
}
