import { type Call, headerOf } from '../kernel/call.ts';
import { isObject } from '../kernel/json.ts';
import type { Settings } from '../kernel/service.ts';
import { RpcError, type RpcMessage, rpcCodes } from './json-rpc.ts';
import type { McpService } from './service.ts';

/** Revisions of MCP that open with an initialize handshake, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Revisions in which every request names its own. */
const modernVersions = ['2026-07-28'];
export const supportedVersions = [...modernVersions, ...legacyVersions];

const meta = 'io.modelcontextprotocol';
/** The member of `_meta` that names the revision of a request. */
export const protocolVersionKey = `${meta}/protocolVersion`;
/** Methods that the header Mcp-Name has to name the target of. */
const targetMethods = ['tools/call', 'resources/read', 'prompts/get'];

function refuseHeader(message: string, data?: Record<string, unknown>): never {
  throw new RpcError(400, rpcCodes.headerMismatch, message, data);
}

/** Returns a header value as plain text, or undefined if it is malformed. `=?base64?…?=` is encoded (MCP 2026-07-28). */
function decodeHeader(value: string): string | undefined {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/**
 * Returns the revision that the header names, or "" if it names none. `initialize` negotiates a revision in its body, so
 * its header does not count.
 */
function readVersionHeader(call: Call, method: string): string {
  return method === 'initialize' ? '' : (headerOf(call, 'mcp-protocol-version')?.trim() ?? '');
}

const namesVersion = ({ params: { _meta } }: RpcMessage) =>
  isObject(_meta) && _meta[protocolVersionKey] !== undefined;

/** What a caller who named an unsupported revision learns. */
const listVersions = (requested: string) => ({ supported: supportedVersions, requested });

function refuseVersion(version: string): never {
  const message = `Unsupported protocol version. Send one of ${supportedVersions.join(', ')}.`;
  throw new RpcError(400, rpcCodes.unsupportedVersion, message, listVersions(version));
}

/** Throws an RpcError if the header names a revision that is not supported, and `_meta` names none. */
export function checkVersionHeader(call: Call, message: RpcMessage): void {
  const version = readVersionHeader(call, message.method);
  const isKnown = version === '' || supportedVersions.includes(version);
  if (!isKnown && !namesVersion(message)) refuseVersion(version);
}

/** Whether a message names a revision without a handshake, in `_meta` or a header, or calls server/discover. */
export function isModern(call: Call, message: RpcMessage): boolean {
  const { method } = message;
  const isModernHeader = modernVersions.includes(readVersionHeader(call, method));
  return namesVersion(message) || method === 'server/discover' || isModernHeader;
}

/** Throws an RpcError if `_meta`, or a header that repeats a part of the body, is not what a modern revision needs. */
export function checkModern(call: Call, { method, params }: RpcMessage): void {
  const given = isObject(params._meta) ? params._meta : {};
  const version = given[protocolVersionKey];
  const capabilities = given[`${meta}/clientCapabilities`];
  if (typeof version !== 'string' || !isObject(capabilities)) {
    const message = `params._meta must hold ${protocolVersionKey} and ${meta}/clientCapabilities.`;
    throw new RpcError(400, rpcCodes.invalidParams, message);
  }
  const stated = headerOf(call, 'mcp-protocol-version');
  if (method !== 'initialize' && stated !== version) {
    const isUnknown = stated !== undefined && !supportedVersions.includes(stated);
    const data = isUnknown ? listVersions(stated) : undefined;
    refuseHeader(`MCP-Protocol-Version must be given and equal ${protocolVersionKey}.`, data);
  }
  if (!modernVersions.includes(version)) refuseVersion(version);
  if (headerOf(call, 'mcp-method') !== method) refuseHeader('Mcp-Method must be given and equal the method.');
  const name = method === 'resources/read' ? params.uri : params.name;
  const header = headerOf(call, 'mcp-name');
  if (targetMethods.includes(method) && (header === undefined || decodeHeader(header) !== name))
    refuseHeader('Mcp-Name must be given and equal the name in params.');
}

export function describeServer({ service }: McpService['catalogue']): object {
  return { name: service.name, title: service.title, version: service.version };
}

/** Members of every result in a modern revision. */
export interface Signature {
  resultType: 'complete';
  _meta: Record<string, unknown>;
}

export const createSignature = ({ catalogue }: McpService): Signature => ({
  resultType: 'complete',
  _meta: { [`${meta}/serverInfo`]: describeServer(catalogue) },
});

/** Returns the name of the client in `_meta` (MCP 2026-07-28). Earlier revisions send it only in the handshake. */
export function findClientName({ _meta }: RpcMessage['params']): string | undefined {
  const info = isObject(_meta) ? _meta[`${meta}/clientInfo`] : undefined;
  return isObject(info) && typeof info.name === 'string' ? info.name : undefined;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a page of any origin may call: the operator says so, or the service is published on the web. */
function isOpenToPages({ baseUrl, allowedOrigins }: Settings): boolean {
  if (allowedOrigins.includes('*')) return true;
  const published = URL.parse(baseUrl);
  return published?.protocol === 'https:' && !loopback.test(published.hostname);
}

/**
 * Returns the Host or Origin that may not call /mcp, or undefined if the call is allowed (MCP, Streamable HTTP,
 * security warning).
 *
 * Host must be loopback, the published name or an allowed one. That alone stops DNS rebinding, because a page cannot
 * forge Host. Origin, if present, must be one of these too, unless the service is open to pages of any origin. Then a
 * page gains nothing here that it could not get from the published address.
 */
export function findForeignCaller(call: Call, settings: Settings): string | undefined {
  const host = headerOf(call, 'host');
  const origin = headerOf(call, 'origin');
  if (origin === undefined && (host === undefined || loopback.test(host.replace(/:\d+$/, ''))))
    return undefined;
  const known = [settings.baseUrl, ...settings.allowedOrigins].flatMap((text) => URL.parse(text) ?? []);
  const isOurs = (url: URL | null, part: 'hostname' | 'origin') =>
    url !== null && (loopback.test(url.hostname) || known.some((ours) => ours[part] === url[part]));
  if (host !== undefined && !isOurs(URL.parse(`http://${host}`), 'hostname'))
    return `Host "${host.slice(0, 100)}"`;
  if (origin === undefined || isOpenToPages(settings)) return undefined;
  return isOurs(URL.parse(origin), 'origin') ? undefined : `Origin "${origin.slice(0, 100)}"`;
}
