import { type Call, headerOf, pickLogFields, type Reply, readRequestOptions } from './call.ts';
import { createSharedTag, isUnchangedBeforeRun, orNotModified } from './entity-tag.ts';
import { cutExcerpt } from './envelope.ts';
import {
  chooseCacheRule,
  collectOkHeaders,
  commonHeaders,
  createOkHeaders,
  json,
  pageHeaders,
  preflight,
} from './headers.ts';
import { parseBody, parseQuery, type ReadArgs } from './input.ts';
import { toBodyText } from './json.ts';
import { findNearPaths, formatSuggestion } from './near-miss.ts';
import { hasBody, type Operation, type OperationReply } from './operation.ts';
import { perform } from './perform.ts';
import { createMethodRefusal, Refusal, toRefusal } from './refusal.ts';
import { negotiateHome, withIndex } from './representation.ts';
import { createRouter, decodePath, type Route } from './router.ts';
import type { Service } from './service.ts';

/** `base` is shared by every reply of its kind, so it is never changed. */
function createReply(
  outcome: OperationReply,
  base: Readonly<Record<string, string>>,
  operation = 'none',
): Reply {
  const { status, type, pieces, logFields = pickLogFields(operation, 'http', outcome.body) } = outcome;
  if (status === 304) {
    const { 'Content-Type': _, ...headers } = { ...base, ...outcome.headers };
    return { status, headers, body: '', logFields };
  }
  const body = toBodyText(outcome.body);
  if (body === '') {
    return { status, headers: { ...commonHeaders, 'Cache-Control': 'no-store' }, body, logFields };
  }
  const isPlain = !outcome.headers && !type;
  const headers = isPlain ? base : { ...base, ...(type && { 'Content-Type': type }), ...outcome.headers };
  return { status, headers, body, pieces, logFields };
}

/** Sent with every refusal and every 404; the link leads to what can be sent. */
const noStoreHeaders = {
  'Content-Type': json,
  ...commonHeaders,
  'Cache-Control': 'no-store',
  Link: '</api.md>; rel="help"; type="text/markdown"',
};

export const createRefusalReply = ({ status, envelope: body, headers }: Refusal, operation?: string): Reply =>
  createReply({ status, body, headers }, noStoreHeaders, operation);

/** The reply to a call that is refused, by a host before the core runs or by the core. A fault is reported. */
export function createErrorReply(
  error: unknown,
  operation: Operation | undefined,
  report: (fault: unknown) => void,
): Reply {
  const refusal = toRefusal(error, report);
  const outcome = operation?.refused?.(refusal);
  const name = operation?.operationId;
  return outcome ? createReply(outcome, noStoreHeaders, name) : createRefusalReply(refusal, name);
}

const byDestination = { Vary: 'Sec-Fetch-Dest' };

/** The 404 of an address where nothing is; `meant` are the addresses that its caller probably meant. */
export function createNotFoundReply(operation?: string, meant: readonly string[] = []): Reply {
  const body = {
    type: 'EMPTY',
    message: `Nothing is at this address.${formatSuggestion(meant)} Start at /, or read /api.md, which has every operation.`,
    links: {
      ...(meant[0] && !meant[0].includes('{') && { meant: meant[0] }),
      home: '/',
      api: '/api.md',
      llms: '/llms.txt',
      card: '/.well-known/agents.json',
    },
  };
  return createReply({ status: 404, body, headers: byDestination }, noStoreHeaders, operation);
}

/** Whether a person is led here by a browser (Fetch Metadata, Sec-Fetch-Dest). */
export const isNavigation = ({ method, headers }: Pick<Call, 'method' | 'headers'>) =>
  (method === 'GET' || method === 'HEAD') && headers['sec-fetch-dest'] === 'document';

export function createNotFoundPage(body: string): Reply {
  const headers = { ...pageHeaders, ...byDestination };
  return createReply({ status: 404, body, type: 'text/html; charset=utf-8', headers }, noStoreHeaders);
}

/** Says in the reply whether a preference was applied (RFC 7240 section 3), where there was something to warn about. */
function withPreference(reply: Reply, call: Call, isStrict: boolean): Reply {
  if (!isStrict && call.query === '' && call.body.length === 0) return reply;
  const Vary = reply.headers.Vary ? `${reply.headers.Vary}, Prefer` : 'Prefer';
  const { 'Preference-Applied': wait } = reply.headers;
  const strict = {
    'Preference-Applied': wait ? `${wait}, handling=strict` : 'handling=strict',
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
  };
  return { ...reply, headers: { ...reply.headers, ...(isStrict && strict), Vary } };
}

