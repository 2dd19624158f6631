import * as v from 'valibot';
import { isSteady } from '../kernel/cache.ts';
import { type Call, toLogFields, toRequestOptions } from '../kernel/call.ts';
import { type Effect, effects } from '../kernel/effect.ts';
import { type Issue, mostPlaces, toExcerpt } from '../kernel/envelope.ts';
import { toIssues, toUnknown } from '../kernel/input.ts';
import { Json, toValue } from '../kernel/json.ts';
import { type NearMisses, toNearTools, toQuestion } from '../kernel/near-miss.ts';
import type { ObjectSchema, Operation, Outcome } from '../kernel/operation.ts';
import { toolLimit } from '../kernel/page.ts';
import { perform } from '../kernel/perform.ts';
import { toRefusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { isObject, keepResult, RpcError, type RpcResult, rpcCodes } from './json-rpc.ts';

/** What a caller who names no workspace gets. */
const without = {
  read: 'Without: the seed.',
  create: 'Leave out to mint one.',
  update: '',
  delete: '',
} as const satisfies Record<Effect, string>;

function toWorkspace({ effect, workspace }: Operation): v.GenericSchema {
  const said = `Id from a create. ${workspace === 'required' ? '' : without[effect]}`;
  const text = v.pipe(v.string('must be a string'), v.description(said.trim()));
  return workspace === 'required' ? text : v.optional(text);
}

/** What a tool that writes takes beside its input. */
const strict = v.optional(
  v.pipe(v.boolean('must be true or false'), v.description('Refuse what would warn.')),
);
const idempotencyKey = v.optional(
  v.pipe(v.string('must be a string'), v.description('A UUID: safe to repeat.')),
);

const revision = v.optional(
  v.pipe(v.number('must be a number'), v.description('Refuse at another revision.')),
);

/** What a tool that can wait takes: the tag of what its caller has, and for how long it may wait for another. */
const tag = v.optional(v.pipe(v.string('must be a string'), v.description('Of your last reply.')));
const seconds = 'must be a whole number from 1 to 25';
const waitSeconds = v.optional(
  v.pipe(
    v.number(seconds),
    v.check((count) => Number.isInteger(count) && count >= 1 && count <= 25, seconds),
    v.description('With tag: wait up to 25 for a change.'),
  ),
);
/** Only what is in a workspace waits over MCP. */
const isWaiting = ({ canWait, workspace }: Operation) => canWait !== undefined && workspace !== false;

/** The arguments of a tool beside its input: what HTTP says in the path and in headers. */
export function toTransportArguments(operation: Operation): v.ObjectEntries {
  const { idText, workspace, effect, capability, method } = operation;
  return {
    ...(idText && { id: v.pipe(v.string('must be a string'), v.description(idText)) }),
    ...(workspace && { workspace: toWorkspace(operation) }),
    ...(capability && {
      [capability.argument]: v.pipe(v.string('must be a string'), v.description(capability.hint)),
    }),
    ...(effects[effect].isKeyed && { strict, idempotencyKey }),
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
  const refuse = (message: string): never => {
    throw new RpcError(200, rpcCodes.invalidParams, message);
  };
  if (typeof name !== 'string') return refuse('params.name must be the name of a tool; see tools/list.');
  const row = operations.find(({ operationId, listed }) => listed && operationId === name);
  if (row?.tool) return row;
  const tools = operations.flatMap(({ tool, operationId }) => (tool ? [operationId] : []));
  const meant = toQuestion(toNearTools(name, tools, catalogue.nearMisses));
  const way = row ? ` It is no tool, but ${row.method} ${row.path} over HTTP.` : `${meant} See tools/list.`;
  return refuse(`Unknown tool: ${toExcerpt(name)}.${way}`);
}

/** An issue for each name that the tool does not have: a model that guessed one must hear it. */
function checkNames(args: object, input: ObjectSchema, { unread }: Operation, misses: NearMisses): Issue[] {
  return toUnknown(args, { input, unread }, misses, (path, hint) => ({
    path,
    message: `is no argument of this tool${hint}`,
  }));
}

function run(operation: Operation, given: Record<string, unknown>, service: Service, call: Call) {
  const transport = toTransportArguments(operation);
  const { input, unread = [] } = operation;
  const whole = v.object({ ...input.entries, ...transport });
  let unknown = 0;
  // Of unknown names, of which there may be very many, only those that are reported are copied.
  const names = Object.keys(given).filter(
    (name) => Object.hasOwn(whole.entries, name) || unread.includes(name) || unknown++ < mostPlaces,
  );
  const pick = (isTransport: boolean): Record<string, unknown> =>
    Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(transport, name) === isTransport)
        .map((name) => [name, given[name]]),
    );
  const args = pick(false);
  const beside: Partial<TransportArguments> = pick(true);
  const { id, workspace, strict, idempotencyKey, revision, tag, waitSeconds } = beside;
  const isList = operation.effect === 'read' && 'limit' in input.entries;
  if (isList && !('limit' in args)) args.limit = operation.usualLimit ?? toolLimit;
  const besides = { ...beside, ...(operation.workspace === 'required' && { workspace: workspace ?? '' }) };
  const issues = [
    ...checkNames(args, whole, operation, service.catalogue.nearMisses),
    ...toIssues(v.object(transport), besides),
  ];
  const key = idempotencyKey ?? toRequestOptions(call).key;
  const shown = operation.capability && given[operation.capability.argument];
  const capability = typeof shown === 'string' ? shown : undefined;
  // A value that is not a text has no shape of an id either.
  const workspaceId = workspace !== undefined && typeof workspace !== 'string' ? '' : workspace;
  const options = {
    ...{ workspaceId, capability, isStrict: strict === true, isTool: true, key, revision, waitSeconds },
    ...(typeof tag === 'string' && { ifNoneMatch: `"${toBareTag(tag)}"` }),
  };
  const read = () => ({ args, issues });
  return perform({ service, operation, call, id: typeof id === 'string' ? id : undefined, options, read });
}

