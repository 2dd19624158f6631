import type { CallHeaders } from '../../kernel/call.ts';
import { isObject } from '../../kernel/json.ts';
import { protocolVersionKey } from '../../mcp/protocol.ts';

/** A line of stdin, and what could be read of its message. */
export interface StdioMessage {
  line: Buffer;
  method?: string;
  params: Record<string, unknown>;
  /** Absent if the line is a notification, or no valid JSON-RPC 2.0. */
  id?: string | number;
  /** Whether no answer may be sent. */
  isNotification: boolean;
}

/** Parses a line. Throws nothing, because the core refuses a line that is no message. */
export function parseLine(line: Buffer): StdioMessage {
  const unparsed: StdioMessage = { line, params: {}, isNotification: false };
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch {
    return unparsed;
  }
  if (!isObject(value) || typeof value.method !== 'string') return unparsed;
  const { method, id } = value;
  const params = isObject(value.params) ? value.params : {};
  const isId = value.jsonrpc === '2.0' && (typeof id === 'string' || typeof id === 'number');
  return { line, method, params, ...(isId && { id }), isNotification: id === undefined };
}

/** Encodes a header value so that any text can be in it (MCP 2026-07-28). */
const encodeHeader = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

/** Returns the headers that a client sends with this message over HTTP. They repeat parts of the message. */
export function mirrorHeaders({ line, method, params }: StdioMessage): CallHeaders {
  const headers = { 'content-type': 'application/json', 'content-length': String(line.length) };
  const version = isObject(params._meta) ? params._meta[protocolVersionKey] : undefined;
  if (typeof version !== 'string') return headers;
  const name = method === 'resources/read' ? params.uri : params.name;
  return {
    ...headers,
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeader(name) }),
  };
}

/** Returns the body of a reply with the id of its request. Over HTTP, some errors have the id null. */
export function withId(body: string, { id }: StdioMessage): string {
  const nullId = '{"jsonrpc":"2.0","id":null,';
  if (id === undefined || !body.startsWith(nullId)) return body;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body.slice(nullId.length)}`;
}
