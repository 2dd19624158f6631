import { Json } from './json.ts';

/** Header names in lower case, as HTTP/2 and node:http give them. */
export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request in plain values: what every host makes of its own kind of request. */
export interface Call {
  method: string;
  /** The path as it was sent, still percent-encoded, without the query. */
  path: string;
  /** The query as it was sent, without the question mark; empty for none. */
  query: string;
  headers: CallHeaders;
  /** The whole body; empty for none. */
  body: Uint8Array;
  /** The address that the call came from, in one form for one address; absent where a host cannot tell. */
  client?: string;
  /** What the call is known by in the host's log, if it keeps one. */
  requestId?: string;
}

/** What an operator sees of a reply. Nothing of it is ever what a caller wrote. */
export interface LogFields {
  /**
   * The operationId of what was performed, behind the MCP door that of the tool; `none` where nothing was found,
   * `preflight` for OPTIONS.
   */
  operation: string;
  door: 'http' | 'mcp';
  /** The code of a BLOCKED envelope, or the id of an OFFER. */
  code?: string | undefined;
}

/** A body in two pieces: `shared` is the end of what others are answered too. */
export interface Pieces {
  before: string;
  shared: { readonly text: string };
}

/** A response in plain values. */
export interface Reply {
  status: number;
  /** Frozen where it is one object that many replies share. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The same body, for a host that keeps the bytes of what is shared. */
  pieces?: Pieces | undefined;
  /** Never sent. */
  logFields?: LogFields;
  /** Never sent: whether others are answered with this very reply. */
  isKept?: boolean;
}

/** The value of a header, the first where it was sent more than once. */
export function headerOf(call: Call, name: string): string | undefined {
  const value = call.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * What is seen of an answer with this body: the code of a BLOCKED envelope and the id of an OFFER are its code. What
 * is made as `Json` is content.
 */
export function toLogFields(operation: string, door: LogFields['door'], body: object | string): LogFields {
  if (body instanceof Json) return { operation, door };
  const { type, code, id } = body as { type?: string; code?: string; id?: string };
  if (type === 'BLOCKED') return { operation, door, code };
  return type === 'OFFER' ? { operation, door, code: id } : { operation, door };
}

/** What a caller asks for beside the arguments, by whichever door. */
export interface RequestOptions {
  /** The id that it shows of a workspace. */
  workspaceId?: string | undefined;
  /** The token of an Authorization field (RFC 6750 section 2.1). */
  bearer?: string | undefined;
  /** What it shows where the operation asks for a capability. */
  capability?: string | undefined;
  /** `Prefer: handling=strict`: what would be warned of is refused. */
  isStrict: boolean;
  /** An Idempotency-Key. */
  key?: string | undefined;
  /** An If-Match field: the entity tags of which a change wants to find one. */
  ifMatch?: string | undefined;
  /** An If-None-Match field of a read: the entity tags of what the caller has. */
  ifNoneMatch?: string | undefined;
  /** The revision that a change wants to find. */
  revision?: number | undefined;
}

/** Whether a Prefer field asks for strict handling; of one preference the first counts (RFC 7240 sections 2 and 4.4). */
function isStrict(field: string | string[] | undefined): boolean {
  if (field === undefined) return false;
  const preferences = String(field).slice(0, 1000).toLowerCase().split(/[,;]/);
  const first = preferences.find((one) => /^\s*handling\s*=/.test(one));
  return first !== undefined && /=\s*"?strict"?\s*$/.test(first);
}

/** The token of a field `Bearer …`; undefined for another scheme. */
const toBearer = (field: string | undefined) => /^bearer +([\w.~+/=-]+)$/i.exec(field?.trim() ?? '')?.[1];

/** What an HTTP request asks for in its headers; `capability` is the one that its operation takes. */
export function toRequestOptions(call: Call, capability?: { header: string }): RequestOptions {
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  return {
    ...(capability && { capability: headerOf(call, capability.header.toLowerCase()) }),
    workspaceId: headerOf(call, 'x-workspace'),
    bearer: toBearer(headerOf(call, 'authorization')),
    isStrict: isStrict(call.headers.prefer),
    key: headerOf(call, 'idempotency-key'),
    ifMatch: headerOf(call, 'if-match'),
    ...(isRead && { ifNoneMatch: headerOf(call, 'if-none-match') }),
  };
}