function readArgs(operation: Operation, call: Call): ReadArgs {
  if (!hasBody(operation.method)) return parseQuery(call.query, operation.input);
  if (operation.rawBody) return { args: {}, issues: [] };
  const encoding = headerOf(call, 'content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media');
  const warnings = Object.keys(parseQuery(call.query, operation.input).args).map((name) => ({
    code: 'unread_query',
    path: `?${cutExcerpt(name)}`,
    message: `is not read on a ${operation.method} and was ignored; send it in the body`,
    refusal: `belongs in the body of a ${operation.method}, not in the query`,
  }));
  const isEmpty = operation.method === 'POST' && call.body.length === 0;
  const args = isEmpty ? {} : parseBody(call.body);
  return { args, issues: [], warnings };
}

function formatAllow(methods: Iterable<string>): string {
  const all = [...new Set(methods)];
  return [...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

async function answerMarkdown(service: Service, operation: Operation, route: Route, path: string) {
  const { operationId } = operation;
  const markdown = await operation.markdown?.(service, route.id);
  if (markdown === undefined) return createNotFoundReply(operationId);
  const headers = collectOkHeaders(operation, path, route.representation, 'public');
  const outcome = { status: 200, body: withIndex(markdown), type: 'text/markdown; charset=utf-8' };
  return createReply(outcome, headers, operationId);
}

/** The pure core: a call in, a reply out. It never throws and never rejects. */
export function createAnswer(service: Service): (call: Call) => Reply | Promise<Reply> {
  const route = createRouter(service.operations);
  const okHeaders = createOkHeaders();
  const { catalogue, operations } = service;
  const paths = [
    ...new Set(operations.flatMap(({ listed, access, path }) => (listed || access.probe ? [path] : []))),
  ];
  const allowAnywhere = formatAllow(operations.map(({ method }) => method));

  /** A preflight is answered at every path, or a page at another origin could not read the refusal behind it. */
  function answerOptions(path: string): Reply {
    const found = route(path);
    const headers = { ...preflight, Allow: found ? formatAllow(found.byMethod.keys()) : allowAnywhere };
    return { status: 204, headers, body: '', logFields: { operation: 'preflight', door: 'http' } };
  }

  function dispatch(call: Call, found: Route, operation: Operation): Reply | Promise<Reply> {
    const { operationId } = operation;
    const path = operation.path.replace('{id}', found.id ?? '');
    // A proxy that hides a probe hides its plain address.
    if (operation.access.probe && call.path !== path) return createNotFoundReply();
    const representation =
      path === '/' && found.representation === 'own' && negotiateHome(call.headers) === 'md'
        ? 'md'
        : found.representation;
    if (representation === 'html') return createNotFoundReply(operationId);
    if (representation === 'md') return answerMarkdown(service, operation, found, path);
    const options = readRequestOptions(call, operation.access.capability);
    if (representation !== 'own') options.workspaceId = undefined;
    const inWorkspace = operation.access.workspace && options.workspaceId !== undefined;
    const ETag = inWorkspace || options.isStrict ? undefined : createSharedTag(service, operation, call);
    const isUnchanged = ETag !== undefined && isUnchangedBeforeRun(options, ETag);
    const outcome: OperationReply | Promise<OperationReply> = isUnchanged
      ? { status: 304, body: '' }
      : perform({ service, operation, call, id: found.id, options, read: () => readArgs(operation, call) });
    const rule = inWorkspace ? 'workspace' : chooseCacheRule(operation, representation, call.query);
    const finish = (settled: OperationReply) => {
      const isSuccess = settled.status === 200 || settled.status === 304;
      const base = isSuccess ? okHeaders(operation, path, representation, rule) : noStoreHeaders;
      const tagged = isSuccess && ETag ? { ...settled, headers: { ...settled.headers, ETag } } : settled;
      const reply = createReply(orNotModified(tagged, options), base, operationId);
      return operation.rawBody ? reply : withPreference(reply, call, options.isStrict);
    };
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  }

  function refuse(error: unknown, call: Call, operation?: Operation): Reply {
    const reply = createErrorReply(error, operation, (fault) => service.watch.report?.(fault, call));
    return operation && !operation.rawBody
      ? withPreference(reply, call, readRequestOptions(call).isStrict)
      : reply;
  }

  return (call) => {
    if (call.method === 'OPTIONS') return answerOptions(call.path);
    let operation: Operation | undefined;
    try {
      const found = route(call.path);
      if (!found) {
        if (decodePath(call.path) === undefined) throw new Refusal('invalid_path');
        const page = isNavigation(call) ? service.frozenText?.('/404.html') : undefined;
        if (page !== undefined) return createNotFoundPage(page);
        return createNotFoundReply(undefined, findNearPaths(call.path, paths, catalogue.nearMisses));
      }
      operation = found.byMethod.get(call.method === 'HEAD' ? 'GET' : call.method);
      if (!operation) throw createMethodRefusal(formatAllow(found.byMethod.keys()));
      const reply = dispatch(call, found, operation);
      return reply instanceof Promise ? reply.catch((error) => refuse(error, call, operation)) : reply;
    } catch (error) {
      return refuse(error, call, operation);
    }
  };
}
