import { type Call, headerOf, type LogFields, type Reply, toLogFields, toRequestOptions } from './call.ts';
import { hasBody } from './effect.ts';
import {
  isUnchangedBeforeRun,
  orNotModified,
  toNotModified,
  toSharedTag,
  withPreference,
} from './entity-tag.ts';
import { toExcerpt } from './envelope.ts';
import { createOkHeaders, everyAnswer, json, preflight, toCacheRule, toOkHeaders } from './headers.ts';
import { parseBody, parseQuery, type ReadArgs } from './input.ts';
import { Json } from './json.ts';
import type { Operation, Outcome } from './operation.ts';
import { perform } from './perform.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { toHomeRepresentation, withIndex } from './representation.ts';
import { createRouter, type Route } from './router.ts';
import type { Service } from './service.ts';

function toText({ body }: Outcome): string {
  if (body instanceof Json) return body.text;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** `base` is shared by every reply of its kind, so it is never changed. */
function toReply(outcome: Outcome, base: Readonly<Record<string, string>>, logFields: LogFields): Reply {
  const { status, headers, type, pieces } = outcome;
  if (status === 304) return toNotModified({ status, headers: { ...base, ...headers }, body: '', logFields });
  const body = toText(outcome);
  if (body === '')
    return { status, headers: { ...everyAnswer, 'Cache-Control': 'no-store' }, body, logFields };
  if (!headers && !type) return { status, headers: base, body, pieces, logFields };
  return {
    status,
    headers: { ...base, ...(type && { 'Content-Type': type }), ...headers },
    body,
    pieces,
    logFields,
  };
}

const notKept = { 'Content-Type': json, ...everyAnswer, 'Cache-Control': 'no-store' };

/** What is seen as the operation where none was found. */
const noOperation = 'none';

/** The reply to a call turned down. */
export function toRefusalReply(refusal: Refusal, operation = noOperation): Reply {
  const { status, envelope: body, headers } = refusal;
  return toReply({ status, body, headers }, notKept, toLogFields(operation, 'http', body));
}

/** Words the refusal of a call that a host turned down before the core saw it. */
export function createRefuse(
  operations: readonly Operation[],
): (method: string, path: string, error: unknown) => Reply {
  const route = createRouter(operations);
  return (method, path, error) => {
    const refusal = toRefusal(error);
    let operation: Operation | undefined;
    try {
      operation = route(path)?.byMethod.get(method === 'HEAD' ? 'GET' : method);
    } catch {}
    const outcome = operation?.refused?.(refusal);
    if (!outcome) return toRefusalReply(refusal, operation?.operationId);
    return toReply(
      outcome,
      notKept,
      outcome.logFields ?? toLogFields(operation!.operationId, 'http', outcome.body),
    );
  };
}

/** The reply at an address where nothing is; `meant` is the one that is there without the slash at its end. */
export function toNothingHere(operation = noOperation, meant?: string): Reply {
  const body = {
    type: 'EMPTY',
    message: meant
      ? `Nothing is at an address that ends with a slash. Leave it out: ${meant}. Else /openapi.json lists every operation.`
      : 'Nothing is at this address. Start at /, or read /openapi.json, which lists every operation.',
    links: {
      ...(meant && { list: meant }),
      home: '/',
      openapi: '/openapi.json',
      llms: '/llms.txt',
      card: '/.well-known/agents.json',
    },
  };
  return toReply({ status: 404, body }, notKept, { operation, door: 'http' });
}

function readArgs(operation: Operation, call: Call): ReadArgs {
  if (!hasBody(operation.method)) return parseQuery(call.query, operation.input);
  if (operation.rawBody) return { args: {}, issues: [] };
  const encoding = headerOf(call, 'content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media');
  const ignored = parseQuery(call.query, operation.input).args;
  const warnings = Object.keys(ignored).map((name) => ({
    code: 'unread_query',
    path: `?${toExcerpt(name)}`,
    message: `is not read on a ${operation.method} and was ignored; send it in the body`,
  }));
  const takesNone = Object.keys(operation.input.entries).length === 0;
  const args = takesNone && call.body.length === 0 ? {} : parseBody(call.body);
  return { args, issues: [], warnings };
}

/** Methods as `Allow` lists them (RFC 9110 section 10.2.1). */
function toAllow(methods: Iterable<string>): string {
  const all = [...new Set(methods)];
  return [...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

async function answerMarkdown(
  service: Service,
  operation: Operation,
  route: Route,
  path: string,
): Promise<Reply> {
  const { operationId } = operation;
  const body = await operation.markdown?.(service, route.id);
  if (body === undefined) return toNothingHere(operationId);
  const headers = toOkHeaders(operation, path, route.representation, 'public');
  const logFields = { operation: operationId, door: 'http' } as const;
  return toReply(
    { status: 200, body: withIndex(body), type: 'text/markdown; charset=utf-8' },
    headers,
    logFields,
  );
}

/** The pure core: a call in, a reply out. It never throws and never rejects. */
export function createAnswer(service: Service): (call: Call) => Reply | Promise<Reply> {
  const route = createRouter(service.operations);
  const okHeaders = createOkHeaders();
  const allowAnywhere = toAllow(service.operations.map(({ method }) => method));

  /** A preflight is answered at every path, or a page at another origin could not read the refusal behind it. */
  function answerOptions(path: string): Reply {
    let found: Route | undefined;
    try {
      found = route(path);
    } catch {}
    const headers = { ...preflight, Allow: found ? toAllow(found.byMethod.keys()) : allowAnywhere };
    return { status: 204, headers, body: '', logFields: { operation: 'preflight', door: 'http' } };
  }

  /** The address of a document or a list that a slash was put behind. */
  function toUnslashed(path: string): string | undefined {
    const found = path.endsWith('/') ? route(path.slice(0, -1)) : undefined;
    return [...(found?.byMethod.values() ?? [])][0]?.path.split('/{id}')[0];
  }

  function find(found: Route, method: string): Operation {
    const operation = found.byMethod.get(method === 'HEAD' ? 'GET' : method);
    if (operation) return operation;
    throw new Refusal('method_not_allowed', { headers: { Allow: toAllow(found.byMethod.keys()) } });
  }

  function dispatch(call: Call, found: Route, operation: Operation): Reply | Promise<Reply> {
    const { operationId } = operation;
    const path = operation.path.replace('{id}', found.id ?? '');
    const representation =
      path === '/' && found.representation === 'own' && toHomeRepresentation(call.headers) === 'md'
        ? 'md'
        : found.representation;
    if (representation === 'html') return toNothingHere(operationId);
    if (representation === 'md') return answerMarkdown(service, operation, found, path);
    const asked = toRequestOptions(call, operation.capability);
    const options = representation === 'own' ? asked : { ...asked, workspaceId: undefined };
    const read = () => readArgs(operation, call);
    const inWorkspace = operation.workspace && options.workspaceId !== undefined;
    const ETag = inWorkspace || options.isStrict ? undefined : toSharedTag(service, operation, call);
    const isKnown = ETag !== undefined && isUnchangedBeforeRun(options, ETag);
    const outcome: Outcome | Promise<Outcome> = isKnown
      ? { status: 304, body: '' }
      : perform({ service, operation, call, id: found.id, options, read });
    const rule = inWorkspace ? 'workspace' : toCacheRule(operation, representation, call.query);
    const finish = (settled: Outcome) => {
      const isKept = settled.status === 200 || settled.status === 304;
      const base = isKept ? okHeaders(operation, path, representation, rule) : notKept;
      const told = isKept && ETag ? { ...settled, headers: { ...settled.headers, ETag } } : settled;
      const logFields = settled.logFields ?? toLogFields(operationId, 'http', settled.body);
      const reply = toReply(orNotModified(told, options), base, logFields);
      return operation.rawBody ? reply : withPreference(reply, call, options.isStrict);
    };
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  }

  function refuse(thrown: unknown, call: Call, operation?: Operation): Reply {
    const error = thrown instanceof URIError ? new Refusal('invalid_path') : thrown;
    const refusal = toRefusal(error, (fault) => service.watch.report?.(fault, call));
    const reply = toRefusalReply(refusal, operation?.operationId);
    return operation && !operation.rawBody
      ? withPreference(reply, call, toRequestOptions(call).isStrict)
      : reply;
  }

  return (call) => {
    if (call.method === 'OPTIONS') return answerOptions(call.path);
    let operation: Operation | undefined;
    try {
      const found = route(call.path);
      if (!found) return toNothingHere(noOperation, toUnslashed(call.path));
      operation = find(found, call.method);
      const reply = dispatch(call, found, operation);
      return reply instanceof Promise ? reply.catch((error) => refuse(error, call, operation)) : reply;
    } catch (error) {
      return refuse(error, call, operation);
    }
  };
}
