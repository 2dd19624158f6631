import type { Call, LogFields } from '../kernel/call.ts';
import { isObject } from '../kernel/json.ts';
import { parseJson } from '../kernel/parse-json.ts';
import { createBlocked, Refusal, type RefusalCode, type RefusalKind } from '../kernel/refusal.ts';
import type { McpService } from './service.ts';
import { wordForMcp } from './wording.ts';

/** The error codes of JSON-RPC 2.0 (section 5.1) and MCP 2026-07-28 that we use. `rateLimited` is our own. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  rateLimited: 429,
} as const;

export type RpcId = string | number;

/** Extra members of the data of an error. `kind` decides its envelope. */
type RpcErrorData = Record<string, unknown> & { kind?: RefusalCode | RefusalKind };

/** A message that the protocol refuses: an HTTP status, a JSON-RPC error, and our envelope as its data. */
export class RpcError extends Error {
  readonly status: number;
  /** The code of its envelope. */
  readonly boundary: string;
  readonly #error: object;
  /** The id of the message at fault, if it could be read. */
  id?: RpcId;

  constructor(
    status: number,
    code: number,
    message: string,
    { kind = 'invalid_request', ...more }: RpcErrorData = {},
  ) {
    super(message);
    this.status = status;
    const envelope = createBlocked(kind, { reason: message });
    this.boundary = envelope.code;
    this.#error = { code, message, data: { ...envelope, ...more } };
  }

  toBody(id: RpcId | undefined): object {
    return { jsonrpc: '2.0', id: id ?? null, error: this.#error };
  }
}

export const invalidParams = (message: string, data?: Record<string, unknown>) =>
  new RpcError(200, rpcCodes.invalidParams, message, data);

/** Converts a refusal of HTTP to the error of a message. */
export function toRpcError(refusal: Refusal): RpcError {
  const { status, kind } = refusal;
  const code =
    status === 429 ? rpcCodes.rateLimited : status >= 500 ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new RpcError(status, code, refusal.wordEnvelope(wordForMcp).reason, { kind });
}

/** Whether a number is the same after it is read and written as JSON (RFC 8259 section 6). */
function isExact(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** The most characters of an id, because every response repeats it. */
export const longestId = 255;
const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= longestId;

/**
 * Parses a POST body as one JSON-RPC message. Throws an RpcError if it is no JSON, a batch or malformed. The error has the
 * id of the message only if the message itself is well formed (JSON-RPC 2.0, section 5).
 */
export function parseMessage({ body, query }: Pick<Call, 'body' | 'query'>) {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (error instanceof Refusal) throw toRpcError(error);
    throw new RpcError(400, rpcCodes.parseError, 'Parse error: the body is not JSON.', {
      kind: 'invalid_json',
    });
  }
  const invalid = (message: string) => new RpcError(400, rpcCodes.invalidRequest, message);
  if (Array.isArray(value)) throw invalid('Batches are not taken: send one message at a time.');
  if (!isObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string')
    throw invalid('Send one JSON-RPC 2.0 request: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.');
  const { id, method } = value;
  const params = value.params ?? {};
  if (id !== undefined && !isShort(id) && !isExact(id)) {
    throw invalid(
      `id must be a string of at most ${longestId} characters, or a number between -(2^53 - 1) and 2^53 - 1.`,
    );
  }
  if (!isObject(params)) {
    const error = new RpcError(400, rpcCodes.invalidParams, 'params must be an object.');
    error.id = id;
    throw error;
  }
  return { id, method, params, query };
}

export type RpcMessage = ReturnType<typeof parseMessage>;

/** The result of a request. Only a result of tools/call has its own `logFields`. */
export interface RpcResult {
  /** The HTTP status of the same reply. */
  status: number;
  /** JSON, followed by the brace that closes the response. */
  text: string;
  logFields?: LogFields;
  /** Whether the result is cached, and so shared by several responses. */
  isKept?: boolean;
}

/** Returns the cached result of `cacheKey`, or caches that of `make`. Caches nothing if the key is false or absent. */
export function keepResult(
  { cache }: McpService,
  cacheKey: readonly unknown[] | false | undefined,
  make: () => Promise<RpcResult>,
): RpcResult | Promise<RpcResult> {
  return cacheKey && cache ? cache.keep(JSON.stringify(cacheKey), make, ({ text }) => text.length) : make();
}
