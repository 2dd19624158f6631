import { type Call, isNavigation, type Reply, readRequestOptions } from './call.ts';
import {
  createErrorReply,
  createNotFoundPage,
  createNotFoundReply,
  createReply,
  noStoreHeaders,
  withPreference,
} from './create-reply.ts';
import { createSharedTag, isUnchangedBeforeRun, orNotModified } from './entity-tag.ts';
import { chooseCacheRule, collectOkHeaders, createPreflight } from './headers.ts';
import { findNearPaths } from './near-miss.ts';
import type { Capability, Operation, OperationReply } from './operation.ts';
import type { PerformService } from './operation-request.ts';
import { perform } from './perform.ts';
import { readArgs } from './read-args.ts';
import { createMethodRefusal, Refusal } from './refusal.ts';
import { negotiateHome, withIndex } from './representation.ts';
import { createRouter, decodePath, type Route } from './router.ts';

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
