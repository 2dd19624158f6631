import { Json } from './json.ts';

/** Header names in lower case, as HTTP/2 and node:http give them. */
export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request in plain values. Every host makes one from its own kind of request. */
export interface Call {
  method: string;
  /** The path as it was sent, still percent-encoded, without the query. */
  path: string;
  /** The query as it was sent, without the question mark. Empty if there is none. */
  query: string;
  headers: CallHeaders;
  body: Uint8Array;
  /** The caller's address in canonical form, or a word that all callers of a kind share. Absent if not known. */
  client?: string;
  /**
   * Returns all that is known of the caller as one text, for the scope of an Idempotency-Key. Absent if that is only
   * `client`.
   */
  identify?(): string;
  requestId?: string;
  /** What the core notes for the host's log. Absent if the host does not log. */
  noted?: CallNotes;
  /** Calls `leave` as soon as the caller no longer waits for the answer. */
  onGone?(leave: () => void): void;
  /**
   * Counts this call as `more` calls in addition to itself, because it does the work of as many. Throws the Refusal
   * `rate_limited`. Absent if the host has no limits.
   */
  weigh?(more: number): void | Promise<void>;
  /**
   * Reserves room for an answer of at most so many bytes, before it is made. Throws the Refusal `too_busy`. Absent if
   * the host has no limit.
   */
  reserve?(bytes: number): void;
  /** Takes back all that `weigh` counted, because the call did the work of one. Absent if the host has no limits. */
  unweigh?(): void;
}

export interface CallNotes {
  /** The last eight characters of the hash of the workspace's id. */
  workspace?: string;
  /** Whether the call waits for a change now, as it asked to. */
  isWaiting?: boolean;
  /** Milliseconds for which the call waited for a change, as it asked to. */
  waited?: number;
}

/** Notes the workspace of a call by the end of its hash in hex. The beginning of the hash is a time. */
export function noteWorkspace({ noted }: Call, hash: string): void {
  if (noted) noted.workspace = hash.slice(-8);
}

/** What the log and the metrics say of a reply. It holds nothing that a caller wrote, except names of members. */
export interface LogFields {
  /** The operationId of what ran. `none` if nothing was found, `preflight` for OPTIONS. */
  operation: string;
  door: 'http' | 'mcp';
  code?: string | undefined;
  /** The path of the first issue of a refusal. Absent if it could be more than names of members. */
  issue?: string | undefined;
  /** The quota that the caller has used up, if that is why the call was refused. */
  limit?: string | undefined;
}

/** A text that is a piece of many replies. A host can cache its bytes. */
export interface SharedText {
  readonly text: string;
}

/** A piece of a body. */
export type Piece = string | SharedText;

/** Joins pieces without a copy of their texts. */
export const joinPieces = (pieces: readonly Piece[]): string =>
  pieces.reduce<string>((text, piece) => text + (typeof piece === 'string' ? piece : piece.text), '');

export interface Reply {
  status: number;
  /** Frozen if many replies share the object. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The same body in pieces, if it was made so. A host sends them without a copy of the whole text. */
  pieces?: readonly Piece[] | undefined;
  /** For the log and the metrics. Never sent. */
  logFields?: LogFields;
  /** Whether the reply is in a cache. Never sent. */
  isKept?: boolean;
}

