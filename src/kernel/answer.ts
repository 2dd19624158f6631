import { type Call, headerOf, pickLogFields, type Reply, readMediaType, readRequestOptions } from './call.ts';
import { createSharedTag, isUnchangedBeforeRun, orNotModified } from './entity-tag.ts';
import { cutExcerpt } from './envelope.ts';
import {
  chooseCacheRule,
  collectOkHeaders,
  commonHeaders,
  createPreflight,
  json,
  pageHeaders,
} from './headers.ts';
import { parseBody, parseQuery, type ReadArgs } from './input.ts';
import { toBodyText } from './json.ts';
import { findNearPaths, formatSuggestion } from './near-miss.ts';
import { type Capability, hasBody, type Operation, type OperationReply } from './operation.ts';
import { isOtherBody, type OtherBody } from './other-body.ts';
import { type PerformService, perform } from './perform.ts';
import { createMethodRefusal, Refusal, toRefusal } from './refusal.ts';
import { negotiateHome, withIndex } from './representation.ts';
import { createRouter, decodePath, type Route } from './router.ts';

/** Creates a reply. Many replies share `base`, so this copies it before it changes it. */
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

/** The headers of every refusal and every 404. The Link leads to what a caller can send. */
const noStoreHeaders = {
  'Content-Type': json,
  ...commonHeaders,
  'Cache-Control': 'no-store',
  Link: '</api.md>; rel="help"; type="text/markdown"',
};

export function createRefusalReply(refusal: Refusal, operation = 'none'): Reply {
  const { status, envelope: body, headers, details } = refusal;
  const logFields = { ...pickLogFields(operation, 'http', body), limit: details.limit };
  return createReply({ status, body, headers, logFields }, noStoreHeaders, operation);
}

/**
 * The reply to a refused call. Reports the fault if there is one. Hosts also use it for calls that the core never saw.
 */
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

/** The 404 of an address that does not exist. `meant` are the addresses that the caller probably meant. */
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

/** Whether a browser is about to show the reply to a person (Fetch Metadata, Sec-Fetch-Dest). */
export const isNavigation = ({ method, headers }: Pick<Call, 'method' | 'headers'>) =>
  (method === 'GET' || method === 'HEAD') && headers['sec-fetch-dest'] === 'document';

export function createNotFoundPage(body: string): Reply {
  const headers = { ...pageHeaders, ...byDestination };
  return createReply({ status: 404, body, type: 'text/html; charset=utf-8', headers }, noStoreHeaders);
}

/** Says whether a preference was applied (RFC 7240 section 3), if the call can have warnings at all. */
function withPreference(reply: Reply, call: Call, isStrict: boolean): Reply {
  if (!isStrict && call.query === '' && call.body.length === 0) return reply;
  const Vary = reply.headers.Vary ? `${reply.headers.Vary}, Prefer` : 'Prefer';
  const { 'Preference-Applied': other } = reply.headers;
  const strict = {
    'Preference-Applied': other ? `${other}, handling=strict` : 'handling=strict',
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
  };
  return { ...reply, headers: { ...reply.headers, ...(isStrict && strict), Vary } };
}

function readOtherBody({ read }: OtherBody, { args, issues }: ReadArgs, call: Call): ReadArgs {
  const body = read(call);
  return { args: { ...args, ...body.args }, issues, warnings: body.warnings };
}

const jsonType = /^(application|text)\/(.+\+)?json$/;

/** Returns the refusal of a body that is not JSON: of its type if it has another, or of its text. */
function createNotJson(call: Call, otherBody: OtherBody | undefined): Refusal {
  const type = readMediaType(call);
  if (type === '' || jsonType.test(type) || call.body.length === 0) return new Refusal('invalid_json');
  const or = otherBody ? `, or ${otherBody.how}` : '';
  const reason = `The body is ${cutExcerpt(type)} and not JSON. Send one JSON object in UTF-8 as application/json${or}.`;
  return new Refusal('unsupported_media', { reason });
}

function readArgs(operation: Operation, call: Call): ReadArgs {
  if (!hasBody(operation.method)) return parseQuery(call.query, operation.input);
  if (operation.rawBody) return { args: {}, issues: [] };
  const encoding = headerOf(call, 'content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media');
  const { otherBody } = operation;
  const query = parseQuery(call.query, operation.input);
  if (otherBody && isOtherBody(otherBody, query.args, call)) return readOtherBody(otherBody, query, call);
  const warnings = Object.keys(query.args).map((name) => ({
    code: 'unread_query',
    path: `?${cutExcerpt(name)}`,
    message: `is not read on a ${operation.method} and was ignored; send it in the body`,
    refusal: `belongs in the body of a ${operation.method}, not in the query`,
  }));
  const isEmpty = operation.method === 'POST' && call.body.length === 0;
  // JSON is read whatever its type says: curl -d calls it a form.
  const args = isEmpty ? {} : parseBody(call.body, () => createNotJson(call, otherBody));
  return { args, issues: [], warnings };
}

