import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toRefusalReply } from '../../kernel/answer.ts';
import type { Reply } from '../../kernel/call.ts';
import { largestHead } from '../../kernel/operation.ts';
import { type RefusalCode, toMethodRefusal, toRefusal } from '../../kernel/refusal.ts';
import { type Arrival, checkEveryMs, guardConnections } from './connections.ts';
import { type Frozen, type FrozenAnswer, serveFrozen } from './frozen.ts';
import type { createRequestLog, FaultReport } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createServer } from './node-internals.ts';
import { findHeader, readHeader, type Target, toFramingRefusal, toRequestId, toTarget } from './request.ts';
import type { NodeSettings } from './settings.ts';

interface ServerParts {
  frozen: Frozen;
  /** Replaces a stale file. */
  refresh(file: string): Promise<void>;
  serveLive(request: IncomingMessage, response: ServerResponse, target: Target, arrival: Arrival): void;
  metrics: Metrics;
  /** The body of /metrics, where it is on. */
  metricsText: (() => string) | undefined;
  /** Receives every answer from memory, where those are logged too. */
  onFrozen: ReturnType<typeof createRequestLog>['onFrozen'];
  report: FaultReport;
  /** Writes a warning to the operator. */
  warn(message: string): void;
  settings: NodeSettings;
}

const proxyWarning =
  'A proxy forwards requests (X-Forwarded-For, Forwarded or X-Real-IP), but TRUST_PROXY is 0, so all callers behind it share the limits of one client. Set TRUST_PROXY to the number of your proxies.';

function toMetricsReply(method: string | undefined, toText: () => string): Reply {
  if (method !== 'GET' && method !== 'HEAD') return toRefusalReply(toMethodRefusal('GET, HEAD'));
  const headers = {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body: toText() };
}

/** The refusal for an error of node's HTTP parser. */
function toRefusalCode({ code }: NodeJS.ErrnoException): RefusalCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_http';
}

/** The HTTP server and its connections: frozen addresses from memory, all else from the core. */
export function toServer(parts: ServerParts) {
  const { frozen, refresh, serveLive, metrics, metricsText, onFrozen, report, warn, settings } = parts;

  /** The answer from memory at an address, if it is one and nothing else in the request changes it. */
  function findFrozen(request: IncomingMessage, { path, query }: Target): FrozenAnswer | undefined {
    const { method, rawHeaders } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const at = path === '/' ? frozen.home(request.headers) : frozen.addresses.get(path);
    const found = query === '' || at?.address.ignoresQuery ? at : undefined;
    return found?.address.perWorkspace && findHeader(rawHeaders, 'x-workspace') !== undefined
      ? undefined
      : found;
  }

  function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
    connections.prepareAnswer(request);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  }

  /** Reports a fault and answers 500. An answer that has begun cannot be taken back: its connection ends. */
  function answerFault(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    report(error, { requestId: toRequestId(readHeader(request, 'x-request-id')) });
    if (!response.headersSent) send(request, response, toRefusalReply(toRefusal(error)));
    else if (!response.writableEnded) response.destroy();
  }

  function serveFromMemory(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    found: FrozenAnswer,
    client: string,
  ): void {
    const variants = frozen.variantsOf(found);
    connections.prepareAnswer(request);
    const bytes = serveFrozen(variants, request, response);
    metrics.add('careers_frozen_answers_total');
    const { statusCode: status } = response;
    onFrozen?.({ request, path, status, bytes, client });
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const arrival = connections.begin(request, response);
    const refusal = arrival.refusal ?? toFramingRefusal(request);
    if (refusal) {
      response.shouldKeepAlive = false;
      send(request, response, toRefusalReply(refusal));
      return;
    }
    const target = toTarget(request.url ?? '/');
    const found = findFrozen(request, target);
    if (found) {
      const serve = () => serveFromMemory(request, response, target.path, found, arrival.client);
      const { file } = found.address;
      if (!frozen.stale.has(file)) serve();
      else
        refresh(file)
          .then(serve)
          .catch((error) => answerFault(request, response, error));
      return;
    }
    if (target.authority !== undefined) request.headers.host = target.authority;
    if (metricsText && target.path === '/metrics')
      send(request, response, toMetricsReply(request.method, metricsText));
    else serveLive(request, response, target, arrival);
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    try {
      answer(request, response);
    } catch (error) {
      answerFault(request, response, error);
    }
  }

  const server = createServer(
    {
      maxHeaderSize: largestHead,
      requireHostHeader: false,
      headersTimeout: settings.HEADER_TIMEOUT_SECONDS * 1000,
      requestTimeout: settings.REQUEST_TIMEOUT_SECONDS * 1000,
      keepAliveTimeout: settings.KEEP_ALIVE_SECONDS * 1000,
      connectionsCheckingInterval: checkEveryMs,
    },
    onRequest,
  );
  let isWarned = false;
  const connections = guardConnections(server, settings, {
    onRefused: (code) => metrics.add('careers_connections_refused_total', { code }),
    onProxied() {
      metrics.add('careers_unnamed_proxy_requests_total');
      if (!isWarned) warn(proxyWarning);
      isWarned = true;
    },
    onFault: report,
  });
  const refuseSocket = (socket: Socket, error: NodeJS.ErrnoException) => {
    metrics.add('careers_malformed_total');
    connections.refuse(socket, toRefusalCode(error));
  };
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseSocket(socket, error);
  });
  server.on('connect', (_, socket) => refuseSocket(socket as Socket, new Error('CONNECT')));
  return { server, connections };
}
