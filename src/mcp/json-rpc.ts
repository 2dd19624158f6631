import type { Call, LogFields } from '../kernel/call.ts';
import { parseJson } from '../kernel/input.ts';
import { isObject } from '../kernel/json.ts';
import { createBlocked, Refusal, type RefusalCode, type RefusalKind } from '../kernel/refusal.ts';
import type { McpService } from './service.ts';
import { wordForMcp } from './wording.ts';

/** The error codes of JSON-RPC 2.0 (section 5.1) and of MCP 2026-07-28 that this door gives, and one of our own. */
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

/** Members of the data of an error, and the refusal that it is for us. */
type RpcErrorData = Record<string, unknown> & { kind?: RefusalCode | RefusalKind };

/** A message that the protocol refuses: an HTTP status, a JSON-RPC error, and our envelope as its data. */
export class RpcError extends Error {
  readonly status: number;
  /** The code of its envelope. */
  readonly boundary: string;
  readonly #error: object;
  /** The id of the message at fault, where it could be read. */
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

/** The error of a message that is refused as HTTP refuses it. */
export function toRpcError(refusal: Refusal): RpcError {
  const { status, kind } = refusal;
  const code =
    status === 429 ? rpcCodes.rateLimited : status >= 500 ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new RpcError(status, code, refusal.wordEnvelope(wordForMcp).reason, { kind });
}

/** Whether a number reads and writes as the same (RFC 8259 section 6). */
function isExact(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Characters of an id at most, since every answer says it back. */
export const longestId = 255;
const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= longestId;

/**
 * Reads a POST body as one JSON-RPC message. Refuses what is not JSON, batches, and malformed messages; the
 * refusal has the message's id only where the message itself is well formed (JSON-RPC 2.0, section 5).
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
  if (Array.isArray(value)) throw invalid('Batches are not taken: send one message a POST.');
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

/** The result of a request; `logFields` where it was more than a matter of this door. */
export interface RpcResult {
  /** What HTTP answers with to the same. */
  status: number;
  /** In JSON, followed by the brace that ends its response. */
  text: string;
  logFields?: LogFields;
  /** Whether others are answered with this very result. */
  isKept?: boolean;
}

/** The result that is kept of what was asked, or else that of `make`; where nothing is to be kept, `asked` is false or absent. */
export function keepResult(
  { cache }: McpService,
  asked: readonly unknown[] | false | undefined,
  make: () => Promise<RpcResult>,
): RpcResult | Promise<RpcResult> {
  return asked && cache ? cache.keep(JSON.stringify(asked), make, ({ text }) => text.length) : make();
}
