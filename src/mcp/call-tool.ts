import * as v from 'valibot';
import { type Call, pickLogFields, readRequestOptions } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { checkInput } from '../kernel/input.ts';
import { isObject, unwrapJson } from '../kernel/json.ts';
import { findNearTools, formatSuggestion } from '../kernel/near-miss.ts';
import { isSteady, type Operation, type OperationReply } from '../kernel/operation.ts';
import { toolLimit } from '../kernel/page.ts';
import { perform } from '../kernel/perform.ts';
import { toRefusal } from '../kernel/refusal.ts';
import { formatWording } from '../kernel/wording.ts';
import { invalidParams, keepResult, type RpcResult } from './json-rpc.ts';
import { findClientName } from './protocol.ts';
import { parseArguments, readArguments } from './read-arguments.ts';
import type { McpService } from './service.ts';
import { canToolWait, listTransportArguments } from './transport-arguments.ts';
import { listKeptLinks, trimResult } from './trim-result.ts';
import { checkUnknown } from './unknown-arguments.ts';
import { wordForMcp } from './wording.ts';

/** Members that a revision of MCP adds to every result. */
interface Signature {
  resultType?: string;
  _meta?: Record<string, unknown>;
}

function findTool({ operations, catalogue }: McpService, name: unknown): Operation {
  if (typeof name !== 'string')
    throw invalidParams('params.name must be the name of a tool; see tools/list.');
  const row = operations.find(({ operationId, listed }) => listed && operationId === name);
  if (row?.tool) return row;
  const tools = operations.flatMap(({ tool, operationId }) => (tool ? [operationId] : []));
  const meant = formatSuggestion(findNearTools(name, tools, catalogue.nearMisses));
  const way = row ? ` It is no tool, but ${row.method} ${row.path} over HTTP.` : `${meant} See tools/list.`;
  throw invalidParams(`Unknown tool: ${cutExcerpt(name)}.${way}`);
}

const asString = (value: unknown) => (typeof value === 'string' ? value : undefined);

interface ToolCall {
  operation: Operation;
  given: Record<string, unknown>;
  clientName: string | undefined;
}

function run({ operation, given, clientName }: ToolCall, service: McpService, call: Call) {
  const { capability } = operation.access;
  const { args, transport, issues: misread, warnings } = readArguments(operation, given);
  const issues = [
    ...misread,
    ...checkUnknown(operation, { ...transport, ...args }, service.catalogue.nearMisses),
    ...checkInput(v.object(listTransportArguments(operation)), { workspace: '', ...transport }),
  ];
  const isList = operation.effect === 'read' && 'limit' in operation.input.entries;
  const usual = isList && { limit: operation.usualLimit ?? toolLimit };
  const read = () => ({ args: { ...usual, ...args }, issues, warnings });
  const { id, workspace, strict, minimal, idempotencyKey, revision, tag, waitSeconds } = transport;
  const options = {
    // A value that is not a string is refused as a malformed id.
    workspaceId: workspace === undefined ? undefined : (asString(workspace) ?? ''),
    capability: capability && asString(transport[capability.argument]),
    isStrict: strict === true,
    isMinimal: minimal === true,
    isTool: true,
    clientName,
    key: (idempotencyKey as string | undefined) ?? readRequestOptions(call).key,
    revision: revision as number | undefined,
    waitSeconds: waitSeconds as number | undefined,
    ...(typeof tag === 'string' && { ifNoneMatch: `"${stripQuotes(tag)}"` }),
  };
  return perform({ service, operation, call, id: asString(id), options, read });
}

const stripQuotes = (tag: string) => tag.replaceAll('"', '');

/** Adds its tag to a read that can wait, and `changed: false` if the caller already has that version. */
function withTag(
  operation: Operation,
  { body, status, headers: { ETag } = {} }: OperationReply,
): OperationReply['body'] {
  if (ETag === undefined || !canToolWait(operation)) return body;
  return {
    ...(unwrapJson(body) as object),
    tag: stripQuotes(ETag),
    ...(status === 304 && { changed: false }),
  };
}

/** Returns the body of a reply, with its message worded for a model. */
function wordBody(operation: Operation, reply: OperationReply): OperationReply['body'] {
  const body = withTag(operation, reply);
  const { message } = reply;
  return message === undefined ? body : { ...(body as object), message: formatWording(message, wordForMcp) };
}

interface ToolContext {
  operation: Operation;
  service: McpService;
  signature: Signature;
}

/**
 * Formats the text of an `RpcResult` for tools/call. It holds the trimmed body of the HTTP reply as an object and as text,
 * because clients read one or the other.
 */
function formatToolResult({ operation, service, signature }: ToolContext, reply: OperationReply): string {
  const body = wordBody(operation, reply);
  const { code } = pickLogFields(operation.operationId, 'mcp', body);
  const isRequestedOffer =
    operation.operationId === 'getOffer' && (body as { type?: string }).type === 'OFFER';
  const isNothingToWrite = operation.effect !== 'read' && reply.status === 404;
  const isRefused = isNothingToWrite || (code !== undefined && !isRequestedOffer);
  const text = JSON.stringify(trimResult(unwrapJson(body), listKeptLinks(service)));
  const isReplay = reply.headers?.['Idempotency-Replayed'] !== undefined;
  const _meta = { ...signature._meta, ...(isReplay && { idempotencyReplayed: true }) };
  const rest = {
    ...signature,
    ...(isRefused && { isError: true }),
    ...(Object.keys(_meta).length > 0 && { _meta }),
  };
  const content = JSON.stringify([{ type: 'text', text }]);
  const members = JSON.stringify(rest).slice(1, -1);
  return `{"content":${content},"structuredContent":${text}${members && `,${members}`}}}`;
}

/**
 * Runs a tool as HTTP runs its operation. A refusal is a result that a model can act on. Throws an RpcError if the tool is
 * unknown or the arguments are no object.
 */
export function callTool(
  params: Record<string, unknown>,
  service: McpService,
  call: Call,
  signature: Signature,
): RpcResult | Promise<RpcResult> {
  const operation = findTool(service, params.name);
  const given = parseArguments(params.arguments);
  if (!isObject(given)) throw invalidParams('arguments must be an object, such as {"limit": 5}.');
  const isOfWorkspace = 'workspace' in given || 'strict' in given;
  const cacheKey = isSteady(operation) && !isOfWorkspace && [operation.operationId, given, signature];
  const finish = (reply: OperationReply, limit?: string): RpcResult => ({
    status: reply.status,
    text: formatToolResult({ operation, service, signature }, reply),
    logFields: { ...pickLogFields(operation.operationId, 'mcp', reply.body), limit },
  });
  return keepResult(service, cacheKey, async () => {
    try {
      return finish(await run({ operation, given, clientName: findClientName(params) }, service, call));
    } catch (error) {
      const refusal = toRefusal(error, (fault) => service.watch.report?.(fault, call));
      const { status, details } = refusal;
      return finish({ status, body: refusal.wordEnvelope(wordForMcp) }, details.limit);
    }
  });
}
