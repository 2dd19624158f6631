import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LogFields, Reply } from '../../kernel/call.ts';
import { createRefusalReply } from '../../kernel/create-reply.ts';
import { largestHead } from '../../kernel/operation.ts';
import { createMethodRefusal, Refusal, type RefusalCode, toRefusal } from '../../kernel/refusal.ts';
import { findFilePath } from '../../kernel/router.ts';
import { closeAfter } from './connection.ts';
import { type Arrival, Connections } from './connections.ts';
import { chooseVariant, type FrozenAnswer, type FrozenPack, serveVariant } from './frozen.ts';
import type { AnswerReport, FaultReport } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Operator } from './operator/operator.ts';
import { operatorRefusals } from './operator/refusals.ts';
import {
  chooseRequestId,
  findFramingRefusal,
  isGetOrHead,
  parseTarget,
  type ServedRequest,
  type Target,
} from './request.ts';
import type { NodeSettings } from './settings.ts';
import { encodeRefusal, respondWith } from './write-reply.ts';

/** An import of node:http reads every export, and so loads WebSocket and all of fetch: 30 ms and 16 MB for nothing. */
const { createServer } = process.getBuiltinModule('node:http');

interface ServerParts {
  frozen: FrozenPack;
  /** Replaces a stale file. */
  refresh(file: string): Promise<void>;
  serveLive(request: IncomingMessage, response: ServerResponse, target: Target, arrival: Arrival): void;
  metrics: Metrics;
  /** Returns the body of /metrics. Undefined if it is off. */
  metricsText: (() => Promise<string>) | undefined;
  answers: Pick<AnswerReport, 'reportFrozen' | 'reportLive'>;
  report: FaultReport;
  /** Writes a warning for the operator. */
  warn(message: string): void;
  settings: NodeSettings;
  /** Absent if OPERATOR_TOKEN is not set. */
  operator?: Operator | undefined;
}

/** A request for a file in memory. */
interface FrozenRequest {
  arrival: Arrival;
  found: FrozenAnswer;
  path: string;
  /** Resolves when the file is replaced, if it was stale. */
  refreshed: Promise<void> | undefined;
}

const noLogFields: LogFields = { operation: 'none', door: 'http' };

const proxyWarning =
  'A proxy forwards requests (X-Forwarded-For, Forwarded or X-Real-IP), but TRUST_PROXY is 0, so all callers behind it share the limits of one client. Set TRUST_PROXY to the number of your proxies.';

function createMetricsReply(body: string): Reply {
  const headers = {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body };
}

/** The refusal for an error of Node's HTTP parser. */
function findRefusalCode({ code }: NodeJS.ErrnoException): RefusalCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_http';
}

/** Creates an HTTP server with the limits that Node offers. */
function createBoundedServer(settings: NodeSettings): Server {
  const requestMs = settings.REQUEST_TIMEOUT_SECONDS * 1000;
  const server = createServer({
    // The request line and the header fields together. A longer head is answered 431.
    maxHeaderSize: largestHead,
    // Node would refuse a request without Host in its own words. `findFramingRefusal` does so in ours.
    requireHostHeader: false,
    // A head that arrives too slowly, or never, is answered 408.
    headersTimeout: settings.HEADER_TIMEOUT_SECONDS * 1000,
    // The same for a slow body.
    requestTimeout: requestMs,
    // Longer than proxies keep an idle connection, so that the proxy ends it.
    keepAliveTimeout: settings.KEEP_ALIVE_SECONDS * 1000,
    // How precisely the two request timeouts are kept.
    connectionsCheckingInterval: 1000,
  });
  // Cuts off a caller that reads nothing of its answer for this long. See `closeInactive`.
  server.timeout = requestMs;
  return server;
}

