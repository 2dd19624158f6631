import type { Call } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { complete } from './complete.ts';
import { pickCoreTools } from './core-tools.ts';
import { invalidParams, RpcError, type RpcMessage, rpcCodes } from './json-rpc.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { legacyVersions, supportedVersions } from './protocol.ts';
import { listResources, listTemplates, readResource } from './resources.ts';
import type { McpService } from './service.ts';

export function describeServer({ catalogue: { service } }: McpService): object {
  return { name: service.name, title: service.title, version: service.version };
}

/** Who answers and what the door offers, in every revision. */
function introduce(service: McpService): object {
  const { description, promises } = service.catalogue.service;
  return {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: describeServer(service),
    instructions: `${description} Start with listOccupations to turn a job title into an O*NET-SOC code. ${promises.join(' ')}`,
  };
}

/** The list of tools that the address of a call asks for, as in /mcp?tools=core; empty for all. */
export const readToolList = ({ query }: RpcMessage) => new URLSearchParams(query).get('tools') ?? '';

/** tools/list: all tools, or the core tools. The other tools can be called all the same. */
function listTools(message: RpcMessage, { operations, describeTools }: McpService): object {
  const tools = describeTools(operations);
  const wanted = readToolList(message);
  if (wanted === '') return { tools };
  if (wanted === 'core') return { tools: pickCoreTools(tools, operations) };
  throw invalidParams(
    `Unknown list of tools: ${cutExcerpt(wanted)}. Connect to /mcp for all tools, or to /mcp?tools=core.`,
  );
}

type Method = (message: RpcMessage, service: McpService, call: Call) => object | Promise<object>;

/** A list of one page, so that no cursor was ever given out. Some clients send an empty one for the first page. */
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
  /** Whether its results depend on nothing but what is asked, while a process lives. */
  isSteady?: boolean;
  /** Whether only the revisions without a handshake have it, or only those with one; absent where all have it. */
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

export function findMethod(name: string, isModern: boolean): McpMethod {
  const isThere = (row: McpMethod) => (row.isModern ?? isModern) === isModern;
  const found = methods.get(name);
  if (found && isThere(found)) return found;
  const known = [...methods].flatMap(([one, row]) => (isThere(row) ? [one] : []));
  const message = `Unknown method ${cutExcerpt(name)}. This server knows tools/call, ${known.join(', ')}.`;
  throw new RpcError(isModern ? 404 : 200, rpcCodes.methodNotFound, message);
}
