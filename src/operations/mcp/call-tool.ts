import type { Call } from '../../core/call.ts';
import type { Operation, Outcome } from '../../core/operation.ts';
import { idempotencyKeyOf, perform } from '../../core/perform.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Service } from '../../core/service.ts';
import { toolLimit } from '../../views/tools.ts';
import { isObject, RpcError, rpcCodes } from './json-rpc.ts';

/** A result of tools/call (MCP, Tools): the envelope that HTTP answers, as an object and as text. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent: object;
  isError?: true;
  _meta?: Record<string, unknown>;
}

function findTool(service: Service, name: unknown): Operation {
  const operation = service.operations.find((row) => row.tool && row.operationId === name);
  if (!operation) {
    throw new RpcError(
      200,
      rpcCodes.invalidParams,
      `Unknown tool: ${String(name).slice(0, 100)}. See tools/list.`,
    );
  }
  return operation;
}

/** A member of the arguments that is no argument of the operation itself: a string, or absent. */
function take(given: Record<string, unknown>, name: string, refuse: () => Refusal): string | undefined {
  const value = given[name];
  if (value === undefined || typeof value === 'string') return value;
  throw refuse();
}

function run(operation: Operation, given: Record<string, unknown>, service: Service, call: Call) {
  const hasId = operation.path.includes('{id}');
  const taken = [...(hasId ? ['id'] : []), ...(operation.workspace ? ['workspace'] : [])];
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => !taken.includes(name)));
  if (operation.method === 'GET' && 'limit' in operation.input.entries) args.limit ??= toolLimit;
  const refuseId = () =>
    new Refusal('invalid_request', { issues: [{ path: 'id', message: 'is missing; send a string' }] });
  const id = hasId ? take(given, 'id', refuseId) : undefined;
  if (hasId && id === undefined) throw refuseId();
  const workspaceId = operation.workspace
    ? take(given, 'workspace', () => new Refusal('unknown_workspace'))
    : undefined;
  const idempotencyKey = idempotencyKeyOf(call);
  const read = () => ({ args, issues: [] });
  return perform({ service, operation, call, id, workspaceId, idempotencyKey, read });
}

function toResult(operation: Operation, { body, headers }: Omit<Outcome, 'status'>): ToolResult {
  const envelope = body as { type: string };
  const isError =
    envelope.type === 'BLOCKED' || (envelope.type === 'OFFER' && operation.operationId !== 'getOffer');
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }],
    structuredContent: envelope,
    ...(isError && { isError }),
    ...(headers?.['Idempotency-Replayed'] && { _meta: { idempotencyReplayed: true } }),
  };
}

/** Runs one tool as HTTP would run its operation. A refusal is a result that a model can act on. */
export async function callTool(
  params: Record<string, unknown>,
  service: Service,
  call: Call,
): Promise<ToolResult> {
  const operation = findTool(service, params.name);
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new RpcError(200, rpcCodes.invalidParams, 'arguments must be an object.');
  try {
    return toResult(operation, await run(operation, given, service, call));
  } catch (error) {
    if (!(error instanceof Refusal)) service.watch.report?.(error);
    const refusal = error instanceof Refusal ? error : new Refusal('internal');
    return toResult(operation, { body: refusal.envelope });
  }
}
