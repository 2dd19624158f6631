import { hasBody, hasId, type Operation } from '../../../src/kernel/operation.ts';
import { formatRepresentationPath, type Representation } from '../../../src/kernel/router.ts';
import type { Call } from './attacker.ts';
import type { Args } from './largest.ts';
import { attacker } from './world.ts';

/** What a call is about: a record, a workspace, and a token. */
export interface Aim {
  id?: string | undefined;
  workspace?: string | undefined;
  token?: string | undefined;
}

/** One input of an operation, whatever protocol sends it. */
export interface Input {
  what: string;
  args: Args;
  aim: Aim;
  isStrict?: boolean;
  representation?: Representation;
  headers?: Record<string, string>;
}

export const codings = ['identity', 'gzip', 'br'];

const json = { 'Content-Type': 'application/json' };

/** Returns the call of an input over HTTP. */
export function toHttpCall(row: Operation, input: Input, coding: string): Call {
  const { args, aim, isStrict, representation = 'own' } = input;
  const { method, access } = row;
  const path = formatRepresentationPath(
    row.path.replace('{id}', encodeURIComponent(aim.id ?? 'none')),
    representation,
  );
  const isSent = hasBody(method);
  const pairs = Object.entries(args).map(([name, value]) => [name, String(value)]);
  const query = !isSent && pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  const headers = {
    ...attacker,
    'Accept-Encoding': coding,
    ...(isSent && json),
    ...(isStrict && { Prefer: 'handling=strict' }),
    ...(access.workspace && aim.workspace && { 'X-Workspace': aim.workspace }),
    ...(access.capability && aim.token && { [access.capability.header]: aim.token }),
    ...input.headers,
  };
  const body = isSent ? JSON.stringify(args) : undefined;
  return { method, target: path + query, headers, ...(body !== undefined && { body }) };
}

/** Returns the call of an input by the tool of the operation. */
export function toToolCall(row: Operation, input: Input, coding: string): Call {
  const { args, aim, isStrict } = input;
  const { workspace, capability } = row.access;
  const given = {
    ...args,
    ...(hasId(row) && { id: aim.id ?? 'none' }),
    ...(workspace && aim.workspace && { workspace: aim.workspace }),
    ...(capability && aim.token && { [capability.argument]: aim.token }),
    ...(isStrict && { strict: true }),
  };
  const params = { name: row.operationId, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { ...attacker, ...json, 'Accept-Encoding': coding, ...input.headers };
  return { method: 'POST', target: '/mcp', headers, body };
}
