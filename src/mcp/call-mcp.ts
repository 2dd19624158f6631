import * as v from 'valibot';
import { type Call, headerOf, type LogFields } from '../kernel/call.ts';
import { Blocked } from '../kernel/envelope.ts';
import {
  defineOperation,
  describeReplies,
  largestBody,
  type OperationContext,
  type OperationReply,
  usualBody,
} from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { may, say } from '../kernel/text.ts';
import { callTool } from './call-tool.ts';
import {
  keepResult,
  longestId,
  parseMessage,
  RpcError,
  type RpcId,
  type RpcMessage,
  type RpcResult,
  rpcCodes,
  toRpcError,
} from './json-rpc.ts';
import { describeServer, findMethod, readToolList } from './methods.ts';
import { checkModern, findForeignCaller, isModern, supportedVersions } from './protocol.ts';
import type { McpService } from './service.ts';

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

function answer(message: RpcMessage, service: McpService, call: Call): RpcResult | Promise<RpcResult> {
  const isSigned = isModern(call, message);
  if (isSigned) checkModern(call, message);
  const { method, params } = message;
  const _meta = { [serverInfoKey]: describeServer(service) };
  const signature = isSigned ? { resultType: 'complete', _meta } : {};
  if (method === 'tools/call') return callTool(params, service, call, signature);
  const { run, isSteady } = findMethod(method, isSigned);
  const { uri, cursor } = params;
  const asked = isSteady && [method, { uri, cursor, tools: readToolList(message) }, signature];
  return keepResult(service, asked, async () => {
    const keeps = isSigned && isSteady && { ttlMs: 300_000, cacheScope: 'public' };
    const result = { ...(await run(message, service, call)), ...signature, ...keeps };
    return { status: 200, text: `${JSON.stringify(result)}}` };
  });
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

/** A body may be as large as the tool that it calls takes one by HTTP. */
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
    return { status: 200, body: before + text, pieces: isKept ? { before, shared } : undefined, logFields };
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
    checkSize(call, message, service);
    if (id === undefined) return { status: 202, body: '', logFields: mcpLogFields };
    const result = answer(message, service, call);
    return result instanceof Promise ? result.then(finish).catch(refuse) : finish(result);
  } catch (error) {
    return refuse(error);
  }
}

const jsonrpc = say(v.literal('2.0'), 'The revision of JSON-RPC.');

const Id = v.union([v.pipe(v.string(), v.maxLength(longestId)), v.number()]);

const Message = v.object({
  jsonrpc,
  id: may(Id, 'Absent: a notification.'),
  method: say(
    v.string(),
    'Such as tools/list, tools/call, resources/read, completion/complete, initialize or server/discover.',
  ),
  params: may(v.looseObject({}), 'The parameters of the method.'),
});

/** What a message is answered, by the contract alone: a refusal has our envelope, which names no places here. */
/* @__NO_SIDE_EFFECTS__ */
function createResponseSchema() {
  const { issues: _, ...boundary } = Blocked.entries;
  const refusal = v.object({
    ...boundary,
    supported: may(v.array(v.string()), 'Revisions that are supported.'),
    requested: may(v.string(), 'The revision that was asked for.'),
  });
  const error = v.object({
    code: say(v.number(), 'An error code of JSON-RPC or of MCP.'),
    message: say(v.string(), 'What is wrong, and what to send instead.'),
    data: may(refusal, 'The envelope of the refusal.'),
  });
  return v.object({
    jsonrpc,
    id: say(v.nullable(Id), 'That of the message; null where it could not be read.'),
    result: may(v.looseObject({}), 'What the method answers.'),
    error: may(error, 'Why there is no result.'),
  });
}

/* @__NO_SIDE_EFFECTS__ */
const errorReply = (name: keyof typeof rpcCodes, description: string) => ({
  description,
  schema: createResponseSchema(),
  example: () => new RpcError(0, rpcCodes[name], description).toBody(1),
});

/** POST /mcp: the operations as MCP tools, stateless, in five revisions of the protocol. */
export const callMcp = defineOperation({
  operationId: 'callMcp',
  method: 'POST',
  path: '/mcp',
  alias: '/mcp/',
  tag: 'tools',
  summary: 'Call the MCP door',
  description: `Model Context Protocol over Streamable HTTP, stateless: the tools, prompts, the documents as resources, and completion of occupation codes. At /mcp?tools=core, tools/list has only the dozen tools that place a person. Revisions ${supportedVersions.join(', ')}.`,
  input: Message,
  sample: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  headers: {
    'MCP-Protocol-Version': 'The revision; from 2026-07-28 on also in params._meta, and equal to it.',
    'Mcp-Method': 'The method of the body; needed from 2026-07-28 on.',
    'Mcp-Name':
      'The name in tools/call or prompts/get, or the URI of resources/read; needed from 2026-07-28 on.',
  },
  rawBody: true,
  bodyLimit: largestBody,
  replies: describeReplies({
    200: {
      description: 'A JSON-RPC 2.0 response.',
      schema: createResponseSchema(),
      example: () => ({ jsonrpc: '2.0', id: 1, result: {} }),
    },
    202: { description: 'A notification was taken; there is no body.' },
    400: errorReply('invalidRequest', 'Not a message of this protocol.'),
    403: errorReply('invalidRequest', 'This Origin or Host may not call.'),
    404: errorReply('methodNotFound', 'Unknown method (2026-07-28).'),
    408: errorReply('invalidRequest', 'The request took too long to arrive.'),
    413: errorReply('invalidRequest', 'Larger than 64 KiB, or as a tool that takes more.'),
    415: errorReply('invalidRequest', 'Not JSON.'),
    429: errorReply('rateLimited', 'Too many requests from this address; see Retry-After.'),
    500: errorReply('internalError', 'Something went wrong here, not with the request.'),
    503: errorReply('internalError', 'Too busy, or ending; see Retry-After.'),
  }),
  refused(refusal) {
    const { status, headers, envelope } = refusal;
    const body = toRpcError(refusal).toBody(undefined);
    return { status, headers, body, logFields: { ...mcpLogFields, code: envelope.code } };
  },
  run,
});
