import * as assert from 'uvu/assert';
import type { Body } from './http.ts';
import { send as sendBytes, type WireReply } from './wire.ts';

/** The current revision, which has no handshake. */
export const modern = '2026-07-28';
const meta = 'io.modelcontextprotocol';

/** An HTTP answer as it came over the wire; `error` is the JSON-RPC error, if there is one. */
interface RawAnswer extends WireReply {
  text: string;
  body: Body;
  error: Body;
}

/**
 * Sends one request with exactly these headers: Host and Origin too, and no Content-Type unless it is given.
 */
export async function send(
  port: number,
  body: unknown,
  {
    method = 'POST',
    headers = {},
    path = '/mcp',
  }: { method?: string; headers?: Record<string, string>; path?: string } = {},
): Promise<RawAnswer> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await sendBytes(`http://localhost:${port}`, path, { method, headers, body: payload });
  const text = reply.bytes.toString();
  const parsed = text === '' ? undefined : JSON.parse(text);
  return { ...reply, text, body: parsed, error: parsed?.error };
}

/** Sends one JSON-RPC request as a client of the revisions with a handshake does. */
export function sendLegacy(port: number, method: string, params?: object, headers = {}): Promise<RawAnswer> {
  const message = { jsonrpc: '2.0', id: 7, method, ...(params && { params }) };
  return send(port, message, { headers: { 'Content-Type': 'application/json', ...headers } });
}

/** Returns the `_meta` of a modern request. */
export function toMeta(version: unknown = modern, capabilities: unknown = {}): object {
  return { [`${meta}/protocolVersion`]: version, [`${meta}/clientCapabilities`]: capabilities };
}

/**
 * Sends one modern JSON-RPC request with the headers that repeat its body. A header given as '' is left out.
 */
export function sendModern(
  port: number,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const { _meta = toMeta(), ...rest } = params;
  const mirrored: Record<string, string> = {
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': modern,
    'Mcp-Method': method,
    ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(mirrored).filter(([, value]) => value !== ''));
  return send(port, { jsonrpc: '2.0', id: 7, method, params: { ...rest, _meta } }, { headers: sent });
}

/** Asserts the status, the error code and the id of an answer, and our envelope in its data. */
export function refused(answer: RawAnswer, status: number, code: number, id: unknown = 7): void {
  const { body, error } = answer;
  assert.equal(answer.status, status, answer.text);
  assert.equal(error?.code, code, answer.text);
  assert.equal(body.id, id, answer.text);
  assert.is(body.jsonrpc, '2.0');
  assert.not('result' in body);
  assert.is(error.data.type, 'BLOCKED');
  assert.is(error.data.reason, error.message);
  assert.type(error.data.code, 'string');
}

/** Asserts that an answer has a result, and returns it. */
export function passed({ status, body, text }: RawAnswer): Body {
  assert.is(status, 200, text);
  assert.is(body.id, 7);
  assert.ok(body.result, text);
  return body.result;
}
