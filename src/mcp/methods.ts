import type { Call } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { complete } from './complete.ts';
import { pickCoreTools } from './core-tools.ts';
import {
  invalidParams,
  keepResult,
  RpcError,
  type RpcMessage,
  type RpcResult,
  rpcCodes,
} from './json-rpc.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { describeServer, legacyVersions, type Signature, supportedVersions } from './protocol.ts';
import { listResources, listTemplates, readResource } from './resources.ts';
import type { McpService } from './service.ts';

/** What a model has to tell the people who get a link from a server without an address. */
const noAddress =
  'This server has no web address, so links (url) do not open in a browser. Its owner can start it with the setting PORT=4322, and then they do.';

/** Returns the name, capabilities and instructions of the server. They are the same in every revision. */
function introduce({ catalogue, settings }: McpService): object {
  const { service } = catalogue;
  const sentences = [
    service.description,
    'Start with listOccupations to turn a job title into an O*NET-SOC code.',
    ...service.promises,
    ...(settings.hasNoAddress ? [noAddress] : []),
  ];
  return {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: describeServer(catalogue),
    instructions: sentences.join(' '),
  };
}

/** Returns the list of tools that the address names, such as `core` in /mcp?tools=core, or "" for all tools. */
const readToolList = ({ query }: RpcMessage) => new URLSearchParams(query).get('tools') ?? '';

/** tools/list: all tools, or the core tools. Tools that are not listed can be called too. */
function listTools(message: RpcMessage, service: McpService): object {
  const tools = service.describeTools(service.operations);
  const wanted = readToolList(message);
  if (wanted === '') return { tools };
  if (wanted === 'core') return { tools: pickCoreTools(tools, service) };
  throw invalidParams(
    `Unknown list of tools: ${cutExcerpt(wanted)}. Connect to /mcp for all tools, or to /mcp?tools=core.`,
  );
}

type Method = (message: RpcMessage, service: McpService, call: Call) => object | Promise<object>;

/** Refuses a cursor, because a list has one page. Some clients send an empty cursor for the first page. */
const withoutCursor =
  (list: Method): Method =>
  (message, service, call) => {
    const { cursor } = message.params;
    if (cursor === undefined || cursor === null || cursor === '') return list(message, service, call);
    throw invalidParams('Unknown cursor: the list has one page; leave cursor out.');
  };

function initialize({ params }: RpcMessage, service: McpService): object {
  const wanted = params.protocolVersion;
  if (typeof wanted !== 'string') throw invalidParams('initialize needs params.protocolVersion.');
  const protocolVersion = legacyVersions.includes(wanted) ? wanted : legacyVersions[0];
  return { protocolVersion, ...introduce(service) };
}

const discover: Method = (_, service) => ({ supportedVersions, ...introduce(service) });

interface McpMethod {
  run: Method;
  /** Whether the same request has the same result as long as the process runs. */
  isSteady?: boolean;
  /** true: only in revisions without a handshake. false: only in those with one. Absent: in all. */
  isModern?: boolean;
}

const methods = new Map<string, McpMethod>([
  ['tools/list', { run: withoutCursor(listTools), isSteady: true }],
  ['resources/list', { run: withoutCursor(listResources), isSteady: true }],
  ['resources/templates/list', { run: withoutCursor(listTemplates), isSteady: true }],
  ['resources/read', { run: readResource, isSteady: true }],
  ['prompts/list', { run: withoutCursor(listPrompts), isSteady: true }],
  ['prompts/get', { run: getPrompt }],
  ['completion/complete', { run: complete }],
  ['initialize', { run: initialize, isModern: false }],
  ['ping', { run: () => ({}), isModern: false }],
  ['server/discover', { run: discover, isSteady: true, isModern: true }],
]);

function findMethod(name: string, isModern: boolean): McpMethod {
  const isInRevision = (row: McpMethod) => (row.isModern ?? isModern) === isModern;
  const method = methods.get(name);
  if (method && isInRevision(method)) return method;
  const known = [...methods].flatMap(([key, row]) => (isInRevision(row) ? [key] : []));
  const message = `Unknown method ${cutExcerpt(name)}. This server knows tools/call, ${known.join(', ')}.`;
  throw new RpcError(isModern ? 404 : 200, rpcCodes.methodNotFound, message);
}

/** Runs a method other than tools/call. `signature` is undefined in revisions with a handshake. */
export function callMethod(
  message: RpcMessage,
  service: McpService,
  call: Call,
  signature: Signature | undefined,
): RpcResult | Promise<RpcResult> {
  const { method, params } = message;
  const { run, isSteady } = findMethod(method, signature !== undefined);
  const { uri, cursor } = params;
  const cacheKey = isSteady && [method, { uri, cursor, tools: readToolList(message) }, signature];
  return keepResult(service, cacheKey, async () => {
    const caching = signature && isSteady && { ttlMs: 300_000, cacheScope: 'public' };
    const result = { ...(await run(message, service, call)), ...signature, ...caching };
    return { status: 200, text: `${JSON.stringify(result)}}` };
  });
}