/** What a caller sends in them. */
interface TransportArguments {
  id: string;
  workspace: string;
  strict: boolean;
  idempotencyKey: string;
  revision: number;
  tag: string;
  waitSeconds: number;
}

const toBareTag = (tag: string) => tag.replaceAll('"', '');

/** The body of a read that can wait, with its tag and, where its caller has it already, that it did not change. */
function withTag(operation: Operation, { body, status, headers: { ETag } = {} }: Outcome): Outcome['body'] {
  if (ETag === undefined || !isWaiting(operation)) return body;
  return { ...(toValue(body) as object), tag: toBareTag(ETag), ...(status === 304 && { changed: false }) };
}

/** An address in a text, with the query name that it ends with, if any. */
const address = /(?<![\w/])(\/[a-z-]+)(?:\?([a-z]+)=)?(?![\w/?])/g;

/** What a header says, and the argument of a tool that says the same. */
const ofHeaders = [
  ['handling=strict', 'the argument strict'],
  ['Idempotency-Key', 'idempotencyKey'],
] as const;

/** A header in a text that says itself which argument that is. */
const told = /(?:the )?(?:header )?X-\w+ \((?:over MCP|or) (the argument \w+)\)/g;

/** A text that speaks of arguments where it spoke of headers. */
const toArguments = (text: string) =>
  ofHeaders.reduce((so, [header, argument]) => so.replaceAll(header, argument), text.replace(told, '$1'));

/** A text that speaks of tools and arguments where it spoke of addresses and headers. */
function toToolText(text: string, toTool: (path: string) => string | undefined): string {
  return toArguments(text).replace(address, (whole, path: string, name: string | undefined) => {
    const tool = toTool(path);
    return tool ? `the tool ${tool}${name ? ` with ${name}` : ''}` : whole;
  });
}

type Told = { path?: string; message?: string; reason?: string; issues?: object[] };

/** The words of a refusal for a model, which knows tools and arguments, and neither addresses nor headers. */
function toToolWords(body: object, operations: readonly Operation[]): object {
  const toTool = (path: string) =>
    operations.find((row) => row.method === 'GET' && row.path === path && row.tool)?.operationId;
  const inWords = (one: object): object => {
    const { path, message, reason, issues } = one as Told;
    return {
      ...one,
      ...(path && { path: toArguments(path) }),
      ...(reason && { reason: toToolText(reason, toTool) }),
      ...(message && { message: toToolText(message, toTool) }),
      ...(issues && { issues: issues.map(inWords) }),
    };
  };
  return inWords(body);
}

/** The text of `RpcResult` for tools/call: the envelope that HTTP answers, as an object and as text. */
function toResultText(
  operation: Operation,
  outcome: Outcome,
  signature: Signature,
  { operations }: Service,
): string {
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
  if (!isObject(given)) throw new RpcError(200, rpcCodes.invalidParams, 'arguments must be an object.');
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
