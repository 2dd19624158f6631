import * as v from 'valibot';
import { type Call, toLogFields, toRequestOptions } from '../kernel/call.ts';
import { mostPlaces, toExcerpt } from '../kernel/envelope.ts';
import { toIssues, toUnknown } from '../kernel/input.ts';
import { isObject, Json, toValue } from '../kernel/json.ts';
import { toNearTools, toQuestion } from '../kernel/near-miss.ts';
import { isSteady, type Operation, type Outcome } from '../kernel/operation.ts';
import { toolLimit } from '../kernel/page.ts';
import { perform } from '../kernel/perform.ts';
import { toRefusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { may, say } from '../kernel/text.ts';
import { invalidParams, keepResult, type RpcResult } from './json-rpc.ts';

const toText = (words: string) => say(v.string('must be a string'), words);
const toOptionalText = (words: string) => v.optional(toText(words));
const seconds = 'must be a whole number from 1 to 25';

/** What HTTP says in headers. */
const strict = may(v.boolean('must be true or false'), 'Refuse what would warn.');
const idempotencyKey = toOptionalText('A UUID: safe to repeat.');
const revision = may(v.number('must be a number'), 'Refuse at another revision.');
const tag = toOptionalText('Of your last reply.');
const waitSeconds = may(
  v.pipe(
    v.number(seconds),
    v.check((count) => Number.isInteger(count) && count >= 1 && count <= 25, seconds),
  ),
  'With tag: wait up to 25 for a change.',
);

function toWorkspace({ effect, workspace }: Operation): v.GenericSchema {
  if (workspace === 'required') return toText('Id from a create.');
  const without = effect === 'read' ? 'Without: the seed.' : 'Leave out to mint one.';
  return toOptionalText(`Id from a create. ${without}`);
}

/** Only what is in a workspace waits over MCP. */
const isWaiting = ({ canWait, workspace }: Operation) => canWait !== undefined && workspace !== false;

/** The arguments of a tool beside its input: what HTTP says in the path and in headers. */
export function toTransportArguments(operation: Operation): v.ObjectEntries {
  const { idText, workspace, effect, capability, method } = operation;
  return {
    ...(idText && { id: toText(idText) }),
    ...(workspace && { workspace: toWorkspace(operation) }),
    ...(capability && { [capability.argument]: toText(capability.hint) }),
    ...(effect !== 'read' && { strict, idempotencyKey }),
    ...(method === 'PATCH' && { revision }),
    ...(isWaiting(operation) && { tag, waitSeconds }),
  };
}

/** What a revision adds to every result. */
interface Signature {
  resultType?: string;
  _meta?: Record<string, unknown>;
}

function findTool({ operations, catalogue }: Service, name: unknown): Operation {
  if (typeof name !== 'string')
    throw invalidParams('params.name must be the name of a tool; see tools/list.');
  const row = operations.find(({ operationId, listed }) => listed && operationId === name);
  if (row?.tool) return row;
  const tools = operations.flatMap(({ tool, operationId }) => (tool ? [operationId] : []));
  const meant = toQuestion(toNearTools(name, tools, catalogue.nearMisses));
  const way = row ? ` It is no tool, but ${row.method} ${row.path} over HTTP.` : `${meant} See tools/list.`;
  throw invalidParams(`Unknown tool: ${toExcerpt(name)}.${way}`);
}

const orNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

function run(operation: Operation, given: Record<string, unknown>, service: Service, call: Call) {
  const { input, unread = [], capability } = operation;
  const transport = toTransportArguments(operation);
  const whole = v.object({ ...input.entries, ...transport });
  const own: [name: string, value: unknown][] = [];
  const beside: Record<string, unknown> = {};
  let unknown = 0;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(transport, name)) beside[name] = value;
    // There may be very many that are unknown; only those that are reported are copied.
    else if (Object.hasOwn(input.entries, name) || unread.includes(name) || unknown++ < mostPlaces)
      own.push([name, value]);
  }
  // Not one by one: a name may be __proto__.
  const args = Object.fromEntries(own);
  const isList = operation.effect === 'read' && 'limit' in input.entries;
  if (isList && !('limit' in args)) args.limit = operation.usualLimit ?? toolLimit;
  // A model that guessed a name must hear it.
  const guessed = toUnknown(args, { input: whole, unread }, service.catalogue.nearMisses).map(
    ({ name, hint }) => ({ path: name, message: `is no argument of this tool${hint}` }),
  );
  const issues = [...guessed, ...toIssues(v.object(transport), { workspace: '', ...beside })];
  const { id, workspace, strict, idempotencyKey, revision, tag, waitSeconds } = beside;
  const options = {
    // What is not a text has no shape of an id either.
    workspaceId: workspace === undefined ? undefined : (orNothing(workspace) ?? ''),
    capability: capability && orNothing(given[capability.argument]),
    isStrict: strict === true,
    isTool: true,
    key: (idempotencyKey as string | undefined) ?? toRequestOptions(call).key,
    revision: revision as number | undefined,
    waitSeconds: waitSeconds as number | undefined,
    ...(typeof tag === 'string' && { ifNoneMatch: `"${toBareTag(tag)}"` }),
  };
  return perform({ service, operation, call, id: orNothing(id), options, read: () => ({ args, issues }) });
}

