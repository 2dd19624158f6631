import { memoize } from '../kernel/cache.ts';
import { pickLogFields } from '../kernel/call.ts';
import { isObject, unwrapJson } from '../kernel/json.ts';
import type { Operation, OperationReply } from '../kernel/operation.ts';
import type { Steps } from '../kernel/steps.ts';
import { formatWording } from '../kernel/wording.ts';
import type { RpcResult } from './json-rpc.ts';
import type { Signature } from './protocol.ts';
import type { McpService } from './service.ts';
import { canToolWait } from './tool-arguments.ts';
import { wordForMcp } from './wording.ts';

/** Links of a receipt and its keys. Results keep them, because no tool argument replaces them. */
const receiptLinks = ['receipt', 'keys'];

type Kinds = McpService['kinds'];

/** Lists the links that a result keeps: to what a record refers to, which are null if that is gone, and of a receipt. */
const listKeptLinks = memoize(
  (kinds: Kinds): ReadonlySet<string> =>
    new Set([...kinds.flatMap(({ references }) => Object.values(references)), ...receiptLinks]),
  { most: 10 },
);

/** Whether a row of a meter counted no call. */
const isUnused = (row: unknown) => isObject(row) && row.calls === 0;

/** Returns the value of a member, trimmed. Returns undefined if a result leaves the member out. */
function trimMember(name: string, value: unknown, kept: ReadonlySet<string>): unknown {
  if (name === 'links' && isObject(value)) {
    const links = Object.entries(value).filter(([link]) => kept.has(link));
    return links.length > 0 ? Object.fromEntries(links) : undefined;
  }
  // That of an exported record goes back into a batch with its empty lists. That of a match has none.
  if (name === 'history') return value;
  if (!Array.isArray(value)) return trim(value, kept);
  const rows = value.filter((row) => !isUnused(row));
  return rows.length > 0 ? rows.map((row) => trim(row, kept)) : undefined;
}

/**
 * Returns the body of a reply without what a model has no use for. These become undefined: empty lists, rows of the meter
 * without a call, and links other than those in `kept`, because a tool reads a record by its id.
 */
function trim(value: unknown, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => trim(item, kept));
  if (!isObject(value)) return value;
  const trimmed = { ...value };
  for (const [name, member] of Object.entries(value)) trimmed[name] = trimMember(name, member, kept);
  return trimmed;
}

/** Writes a list of rows as JSON, each trimmed in a step of its own. Returns undefined if no row is left. */
function* writeRows(rows: readonly unknown[], kept: ReadonlySet<string>): Steps<string[] | undefined> {
  const pieces: string[] = [];
  for (const row of rows) {
    yield;
    if (isUnused(row)) continue;
    pieces.push(`${pieces.length === 0 ? '[' : ','}${JSON.stringify(trim(row, kept))}`);
  }
  if (pieces.length > 0) pieces.push(']');
  return pieces.length > 0 ? pieces : undefined;
}

/** A body whose lists have at most this many rows is written at once. */
const mostRowsAtOnce = 20;

const isLongList = (value: unknown) => Array.isArray(value) && value.length > mostRowsAtOnce;

/** Writes the trimmed body of a reply as JSON, in pieces. A step writes one row of a long list. */
function* writeTrimmed(body: object | string, kept: ReadonlySet<string>): Steps<string[]> {
  if (!isObject(body) || !Object.values(body).some(isLongList)) return [JSON.stringify(trim(body, kept))];
  const pieces: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const isList = Array.isArray(value);
    const written = isList ? yield* writeRows(value, kept) : JSON.stringify(trimMember(name, value, kept));
    if (written === undefined) continue;
    pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, ...[written].flat());
  }
  return pieces.length > 0 ? [...pieces, '}'] : ['{}'];
}

/** Writes pieces of JSON as a text in JSON, without its quotes. A step writes one piece. */
function* quotePieces(pieces: readonly string[]): Steps<string> {
  let quoted = '';
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) yield;
    quoted += JSON.stringify(piece).slice(1, -1);
  }
  return quoted;
}

/** Returns an entity tag as a tool takes and returns it: without quotes. */
export const stripQuotes = (tag: string) => tag.replaceAll('"', '');

/** Adds its tag to a read that can wait, and `changed: false` if the caller already has that version. */
function withTag(
  operation: Operation,
  { body, status, headers: { ETag } = {} }: OperationReply,
): OperationReply['body'] {
  if (ETag === undefined || !canToolWait(operation)) return unwrapJson(body);
  return {
    ...(unwrapJson(body) as object),
    tag: stripQuotes(ETag),
    ...(status === 304 && { changed: false }),
  };
}

/** Puts the cursor of the next page before the rows, so that no model takes a page for all there is. */
function withCursorFirst(body: OperationReply['body']): OperationReply['body'] {
  if (!isObject(body) || body.nextCursor === undefined) return body;
  const { type, nextCursor, ...rest } = body;
  return { ...(type !== undefined && { type }), nextCursor, ...rest };
}

/** Returns the body of a reply with its message worded for a model. */
function wordBody(operation: Operation, reply: OperationReply): OperationReply['body'] {
  const body = withCursorFirst(withTag(operation, reply));
  const { message } = reply;
  return message === undefined ? body : { ...(body as object), message: formatWording(message, wordForMcp) };
}

/** Whether a model has to do something else: the call was refused, or there was nothing to change. */
function isError({ operationId, effect }: Operation, { status, body }: OperationReply, code?: string) {
  const isRequestedOffer = operationId === 'getOffer' && (body as { type?: string }).type === 'OFFER';
  return (effect !== 'read' && status === 404) || (code !== undefined && !isRequestedOffer);
}

interface ToolContext {
  operation: Operation;
  kinds: Kinds;
  signature: Signature | undefined;
}

/**
 * Creates the result of tools/call. It holds the trimmed body of the HTTP reply as an object and as text, because clients
 * read one or the other. `limit` is the quota that the caller has used up.
 */
export function* createToolResult(
  { operation, kinds, signature }: ToolContext,
  reply: OperationReply,
  limit?: string,
): Steps<RpcResult> {
  const logFields = { ...pickLogFields(operation.operationId, 'mcp', reply.body), limit };
  const kept = listKeptLinks(kinds);
  const pieces = yield* writeTrimmed(wordBody(operation, reply), kept);
  const isReplay = reply.headers?.['Idempotency-Replayed'] !== undefined;
  const rest = {
    ...signature,
    ...(isError(operation, reply, logFields.code) && { isError: true }),
    ...((signature || isReplay) && {
      _meta: { ...signature?._meta, ...(isReplay && { idempotencyReplayed: true }) },
    }),
  };
  const quoted = yield* quotePieces(pieces);
  const members = JSON.stringify(rest).slice(1, -1);
  return {
    status: reply.status,
    text: `{"content":[{"type":"text","text":"${quoted}"}],"structuredContent":${pieces.join('')}${members && `,${members}`}}}`,
    logFields,
  };
}
