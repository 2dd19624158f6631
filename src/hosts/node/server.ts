import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { toRefusalReply } from '../../core/answer.ts';
import type { Call, Reply } from '../../core/call.ts';
import { Refusal, type RefusalCode } from '../../core/refusal.ts';
import { type Frozen, type FrozenAnswer, serveFrozen } from './frozen.ts';
import { readBody } from './read-body.ts';

/** Bytes of a request line and headers at most. */
const maxHeaderSize = 16_384;
const noBody = new Uint8Array();

/** The path and query of a request target (RFC 9112 section 3.2): origin form or absolute form. */
function toTarget(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1) };
}

function send({ status, headers, body }: Reply, request: IncomingMessage, response: ServerResponse): void {
  const bytes = Buffer.from(body);
  const length = status === 204 ? {} : { 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function toRefusalCode({ code }: NodeJS.ErrnoException): RefusalCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_http';
}

/** Answers what the HTTP parser refuses: an envelope like any other, then the connection ends. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toRefusalReply(new Refusal(toRefusalCode(error)));
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n\r\n${body}`);
}

/** The HTTP server: frozen addresses from memory, all else from the core. */
export function toServer(frozen: Frozen, answer: (call: Call) => Reply | Promise<Reply>): Server {
  function findFrozen(request: IncomingMessage, path: string, hasQuery: boolean): FrozenAnswer | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const found = path === '/' ? frozen.home(request.headers) : frozen.addresses.get(path);
    if (!found || (hasQuery && !found.fileOnly)) return undefined;
    return found.perWorkspace && request.headers['x-workspace'] !== undefined ? undefined : found;
  }

  async function answerLive(
    request: IncomingMessage,
    response: ServerResponse,
    target: ReturnType<typeof toTarget>,
  ) {
    let reply: Reply;
    try {
      const method = request.method ?? 'GET';
      const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
      if (reads) request.resume();
      const body = reads ? noBody : await readBody(request);
      reply = await answer({ method, ...target, headers: request.headers, body });
    } catch (error) {
      reply = toRefusalReply(error);
    }
    if (!response.destroyed) send(reply, request, response);
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const target = toTarget(request.url ?? '/');
    const found = findFrozen(request, target.path, target.query !== '');
    if (found) serveFrozen(found, request, response);
    else answerLive(request, response, target);
  }

  const server = createServer({ maxHeaderSize, requestTimeout: 30_000, headersTimeout: 10_000 }, onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', refuseRaw);
  server.on('connect', (_, socket) =>
    refuseRaw(Object.assign(new Error(), { code: 'CONNECT' }), socket as Socket),
  );
  return server;
}
