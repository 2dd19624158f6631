import * as v from 'valibot';
import { type Call, pickLogFields, readRequestOptions } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { checkInput } from '../kernel/input.ts';
import { isObject, Json, unwrapJson } from '../kernel/json.ts';
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
import { checkUnknown } from './unknown-arguments.ts';
import { wordForMcp } from './wording.ts';

/** What a revision adds to every result. */
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

const orNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What a client sends to call a tool. */
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
  const { id, workspace, strict, idempotencyKey, revision, tag, waitSeconds } = transport;
  const options = {
    // What is not a text has no shape of an id either.
    workspaceId: workspace === undefined ? undefined : (orNothing(workspace) ?? ''),
    capability: capability && orNothing(transport[capability.argument]),
    isStrict: strict === true,
    isTool: true,
    clientName,
    key: (idempotencyKey as string | undefined) ?? readRequestOptions(call).key,
    revision: revision as number | undefined,
    waitSeconds: waitSeconds as number | undefined,
    ...(typeof tag === 'string' && { ifNoneMatch: `"${stripQuotes(tag)}"` }),
  };
  return perform({ service, operation, call, id: orNothing(id), options, read });
}

const stripQuotes = (tag: string) => tag.replaceAll('"', '');

/** The body of a read that can wait, with its tag and, where its caller has it already, that it did not change. */
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

/** The body of a reply in the words of a model. */
function wordBody(operation: Operation, outcome: OperationReply): OperationReply['body'] {
  const body = withTag(operation, outcome);
  const { message } = outcome;
  return message === undefined ? body : { ...(body as object), message: formatWording(message, wordForMcp) };
}

/** The text of `RpcResult` for tools/call: the envelope that HTTP answers, as an object and as text. */
function formatToolResult(operation: Operation, outcome: OperationReply, signature: Signature): string {
  const body = wordBody(operation, outcome);
  const { code } = pickLogFields(operation.operationId, 'mcp', body);
  const isAsked = operation.operationId === 'getOffer' && (body as { type?: string }).type === 'OFFER';
  const isNothingToWrite = operation.effect !== 'read' && outcome.status === 404;
  const isRefused = isNothingToWrite || (code !== undefined && !isAsked);
  const json = body instanceof Json ? body : Json.of(body);
  const isReplay = outcome.headers?.['Idempotency-Replayed'] !== undefined;
  const _meta = { ...signature._meta, ...(isReplay && { idempotencyReplayed: true }) };
  const rest = {
    ...signature,
    ...(isRefused && { isError: true }),
    ...(Object.keys(_meta).length > 0 && { _meta }),
  };
  const content = `[{"type":"text","text":"${json.quoted}"}]`;
  const members = JSON.stringify(rest).slice(1, -1);
  return `{"content":${content},"structuredContent":${json.text}${members && `,${members}`}}}`;
}

/** Runs one tool as HTTP would run its operation. A refusal is a result that a model can act on. */
export function callTool(
  params: Record<string, unknown>,
  service: McpService,
  call: Call,
  signature: Signature,
): RpcResult | Promise<RpcResult> {
  const operation = findTool(service, params.name);
  const given = parseArguments(params.arguments);
  if (!isObject(given)) throw invalidParams('arguments must be an object, such as {"limit": 5}.');
  const isOwn = 'workspace' in given || 'strict' in given;
  const asked = isSteady(operation) && !isOwn && [operation.operationId, given, signature];
  const finish = (outcome: OperationReply): RpcResult => ({
    status: outcome.status,
    text: formatToolResult(operation, outcome, signature),
    logFields: pickLogFields(operation.operationId, 'mcp', outcome.body),
  });
  return keepResult(service, asked, async () => {
    try {
      return finish(await run({ operation, given, clientName: findClientName(params) }, service, call));
    } catch (error) {
      const refusal = toRefusal(error, (fault) => service.watch.report?.(fault, call));
      return finish({ status: refusal.status, body: refusal.wordEnvelope(wordForMcp) });
    }
  });
}
