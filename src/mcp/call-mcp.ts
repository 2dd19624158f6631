import * as v from 'valibot';
import { type Call, headerOf, type LogFields } from '../kernel/call.ts';
import {
  defineOperation,
  largestBody,
  type OperationContext,
  type OperationReply,
  usualBody,
} from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { may, say } from '../kernel/text.ts';
import { callTool } from './call-tool.ts';
import {
  longestId,
  parseMessage,
  RpcError,
  type RpcId,
  type RpcMessage,
  type RpcResult,
  toRpcError,
} from './json-rpc.ts';
import { callMethod } from './methods.ts';
import { checkModern, checkVersionHeader, createSignature, findForeignCaller, isModern } from './protocol.ts';
import type { McpService } from './service.ts';

function answer(message: RpcMessage, service: McpService, call: Call): RpcResult | Promise<RpcResult> {
  const isSigned = isModern(call, message);
  if (isSigned) checkModern(call, message);
  const signature = isSigned ? createSignature(service) : undefined;
  if (message.method === 'tools/call') return callTool(message.params, service, call, signature);
  return callMethod(message, service, call, signature);
}

function checkHttp(call: Call, service: McpService): void {
  const foreign = findForeignCaller(call, service.settings);
  if (foreign) {
    const reason = `/mcp does not accept ${foreign}. Call ${service.settings.baseUrl}/mcp. If you run this service, publish that name with BASE_URL, or add its origin to ALLOWED_ORIGINS (* allows every origin, but no other Host).`;
    throw toRpcError(new Refusal('forbidden_origin', { reason }));
  }
  const type = headerOf(call, 'content-type') ?? '';
  const encoding = headerOf(call, 'content-encoding') ?? 'identity';
  if (!/^application\/(.+\+)?json\s*(;|$)/i.test(type) || encoding.toLowerCase() !== 'identity') {
    const reason = 'Send Content-Type: application/json, without a Content-Encoding.';
    throw toRpcError(new Refusal('unsupported_media', { reason }));
  }
}

/** Refuses a body that is larger than HTTP accepts for the tool that it calls. */
function checkSize({ body }: Call, { method, params }: RpcMessage, { operations }: McpService): void {
  if (body.length <= usualBody) return;
  const tool = operations.find(({ operationId }) => method === 'tools/call' && operationId === params.name);
  if (body.length > (tool?.bodyLimit ?? usualBody)) throw toRpcError(new Refusal('body_too_large'));
}

/** The log fields of a message that calls no tool. */
const mcpLogFields: LogFields = { operation: 'callMcp', door: 'mcp' };

function run(
  _: unknown,
  { call, service }: OperationContext<McpService>,
): OperationReply | Promise<OperationReply> {
  let id: RpcId | undefined;

  function finish(shared: RpcResult): OperationReply {
    const { text, logFields = mcpLogFields, isKept } = shared;
    const before = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    return { status: 200, body: before + text, pieces: isKept ? [before, shared] : undefined, logFields };
  }

  function refuse(error: unknown): OperationReply {
    if (!(error instanceof RpcError)) throw error;
    const { status, boundary: code } = error;
    return { status, body: error.toBody(error.id ?? id), logFields: { ...mcpLogFields, code } };
  }

  try {
    checkHttp(call, service);
    const message = parseMessage(call);
    id = message.id;
    checkVersionHeader(call, message);
    checkSize(call, message, service);
    if (id === undefined) return { status: 202, body: '', logFields: mcpLogFields };
    const result = answer(message, service, call);
    return result instanceof Promise ? result.then(finish).catch(refuse) : finish(result);
  } catch (error) {
    return refuse(error);
  }
}

export const jsonrpc = say(v.literal('2.0'), 'The revision of JSON-RPC.');

export const Id = v.union([v.pipe(v.string(), v.maxLength(longestId)), v.number()]);

const Message = v.object({
  jsonrpc,
  id: may(Id, 'Absent: a notification.'),
  method: say(
    v.string(),
    'Such as tools/list, tools/call, resources/read, completion/complete, initialize or server/discover.',
  ),
  params: may(v.looseObject({}), 'The parameters of the method.'),
});

/** POST /mcp: the operations as MCP tools, stateless, in five revisions of the protocol. */
export const callMcp = defineOperation({
  operationId: 'callMcp',
  method: 'POST',
  path: '/mcp',
  alias: '/mcp/',
  input: Message,
  rawBody: true,
  bodyLimit: largestBody,
  refused(refusal) {
    const { status, headers, envelope, details } = refusal;
    const body = toRpcError(refusal).toBody(undefined);
    const logFields = { ...mcpLogFields, code: envelope.code, limit: details.limit };
    return { status, headers, body, logFields };
  },
  run,
});