/** The HTTP server. It answers frozen addresses from memory, and all others from the core. */
class Edge {
  readonly server: Server;
  readonly connections: Connections;
  #parts: ServerParts;
  #isWarned = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.server = createBoundedServer(parts.settings);
    this.connections = new Connections(this.server, parts.settings, {
      onRefused: (code) => parts.metrics.add('careers_connections_refused_total', { code }),
      onProxied: () => this.#warnOfProxy(),
    });
    const receive = (request: IncomingMessage, response: ServerResponse) => this.#receive(request, response);
    this.server.on('request', receive);
    // `100 Continue` is sent when a body is about to be read, so a refused body is never sent.
    this.server.on('checkContinue', receive);
    // Other expectations are ignored.
    this.server.on('checkExpectation', receive);
    this.server.on('clientError', (error, socket) => this.#refuseError(error, socket as Socket));
    this.server.on('connect', (_, socket) => {
      // Node no longer listens for errors of this connection.
      socket.on('error', () => socket.destroy());
      this.#refuseSocket(socket as Socket, 'invalid_http');
    });
    this.server.on('timeout', (socket) => this.#closeInactive(socket));
  }

  #warnOfProxy(): void {
    this.#parts.metrics.add('careers_unnamed_proxy_requests_total');
    if (!this.#isWarned) this.#parts.warn(proxyWarning);
    this.#isWarned = true;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.of(request.socket);
    connection?.inTurn(() => {
      const arrival = this.connections.arrive(connection, request, response);
      try {
        this.#serve(request, response, arrival);
      } catch (error) {
        this.#respondFault(request, response, arrival, error);
      }
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse, arrival: Arrival): void {
    const { metricsText, serveLive, frozen, refresh } = this.#parts;
    const refusal = arrival.refusal ?? findFramingRefusal(request);
    if (refusal) {
      arrival.connection.isEnding = true;
      this.#respondItself(request, response, arrival, createRefusalReply(refusal));
      return;
    }
    const target = parseTarget(request.url ?? '/');
    if (this.#serveOperator(request, response, target.path, arrival)) return;
    const found = this.#findFrozen(request, target);
    if (found) {
      const isStale = frozen.stale.has(found.address.file);
      const refreshed = isStale ? refresh(found.address.file) : undefined;
      this.#serveFrozen(request, response, { arrival, found, path: target.path, refreshed });
      return;
    }
    if (target.authority !== undefined) request.headers.host = target.authority;
    if (!metricsText || target.path !== '/metrics') serveLive(request, response, target, arrival);
    else if (!isGetOrHead(request))
      this.#respondItself(request, response, arrival, createRefusalReply(createMethodRefusal('GET, HEAD')));
    else
      metricsText()
        .then((text) => respondWith(arrival.connection, response, createMetricsReply(text)))
        .catch((error) => this.#respondFault(request, response, arrival, error));
  }

  /** Answers at the addresses of the operator, and refuses whom the operator has blocked. Returns false for the rest. */
  #serveOperator(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    arrival: Arrival,
  ): boolean {
    const { operator } = this.#parts;
    if (operator?.owns(path)) {
      if (request.method !== 'POST') arrival.connection.hold();
      operator
        .answer(request, response, path, arrival)
        .then((reply) => this.#respondItself(request, response, arrival, reply))
        .catch((error) => this.#respondFault(request, response, arrival, error));
      return true;
    }
    if (!operator?.isBlocked(arrival.client)) return false;
    const refusal = new Refusal(operatorRefusals.address_blocked);
    this.#respondItself(request, response, arrival, createRefusalReply(refusal));
    return true;
  }

  /** Returns the frozen answer at an address, if there is one and nothing else in the request changes it. */
  #findFrozen(request: IncomingMessage, { path, query }: Target): FrozenAnswer | undefined {
    if (!isGetOrHead(request)) return undefined;
    const { headers } = request;
    const { frozen } = this.#parts;
    const found =
      path === '/'
        ? frozen.home(headers)
        : frozen.addresses.get(path.includes('%') ? (findFilePath(path) ?? path) : path);
    if (!found || (query !== '' && !found.address.ignoresQuery)) return undefined;
    return found.address.perWorkspace && headers['x-workspace'] !== undefined ? undefined : found;
  }

  /** Answers from memory, after the file is refreshed and compressed if it has to be. */
  #serveFrozen(
    request: IncomingMessage,
    response: ServerResponse,
    { arrival, found, path, refreshed }: FrozenRequest,
  ): void {
    const { frozen, answers } = this.#parts;
    const { client, connection } = arrival;
    const choose = () => chooseVariant(frozen.variantsOf(found), request);
    const serve = (variant: Awaited<ReturnType<typeof choose>>) => {
      const bytes = serveVariant(variant, connection, response);
      answers.reportFrozen({ request, path, status: response.statusCode, bytes, client });
    };
    const variant = refreshed ? refreshed.then(choose) : choose();
    if (!(variant instanceof Promise)) {
      serve(variant);
      return;
    }
    connection.hold();
    variant.then(serve).catch((error) => this.#respondFault(request, response, arrival, error));
  }

  /** Sends a reply that neither the core nor a file gave, and reports it. */
  #respondItself(
    request: IncomingMessage,
    response: ServerResponse,
    { connection, client }: Arrival,
    reply: Reply,
  ): void {
    respondWith(connection, response, reply);
    const { path } = parseTarget(request.url ?? '/');
    this.#reportRefused({ request, path, client }, reply);
  }

  #reportRefused(
    refused: Pick<ServedRequest, 'request' | 'path' | 'client'>,
    { status, body, logFields = noLogFields }: Pick<Reply, 'status' | 'body' | 'logFields'>,
  ): void {
    const id = chooseRequestId(refused.request.headers['x-request-id']);
    const bytes = refused.request.method === 'HEAD' ? 0 : Buffer.byteLength(body);
    this.#parts.answers.reportLive({ ...refused, ...logFields, id, status, bytes, ms: 0, noted: {} });
  }

  /** Reports a fault and answers 500. If an answer has begun, its connection ends. */
  #respondFault(request: IncomingMessage, response: ServerResponse, arrival: Arrival, error: unknown): void {
    this.#parts.report(error, { requestId: chooseRequestId(request.headers['x-request-id']) });
    if (!response.headersSent)
      this.#respondItself(request, response, arrival, createRefusalReply(toRefusal(error)));
    else if (!response.writableEnded) response.destroy();
  }

  #refuseError(error: NodeJS.ErrnoException, socket: Socket): void {
    const isGone = error.code === 'ECONNRESET' || !socket.writable;
    if (isGone) socket.destroy();
    // The caller said that nothing would follow.
    else if (error.code === 'HPE_CLOSED_CONNECTION') return;
    // The request is not late if we do not read it because of earlier ones.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && this.connections.of(socket)?.isWaiting) return;
    else this.#refuseSocket(socket, findRefusalCode(error));
  }

  /** Refuses bytes that are not a request, after all earlier requests are answered. Then the connection ends. */
  #refuseSocket(socket: Socket, code: RefusalCode): void {
    const connection = this.connections.of(socket);
    if (!connection || connection.isEnding) return;
    this.#parts.metrics.add('careers_malformed_total');
    // What came is no request, so it has no method, path or headers.
    const refused = { request: { method: undefined, headers: {} }, path: '', client: connection.peer };
    this.#reportRefused(refused, createRefusalReply(new Refusal(code)));
    connection.afterAll((isAnswered) => closeAfter(socket, isAnswered ? '' : encodeRefusal(code)));
  }

  /** Closes an idle connection, or one whose caller does not read. Leaves a call that waits for a change. */
  #closeInactive(socket: Socket): void {
    const isCallWaiting = this.connections.of(socket)?.isAnswering && socket.writableLength === 0;
    if (!isCallWaiting) socket.destroy();
  }
}

export const createEdge = (parts: ServerParts) => new Edge(parts);
