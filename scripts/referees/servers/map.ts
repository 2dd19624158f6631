/** What one would write by hand on `node:http` for callers with a workspace: creates, and lists, from a Map. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { facts, port, type Row, toCreated, toRequestId } from './facts.ts';

const workspaces = new Map<string, Row[]>();

function send(response: ServerResponse, status: number, headers: Record<string, string>, text: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function create(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { headers, reply } = toCreated(JSON.parse(Buffer.concat(chunks).toString()));
    const asked = request.headers['x-workspace'] as string | undefined;
    const workspace = asked ?? reply.workspace;
    workspaces.set(workspace, [...(workspaces.get(workspace) ?? []), reply.candidate]);
    send(response, 201, { ...headers, 'X-Workspace': workspace }, JSON.stringify({ ...reply, workspace }));
  });
}

function list(request: IncomingMessage, response: ServerResponse): void {
  const own = workspaces.get(request.headers['x-workspace'] as string) ?? [];
  const limit = Number(new URLSearchParams(request.url!.split('?')[1]).get('limit') ?? 50);
  const all = [...own, ...facts.candidates];
  const rows = all.slice(0, limit);
  const next = btoa(`candidates:${rows.length - own.length - 1}`).replaceAll('=', '');
  const text = JSON.stringify({
    type: 'OK',
    candidates: rows,
    total: all.length,
    ...(rows.length < all.length && { nextCursor: next }),
  });
  const etag = `W/"${createHash('sha1').update(text).digest('base64url')}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { ETag: etag }).end();
  const link = `</candidates?limit=${limit}&cursor=${next}>; rel="next"`;
  send(response, 200, { ...facts.listHeaders, Link: link, ETag: etag, 'X-Request-Id': toRequestId() }, text);
}

createServer((request, response) => {
  if (request.method === 'POST') create(request, response);
  else list(request, response);
}).listen(port, '127.0.0.1');
