import { toShown } from '../kernel/issues.ts';
import type { Service } from '../kernel/service.ts';
import { complete } from './completion.ts';
import { RpcError, type RpcMessage, rpcCodes } from './json-rpc.ts';
import { legacyVersions, supportedVersions } from './protocol.ts';
import { listResources, listTemplates, readResource } from './resources.ts';

/** What the door offers, in every revision. */
export const capabilities = { tools: {}, resources: {}, completions: {} };

export function toServerInfo({ catalogue: { service } }: Service): object {
  return { name: service.name, title: service.title, version: service.version };
}

function toInstructions({ catalogue: { service } }: Service): string {
  return `${service.description} Start with listOccupations to turn a job title into an O*NET-SOC code. ${service.promises.join(' ')}`;
}

const listTools = (_: RpcMessage, { operations, toTools }: Service) => ({ tools: toTools(operations) });

type Method = (message: RpcMessage, service: Service) => object | Promise<object>;

/** A list of one page, so that no cursor was ever given out. */
const toList =
  (list: Method): Method =>
  (message, service) => {
    if (message.params.cursor === undefined) return list(message, service);
    const reason = 'Unknown cursor: the list has one page; leave cursor out.';
    throw new RpcError(200, rpcCodes.invalidParams, reason);
  };

/** The methods that every revision has, beside tools/call, and whether their results may be kept. */
export const methods = new Map<string, { run: Method; isKept: boolean }>([
  ['tools/list', { run: toList(listTools), isKept: true }],
  ['resources/list', { run: toList(listResources), isKept: true }],
  ['resources/templates/list', { run: toList(listTemplates), isKept: true }],
  ['resources/read', { run: readResource, isKept: true }],
  ['completion/complete', { run: complete, isKept: false }],
]);

/** The answer to the handshake of the revisions that have one. */
export function initialize({ params }: RpcMessage, service: Service): object {
  const wanted = params.protocolVersion;
  if (typeof wanted !== 'string') {
    throw new RpcError(200, rpcCodes.invalidParams, 'initialize needs params.protocolVersion.');
  }
  return {
    protocolVersion: legacyVersions.includes(wanted) ? wanted : legacyVersions[0],
    capabilities,
    serverInfo: toServerInfo(service),
    instructions: toInstructions(service),
  };
}

/** The answer to server/discover. */
export const discover = (service: Service): object => ({
  supportedVersions,
  capabilities,
  serverInfo: toServerInfo(service),
  instructions: toInstructions(service),
});

export function unknownMethod(status: number, method: string): never {
  const known = ['tools/call', ...methods.keys()].join(', ');
  const message = `Unknown method ${toShown(method)}. This server knows ${known}.`;
  throw new RpcError(status, rpcCodes.methodNotFound, message);
}
