import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * What replies have in common, the commonest last. What is kept is read with it: a change of it needs another mark.
 */
const dictionary = Buffer.from(
  '"salt":"","status":201,"headers":{"Location":"/"},"body":{"type":"OK","id":"","name":"","title":"","onetCode":"","status":"available","createdAt":"2026-","updatedAt":"2026-","revision":1,"transitions":[],"example":false,"links":{"self":"/","occupation":"/occupations/","?status=open&occupation="}},"workspace":"","retention":{"policy":"ephemeral","expiresAt":"2026-","seconds":86400,"statement":"Kept in an ephemeral sandbox workspace for 24 h after its last write, then forgotten. The workspace id is all it takes to read it: keep it to yourself, and send no personal data."}}}',
);

/** Before a reply that is kept shorter; no JSON begins with it. */
const mark = '~';

/** A reply as it is kept: deflated in base64 where that is shorter. */
export function toKeptText(reply: string): string {
  const text = `${mark}${deflateRawSync(reply, { dictionary, windowBits: 12, memLevel: 3 }).toString('base64url')}`;
  return text.length < reply.length || reply.startsWith(mark) ? text : reply;
}

/** The reply that is kept so, or as it is. */
export const fromKeptText = (text: string): string =>
  text.startsWith(mark)
    ? inflateRawSync(Buffer.from(text.slice(1), 'base64url'), { dictionary }).toString()
    : text;
