import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toRefusalReply } from '../../kernel/answer.ts';
import { largestHead } from '../../kernel/effect.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Connections, guardConnections, lookEveryMs } from './connections.ts';
import type { Frozen, FrozenAnswer } from './frozen.ts';
import type { Metrics } from './metrics.ts';
import type { Observability } from './observability.ts';
import { createServer, endRaw, refuseRaw, toRefusalCode } from './raw-reply.ts';
import { findHeader } from './request-headers.ts';
import { type Target, toTarget } from './request-target.ts';
import { serveFrozen } from './serve-frozen.ts';
import type { NodeSettings } from './settings.ts';

interface ServerParts {
  frozen: Frozen;
  serveLive(request: IncomingMessage, response: ServerResponse, target: Target, client: string): unknown;
  metrics: Metrics;
  observability: Observability;
  settings: NodeSettings;
}

function sendMetrics(text: string, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

/**
 * What is amiss in how a request is framed: HTTP/1.1 has Host once, and no version has it twice (RFC 9112 section
 * 3.2); no transfer coding but chunked is known here (section 6.1).
 */
function toFault({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (rawHeaders[index + 1]!.toLowerCase() !== 'chunked')
        return 'Send the body with Content-Length, or with Transfer-Encoding: chunked alone.';
    }
  }
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return undefined;
  return 'Send the header Host, once.';
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = toRefusalReply(refusal);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function answerMetrics({ method }: IncomingMessage, response: ServerResponse, toText: () => string): void {
  if (method === 'GET' || method === 'HEAD') sendMetrics(toText(), response);
  else refuse(response, new Refusal('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }));
}

/** The HTTP server and its connections: frozen addresses from memory, all else from the core. */
export function toServer({ frozen, serveLive, metrics, observability, settings }: ServerParts): {
  server: Server;
  connections: Connections;
} {
  const { onFrozen, metricsText } = observability;

  /** The answer from memory at an address, if it is one and nothing else in the request changes it. */
  function findFrozen(request: IncomingMessage, { path, query }: Target): FrozenAnswer | undefined {
    const { method, rawHeaders } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const at = path === '/' ? frozen.home(request.headers) : frozen.addresses.get(path);
    const found = query === '' || at?.ignoresQuery ? at : undefined;
    return found?.perWorkspace && findHeader(rawHeaders, 'x-workspace') !== undefined ? undefined : found;
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    try {
      connections.begin(request, response);
    } catch (error) {
      refuse(response, error as Refusal);
      return;
    }
    const reason = toFault(request);
    if (reason !== undefined) {
      response.shouldKeepAlive = false;
      refuse(response, new Refusal('invalid_http', { reason }));
      return;
    }
    const target = toTarget(request.url ?? '/');
    const found = findFrozen(request, target);
    if (found) {
      const bytes = serveFrozen(frozen.variantsOf(found), request, response);
      metrics.frozen += 1;
      onFrozen?.(request, response, target.path, bytes, connections.clientOf(request));
      return;
    }
    if (target.authority !== undefined) request.headers.host = target.authority;
    if (metricsText && target.path === '/metrics') answerMetrics(request, response, metricsText);
    else serveLive(request, response, target, connections.clientOf(request));
  }

  const server = createServer(
    {
      maxHeaderSize: largestHead,
      requireHostHeader: false,
      headersTimeout: settings.HEADER_TIMEOUT_SECONDS * 1000,
      requestTimeout: settings.REQUEST_TIMEOUT_SECONDS * 1000,
      keepAliveTimeout: settings.KEEP_ALIVE_SECONDS * 1000,
      connectionsCheckingInterval: lookEveryMs,
    },
    onRequest,
  );
  const connections = guardConnections(server, settings, (code) => {
    metrics.connectionsRefused[code] += 1;
  });
  const refuseSocket = (socket: Socket, error: NodeJS.ErrnoException) => {
    metrics.malformed += 1;
    connections.end(socket);
    // A second answer to one request would be taken for that to the next.
    if (connections.isAnswered(socket)) endRaw(socket);
    else refuseRaw(socket, toRefusalCode(error));
  };
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseSocket(socket, error);
  });
  server.on('connect', (_, socket) => refuseSocket(socket as Socket, new Error('CONNECT')));
  return { server, connections };
}
