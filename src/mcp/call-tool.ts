import type * as v from 'valibot';
import { type Call, headerOf } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { checkInput } from '../kernel/input.ts';
import { isObject } from '../kernel/json.ts';
import { findNearTools, formatSuggestion } from '../kernel/near-miss.ts';
import { isSteady, type Operation, runSteps } from '../kernel/operation.ts';
import { perform } from '../kernel/perform.ts';
import { toRefusal } from '../kernel/refusal.ts';
import { unwrap } from '../kernel/shape.ts';
import { runAtOnce } from '../kernel/steps.ts';
import { trimText } from '../kernel/text.ts';
import { invalidParams, keepResult, type RpcResult } from './json-rpc.ts';
import { findClientName, type Signature } from './protocol.ts';
import { readArguments } from './read-arguments.ts';
import { parseArguments } from './sent-values.ts';
import type { McpService } from './service.ts';
import { checkUnknown, getToolArguments } from './tool-arguments.ts';
import { createToolResult, stripQuotes } from './tool-result.ts';
import { wordForMcp } from './wording.ts';

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

const readId = (value: unknown) => (typeof value === 'string' ? trimText(value) : undefined);

/** Returns the limit of a tool that lists, for a call without one. */
function findUsualLimit({ input }: Operation): { limit?: number } {
  const limit = input.entries.limit as v.GenericSchema | undefined;
  const usual = limit && unwrap(limit).ofTool?.usual;
  return usual === undefined ? {} : { limit: usual };
}

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
    ...checkInput(getToolArguments(operation).transport, { workspace: '', ...transport }),
  ];
  const read = () => ({ args: { ...findUsualLimit(operation), ...args }, issues, warnings });
  const { id, workspace, strict, minimal, idempotencyKey, actor, revision, tag, waitSeconds } = transport;
  const options = {
    // A value that is not a string is refused as a malformed id.
    workspaceId: workspace === undefined ? undefined : (readId(workspace) ?? ''),
    capability: capability && readId(transport[capability.argument]),
    isStrict: strict === true,
    isMinimal: minimal === true,
    isTool: true,
    clientName,
    key: (idempotencyKey as string | undefined) ?? headerOf(call, 'idempotency-key'),
    actor: actor as string | undefined,
    revision: revision as number | undefined,
    waitSeconds: waitSeconds as number | undefined,
    ...(typeof tag === 'string' && { ifNoneMatch: `"${stripQuotes(tag)}"` }),
  };
  return perform({ service, operation, call, id: readId(id), options, read });
}

/**
 * Runs a tool as HTTP runs its operation. A refusal is a result that a model can act on. Throws an RpcError if the tool is
 * unknown or the arguments are no object.
 */
export function callTool(
  params: Record<string, unknown>,
  service: McpService,
  call: Call,
  signature: Signature | undefined,
): RpcResult | Promise<RpcResult> {
  const operation = findTool(service, params.name);
  const given = parseArguments(params.arguments);
  if (!isObject(given)) throw invalidParams('arguments must be an object, such as {"limit": 5}.');
  const isOfWorkspace = 'workspace' in given || 'strict' in given;
  const cacheKey = isSteady(operation) && !isOfWorkspace && [operation.operationId, given, signature];
  const context = { operation, kinds: service.kinds, signature };
  return keepResult(service, cacheKey, async () => {
    try {
      const reply = await run({ operation, given, clientName: findClientName(params) }, service, call);
      return await runSteps({ service, call, operation }, createToolResult(context, reply));
    } catch (error) {
      const refusal = toRefusal(error, (fault) => service.watch.report?.(fault, call));
      const { status, details } = refusal;
      const body = refusal.wordEnvelope(wordForMcp);
      return runAtOnce(createToolResult(context, { status, body }, details.limit));
    }
  });
}