function formatAllow(methods: Iterable<string>): string {
  const all = [...new Set(methods)];
  return [...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

async function answerMarkdown(service: AnswerService, operation: Operation, route: Route, path: string) {
  const { operationId } = operation;
  const markdown = await operation.markdown?.(service, route.id);
  if (markdown === undefined) return createNotFoundReply(operationId);
  const headers = collectOkHeaders(operation, path, route.representation, 'public');
  const outcome = { status: 200, body: withIndex(markdown), type: 'text/markdown; charset=utf-8' };
  return createReply(outcome, headers, operationId);
}

/** What `createAnswer` needs of the service. */
export interface AnswerService extends PerformService {
  operations: readonly Operation[];
  /** Every kind of secret that gives access. */
  capabilities: readonly Capability[];
}

/** Which representation of a path is asked for. The home page alone negotiates. */
function pickRepresentation({ representation }: Route, path: string, { headers }: Call) {
  if (path !== '/' || representation !== 'own') return representation;
  return negotiateHome(headers) === 'md' ? 'md' : representation;
}

/** The table with what is computed of it once. */
class Core {
  readonly #service: AnswerService;
  readonly #route: ReturnType<typeof createRouter>;
  readonly #preflight: ReturnType<typeof createPreflight>;
  /** What the ids of workspaces and the tokens begin with. */
  readonly #prefixes: readonly string[];
  readonly #paths: readonly string[];
  readonly #allowAnywhere: string;

  constructor(service: AnswerService) {
    const { operations, capabilities } = service;
    this.#service = service;
    this.#route = createRouter(operations);
    this.#preflight = createPreflight(capabilities);
    this.#prefixes = ['ws_', ...capabilities.map(({ prefix }) => prefix)];
    this.#paths = [
      ...new Set(operations.flatMap(({ listed, access, path }) => (listed || access.probe ? [path] : []))),
    ];
    this.#allowAnywhere = formatAllow(operations.map(({ method }) => method));
  }

  answer(call: Call): Reply | Promise<Reply> {
    if (call.method === 'OPTIONS') return this.#answerOptions(call.path);
    let operation: Operation | undefined;
    try {
      const match = this.#route(call.path);
      if (!match) return this.#replyNoPath(call);
      operation = match.byMethod.get(call.method === 'HEAD' ? 'GET' : call.method);
      if (!operation) throw createMethodRefusal(formatAllow(match.byMethod.keys()));
      const reply = this.#dispatch(call, match, operation);
      return reply instanceof Promise ? reply.catch((error) => this.#refuse(error, call, operation)) : reply;
    } catch (error) {
      return this.#refuse(error, call, operation);
    }
  }

  /** Allows a preflight at every path. Without it a page at another origin cannot read the refusal that follows. */
  #answerOptions(path: string): Reply {
    const match = this.#route(path);
    const Allow = match ? formatAllow(match.byMethod.keys()) : this.#allowAnywhere;
    const headers = { ...this.#preflight, Allow };
    return { status: 204, headers, body: '', logFields: { operation: 'preflight', door: 'http' } };
  }

  #replyNoPath(call: Call): Reply {
    if (decodePath(call.path) === undefined) throw new Refusal('invalid_path');
    const service = this.#service;
    const page = isNavigation(call) ? service.frozenText?.('/404.html') : undefined;
    if (page !== undefined) return createNotFoundPage(page);
    return createNotFoundReply(
      undefined,
      findNearPaths(call.path, this.#paths, service.catalogue.nearMisses, this.#prefixes),
    );
  }

  #dispatch(call: Call, match: Route, operation: Operation): Reply | Promise<Reply> {
    // Encoded, because it goes into header fields.
    const path = operation.path.replace('{id}', () => encodeURIComponent(match.id ?? ''));
    // A proxy hides a probe by its plain address, so a probe has no other address.
    if (operation.access.probe && call.path !== path) return createNotFoundReply();
    const representation = pickRepresentation(match, path, call);
    if (representation === 'html') return createNotFoundReply(operation.operationId);
    if (representation === 'md') return answerMarkdown(this.#service, operation, match, path);
    return this.#run(call, { ...match, representation }, operation, path);
  }

  /** Runs the operation, unless the caller has its answer already. */
  #run(call: Call, { id, representation }: Route, operation: Operation, path: string) {
    const service = this.#service;
    const options = readRequestOptions(call, operation.access.capability);
    if (representation !== 'own') options.workspaceId = undefined;
    const inWorkspace = operation.access.workspace && options.workspaceId !== undefined;
    const isShared = operation.method === 'GET' && !inWorkspace && !options.isStrict;
    const ETag = isShared ? createSharedTag(service, operation, call) : undefined;
    const isUnchanged = ETag !== undefined && isUnchangedBeforeRun(options, ETag);
    const outcome: OperationReply | Promise<OperationReply> = isUnchanged
      ? { status: 304, body: '' }
      : perform({ service, operation, call, id, options, read: () => readArgs(operation, call) });
    const finish = (result: OperationReply) => {
      let current = result;
      let headers: Reply['headers'] = noStoreHeaders;
      if (result.status === 200 || result.status === 304) {
        const rule = inWorkspace ? 'workspace' : chooseCacheRule(operation, representation, call.query);
        headers = collectOkHeaders(operation, path, representation, rule);
        const tagged = ETag ? { ...result, headers: { ...result.headers, ETag } } : result;
        current = orNotModified(tagged, options);
      }
      const reply = createReply(current, headers, operation.operationId);
      return operation.rawBody ? reply : withPreference(reply, call, options.isStrict);
    };
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  }

  #refuse(error: unknown, call: Call, operation?: Operation): Reply {
    const { watch } = this.#service;
    const reply = createErrorReply(error, operation, (fault) => watch.report?.(fault, call));
    return operation && !operation.rawBody
      ? withPreference(reply, call, readRequestOptions(call).isStrict)
      : reply;
  }
}

/** The pure core: takes a call and returns a reply. It never throws and never rejects. */
export function createAnswer(service: AnswerService): (call: Call) => Reply | Promise<Reply> {
  const core = new Core(service);
  return (call) => core.answer(call);
}
