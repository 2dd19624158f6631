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
export interface Seen {
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
  seen?: Seen;
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
export function toSeen(operation: string, door: Seen['door'], body: object | string): Seen {
  if (body instanceof Json) return { operation, door };
  const { type, code, id } = body as { type?: string; code?: string; id?: string };
  if (type === 'BLOCKED') return { operation, door, code };
  return type === 'OFFER' ? { operation, door, code: id } : { operation, door };
}
