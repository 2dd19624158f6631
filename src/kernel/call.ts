import { Json } from './json.ts';

/** Header names in lower case, as HTTP/2 and node:http give them. */
export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request in plain values, made by every host from its own kind of request. */
export interface Call {
  method: string;
  /** The path as it was sent, still percent-encoded, without the query. */
  path: string;
  /** The query as it was sent, without the question mark; empty for none. */
  query: string;
  headers: CallHeaders;
  body: Uint8Array;
  /** The caller's address in its one canonical form, or a word for all callers of a kind; absent if not known. */
  client?: string;
  /** All that is known of the caller, on calls that may have an Idempotency-Key; absent if that is `client` alone. */
  identity?: string;
  requestId?: string;
  /** Where a host logs: filled in with the last eight characters of the hash of the workspace's id. */
  noted?: CallNotes;
  /** Has `leave` called once nobody waits for the answer any more. */
  onGone?(leave: () => void): void;
  /**
   * Counts this call as `more` calls in addition to itself, because it carries the work of as many. Throws the Refusal
   * `rate_limited`. Absent where a host has no limits.
   */
  weigh?(more: number): void | Promise<void>;
}

export interface CallNotes {
  workspace?: string;
  /** Milliseconds that it waited for a change, as it asked. */
  waited?: number;
}

/** Notes the workspace of a call, by the end of its hash in hex: the beginning is a moment. */
export function noteWorkspace({ noted }: Call, hash: string): void {
  if (noted) noted.workspace = hash.slice(-8);
}

/** A reply in the log and the metrics. It has nothing that a caller wrote. */
export interface LogFields {
  /** The operationId of what ran, by MCP that of the tool; `none` where nothing was found, `preflight` for OPTIONS. */
  operation: string;
  door: 'http' | 'mcp';
  code?: string | undefined;
}

/** A body in two pieces; other replies end with the same `shared`. */
export interface Pieces {
  before: string;
  shared: { readonly text: string };
}

export interface Reply {
  status: number;
  /** Frozen where it is one object that many replies share. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The same body, for a host that caches the bytes of what is shared. */
  pieces?: Pieces | undefined;
  /** Never sent, nor is whether the reply is in a cache. */
  logFields?: LogFields;
  isKept?: boolean;
}

/** The value of a header, the first where it was sent more than once. */
export function headerOf(call: Call, name: string): string | undefined {
  const value = call.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The log fields of an answer: the code of a BLOCKED envelope or the id of an OFFER. A `Json` body is content. */
export function pickLogFields(operation: string, door: LogFields['door'], body: object | string): LogFields {
  if (body instanceof Json) return { operation, door };
  const { type, code, id } = body as { type?: string; code?: string; id?: string };
  if (type === 'BLOCKED') return { operation, door, code };
  return type === 'OFFER' ? { operation, door, code: id } : { operation, door };
}

/** What a caller sends beside the arguments, over HTTP or MCP. */
export interface RequestOptions {
  /** The id or the handle of a workspace. */
  workspaceId?: string | undefined;
  bearer?: string | undefined;
  capability?: string | undefined;
  /** `Prefer: handling=strict`: warnings become refusals. */
  isStrict: boolean;
  /** `Prefer: wait=N`: seconds that a read may wait for another answer than `ifNoneMatch` names. */
  waitSeconds?: number | undefined;
  /** Whether a model called a tool: what it guessed is refused, where a program is warned. */
  isTool?: boolean;
  /** The name that the MCP client gives itself, if it gives one. */
  clientName?: string | undefined;
  key?: string | undefined;
  /** If-Match of a change: refused unless the record has one of these entity tags. */
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
  /** A change is refused unless the record has this revision. */
  revision?: number | undefined;
}

/**
 * Strict handling and the seconds to wait, 1 to 25, as a Prefer field has them (RFC 7240 sections 4.3 and 4.4). Of one
 * preference the first value counts (section 2).
 */
function readPrefer(field: string | string[] | undefined): Pick<RequestOptions, 'isStrict' | 'waitSeconds'> {
  if (field === undefined) return { isStrict: false };
  const preferences = String(field).slice(0, 1000).toLowerCase().split(/[,;]/);
  const pairs = preferences.map((one) => one.split('=', 2).map((part) => part.trim()));
  const find = (name: string) =>
    pairs.find(([named, value]) => named === name && value !== undefined)?.[1]?.replace(/^"|"$/g, '');
  const wait = find('wait');
  return {
    isStrict: find('handling') === 'strict',
    ...(wait && /^([1-9]|1\d|2[0-5])$/.test(wait) && { waitSeconds: Number(wait) }),
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
    ifMatch: headerOf(call, 'if-match'),
    ...(isRead && { ifNoneMatch: headerOf(call, 'if-none-match') }),
  };
}