/** Returns the value of a header, or the first value if it was sent more than once. */
export function headerOf(call: Call, name: string): string | undefined {
  const value = call.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Returns the media type of the body in lower case, without parameters. Empty if none was sent. */
export const readMediaType = (call: Call): string =>
  (headerOf(call, 'content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();

/** A path of names and positions, such as `items[0].name`. A name with spaces or other signs does not match. */
const plainPath = /^[\w/.~$[\]-]{1,100}$/;

/**
 * The log fields of an answer: the code and the first issue of a BLOCKED envelope, or the id of an OFFER. A `Json` body
 * has neither.
 */
export function pickLogFields(operation: string, door: LogFields['door'], body: object | string): LogFields {
  if (body instanceof Json) return { operation, door };
  const { type, code, id, issues } = body as {
    type?: string;
    code?: string;
    id?: string;
    issues?: readonly { path: string }[];
  };
  const path = issues?.[0]?.path;
  if (type === 'BLOCKED')
    return { operation, door, code, issue: path && plainPath.test(path) ? path : undefined };
  return type === 'OFFER' ? { operation, door, code: id } : { operation, door };
}

/** Whether a browser is about to show the reply to a person (Fetch Metadata, Sec-Fetch-Dest). */
export const isNavigation = ({ method, headers }: Pick<Call, 'method' | 'headers'>) =>
  (method === 'GET' || method === 'HEAD') && headers['sec-fetch-dest'] === 'document';

/** What a caller sends besides the arguments, over HTTP or MCP. */
export interface RequestOptions {
  /** The id or the handle of a workspace. */
  workspaceId?: string | undefined;
  bearer?: string | undefined;
  capability?: string | undefined;
  /** `Prefer: handling=strict`: warnings become refusals. */
  isStrict: boolean;
  /** `Prefer: return=minimal`: a change is answered with ids and statuses. */
  isMinimal?: boolean;
  /** `Prefer: wait=N`: seconds for which a read may wait until its answer differs from `ifNoneMatch`. */
  waitSeconds?: number | undefined;
  /** Whether a model called a tool. A model's guesses are refused; a program's get a warning. */
  isTool?: boolean;
  /** The name that the MCP client gives itself, if it gives one. */
  clientName?: string | undefined;
  key?: string | undefined;
  /** Who asked for a change: X-Actor as it was sent, and decoded once the call is checked. */
  actor?: string | undefined;
  /** If-Match of a change. The change is refused unless the record has one of these entity tags. */
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  /** A change is refused unless the record has this revision. */
  revision?: number | undefined;
}

type Preferences = Pick<RequestOptions, 'isStrict' | 'isMinimal' | 'waitSeconds'>;

/** How many seconds a call waits at most. */
export const mostWaitSeconds = 25;

/**
 * Reads strict handling, short replies and the seconds to wait from a Prefer field (RFC 7240 sections 4.2 to
 * 4.4). If a preference is sent more than once, the first value counts (section 2). A longer wait than the most is cut to
 * it, because a client that was answered at once would ask again at once.
 */
function readPrefer(field: string | string[] | undefined): Preferences {
  if (field === undefined) return { isStrict: false };
  const preferences = String(field).slice(0, 1000).toLowerCase().split(/[,;]/);
  const pairs = preferences.map((preference) => preference.split('=', 2).map((part) => part.trim()));
  const find = (name: string) =>
    pairs.find(([named, value]) => named === name && value !== undefined)?.[1]?.replace(/^"|"$/g, '');
  const wait = find('wait');
  return {
    isStrict: find('handling') === 'strict',
    isMinimal: find('return') === 'minimal',
    ...(wait && /^0*[1-9]\d*$/.test(wait) && { waitSeconds: Math.min(Number(wait), mostWaitSeconds) }),
  };
}

const parseBearer = (field: string | undefined) => /^bearer +([\w.~+/=-]+)$/i.exec(field?.trim() ?? '')?.[1];

export function readRequestOptions(call: Call, capability?: { header: string }): RequestOptions {
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  return {
    ...(capability && { capability: headerOf(call, capability.header.toLowerCase()) }),
    workspaceId: headerOf(call, 'x-workspace'),
    bearer: parseBearer(headerOf(call, 'authorization')),
    ...readPrefer(call.headers.prefer),
    key: headerOf(call, 'idempotency-key'),
    ...(!isRead && { actor: headerOf(call, 'x-actor') }),
    ifMatch: headerOf(call, 'if-match'),
    ...(isRead && { ifNoneMatch: headerOf(call, 'if-none-match') }),
  };
}
