import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toRefusalReply } from '../../core/answer.ts';
import { Refusal } from '../../core/refusal.ts';
import { findHeader } from './find-header.ts';
import type { Frozen, FrozenAnswer } from './frozen.ts';
import type { Target } from './live.ts';
import type { Metrics } from './metrics.ts';
import { refuseRaw, toRefusalCode } from './raw-reply.ts';
import { serveFrozen } from './serve-frozen.ts';
import type { NodeSettings } from './settings.ts';
import type { Sight } from './sight.ts';

/**
 * An import of node:http from an ES module reads every export, and with WebSocket loads the whole of fetch: 30 ms
 * and 16 MB that are not used here.
 */
const { createServer } = process.getBuiltinModule('node:http');

/** Bytes of a request line and headers at most. */
const maxHeaderSize = 16_384;
/** How often connections are looked over for those out of time, in milliseconds. */
const lookEveryMs = 1000;

export interface ServerParts {
  frozen: Frozen;
  serveLive(request: IncomingMessage, response: ServerResponse, target: Target): unknown;
  metrics: Metrics;
  sight: Sight;
  settings: Pick<NodeSettings, 'HEADER_TIMEOUT_SECONDS' | 'REQUEST_TIMEOUT_SECONDS' | 'KEEP_ALIVE_SECONDS'>;
}

/** The path and query of a request target (RFC 9112 section 3.2): origin form or absolute form. */
function toTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1) };
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

/** A request of HTTP/1.1 without Host is answered 400 (RFC 9112 section 3.2). */
function lacksHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  return findHeader(rawHeaders, 'host') === undefined && httpVersion === '1.1';
}

function sendInvalid(response: ServerResponse): void {
  const { status, headers, body } = toRefusalReply(new Refusal('invalid_http'));
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
  response.end(body);
}

/** The HTTP server: frozen addresses from memory, all else from the core. */
export function toServer({ frozen, serveLive, metrics, sight, settings }: ServerParts): Server {
  const { onFrozen, metricsText } = sight;

  /** The answer from memory at an address, if it is one and nothing else in the request changes it. */
  function findFrozen(request: IncomingMessage): FrozenAnswer | undefined {
    const { method, url = '', rawHeaders } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    let found = frozen.addresses.get(url);
    if (!found) {
      const { path, query } = toTarget(url);
      const other = path === '/' ? frozen.home(request.headers) : frozen.addresses.get(path);
      found = query === '' || other?.fileOnly ? other : undefined;
    }
    return found?.perWorkspace && findHeader(rawHeaders, 'x-workspace') !== undefined ? undefined : found;
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (lacksHost(request)) {
      sendInvalid(response);
      return;
    }
    const found = findFrozen(request);
    if (found) {
      const bytes = serveFrozen(frozen.variantsOf(found), request, response);
      metrics.frozen += 1;
      onFrozen?.(request, response, toTarget(request.url ?? '/').path, bytes);
      return;
    }
    const target = toTarget(request.url ?? '/');
    if (metricsText && target.path === '/metrics' && request.method === 'GET') {
      sendMetrics(metricsText(), response);
    } else serveLive(request, response, target);
  }

  const server = createServer(
    {
      maxHeaderSize,
      requireHostHeader: false,
      headersTimeout: settings.HEADER_TIMEOUT_SECONDS * 1000,
      requestTimeout: settings.REQUEST_TIMEOUT_SECONDS * 1000,
      keepAliveTimeout: settings.KEEP_ALIVE_SECONDS * 1000,
      connectionsCheckingInterval: lookEveryMs,
    },
    onRequest,
  );
  const refuse = (socket: Socket, error: NodeJS.ErrnoException) => {
    metrics.malformed += 1;
    refuseRaw(socket, toRefusalCode(error));
  };
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, error);
  });
  server.on('connect', (_, socket) => refuse(socket as Socket, new Error('CONNECT')));
  return server;
}
