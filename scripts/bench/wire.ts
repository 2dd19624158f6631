import { send as sendTo } from '../../tests/support/wire.ts';

/** A request as sent. The client adds Host and, if there is a body, Content-Length. */
export interface Wire {
  method: 'GET' | 'POST' | 'PATCH';
  /** The path with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** An answer. Its body is still encoded as it was sent. */
export interface Answer {
  status: number;
  /** Headers by lower-case name, without those of the connection and the time. */
  headers: Record<string, string>;
  body: Buffer;
}

export function get(path: string, headers: Record<string, string> = {}): Wire {
  return { method: 'GET', path, headers };
}

export function post(path: string, body: object, headers: Record<string, string> = {}): Wire {
  const accept = 'application/json, text/event-stream';
  const all = { 'Content-Type': 'application/json', Accept: accept, ...headers };
  return { method: 'POST', path, headers: all, body: JSON.stringify(body) };
}

const ofTheMoment = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'];

/** Sends a request on a new connection. */
export async function send(port: number, { path, ...request }: Wire): Promise<Answer> {
  const reply = await sendTo(`http://127.0.0.1:${port}`, path, { ...request, agent: false });
  for (const name of ofTheMoment) delete reply.headers[name];
  return { status: reply.status, headers: reply.headers as Answer['headers'], body: reply.bytes };
}

export const candidates = Array.from({ length: 100 }, (_, index) => ({
  name: `Candidate ${index % 64}`,
  onetCode: index % 2 ? '15-1252.00' : '29-1141.00',
  skills: ['SQL', 'TypeScript'],
  metro: 'Columbus, OH',
}));

export const creates: Wire[] = candidates.slice(0, 64).map((candidate) => post('/candidates', candidate));

const latest = '2026-07-28';
const meta = 'io.modelcontextprotocol';
const modern = { [`${meta}/protocolVersion`]: latest, [`${meta}/clientCapabilities`]: {} };
/** Returns a call of a tool in a version of MCP. The latest version repeats the call's name in headers. */
export function toCall(name: string, args: object, version = latest): Wire {
  const isLatest = version === latest;
  const params = { name, arguments: args, ...(isLatest && { _meta: modern }) };
  const called = isLatest && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name };
  const headers = { 'MCP-Protocol-Version': version, ...called };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
}