const toBareTag = (tag: string) => tag.replaceAll('"', '');

/** The body of a read that can wait, with its tag and, where its caller has it already, that it did not change. */
function withTag(operation: Operation, { body, status, headers: { ETag } = {} }: Outcome): Outcome['body'] {
  if (ETag === undefined || !isWaiting(operation)) return body;
  return { ...(toValue(body) as object), tag: toBareTag(ETag), ...(status === 304 && { changed: false }) };
}

/** An address in a text, with the query name that it ends with, if any. */
const address = /(?<![\w/])(\/[a-z-]+)(?:\?([a-z]+)=)?(?![\w/?])/g;

/** A header in a text that says itself which argument that is. */
const told = /(?:the )?(?:header )?X-\w+ \((?:over MCP|or) (the argument \w+)\)/g;

/** A text that speaks of arguments where it spoke of headers. */
const toArguments = (text: string) =>
  text
    .replace(told, '$1')
    .replaceAll('handling=strict', 'the argument strict')
    .replaceAll('Idempotency-Key', 'idempotencyKey');

type Told = { path?: string; message?: string; reason?: string; issues?: object[] };

/** The words of a refusal for a model, which knows tools and arguments, and neither addresses nor headers. */
function toToolWords(body: object, operations: readonly Operation[]): object {
  const toToolText = (text: string) =>
    toArguments(text).replace(address, (whole, path: string, name: string | undefined) => {
      const row = operations.find((one) => one.method === 'GET' && one.path === path && one.tool);
      return row ? `the tool ${row.operationId}${name ? ` with ${name}` : ''}` : whole;
    });
  const inWords = (one: object): object => {
    const { path, message, reason, issues } = one as Told;
    return {
      ...one,
      ...(path && { path: toArguments(path) }),
      ...(reason && { reason: toToolText(reason) }),
      ...(message && { message: toToolText(message) }),
      ...(issues && { issues: issues.map(inWords) }),
    };
  };
  return inWords(body);
}

/** The text of `RpcResult` for tools/call: the envelope that HTTP answers, as an object and as text. */
function toResultText(operation: Operation, outcome: Outcome, signature: Signature, { operations }: Service) {
  const body = withTag(operation, outcome);
  const { code } = toLogFields(operation.operationId, 'mcp', body);
  const isAsked = operation.operationId === 'getOffer' && (body as { type?: string }).type === 'OFFER';
  const isNothingToWrite = operation.effect !== 'read' && outcome.status === 404;
  const isRefused = isNothingToWrite || (code !== undefined && !isAsked);
  const json =
    body instanceof Json ? body : Json.of(isRefused ? toToolWords(body as object, operations) : body);
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
  service: Service,
  call: Call,
  signature: Signature,
): RpcResult | Promise<RpcResult> {
  const operation = findTool(service, params.name);
  const given = params.arguments ?? {};
  if (!isObject(given)) throw invalidParams('arguments must be an object.');
  const isOwn = 'workspace' in given || 'strict' in given;
  const asked = isSteady(operation) && !isOwn && [operation.operationId, given, signature];
  const finish = (outcome: Outcome): RpcResult => ({
    status: outcome.status,
    text: toResultText(operation, outcome, signature, service),
    logFields: toLogFields(operation.operationId, 'mcp', outcome.body),
  });
  return keepResult(service, asked, async () => {
    try {
      return finish(await run(operation, given, service, call));
    } catch (error) {
      const { status, envelope } = toRefusal(error, (fault) => service.watch.report?.(fault, call));
      return finish({ status, body: envelope });
    }
  });
}
