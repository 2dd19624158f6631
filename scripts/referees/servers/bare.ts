/**
 * What one would write by hand on `node:http`: two lists, and creates in group commits without validation. With
 * VARIANT=map it is for callers with a workspace: creates, and the list of candidates with an ETag, from a Map.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type Collection,
  type Created,
  listHeaders,
  openInserts,
  port,
  type Row,
  rows,
  toCreated,
  toList,
  toRequestId,
  variant,
} from './facts.ts';

type Headers = Record<string, string>;

function send(response: ServerResponse, status: number, headers: Headers, body: object | string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function toGroupCommit(): (created: Created, _: IncomingMessage, response: ServerResponse) => void {
  const { insert, begin, commit } = openInserts();
  let waiting: { created: Created; response: ServerResponse }[] = [];
  const commitAll = () => {
    const group = waiting;
    waiting = [];
    begin();
    for (const { created } of group) insert(created);
    commit();
    for (const { created, response } of group) send(response, 201, created.headers, created.reply);
  };
  return (created, _, response) => {
    if (waiting.push({ created, response }) === 1) setImmediate(commitAll);
  };
}

const workspaces = new Map<string, Row[]>();

function keepInMap({ headers, reply }: Created, request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['x-workspace'] as string | undefined;
  const workspace = asked ?? reply.workspace;
  workspaces.set(workspace, [...(workspaces.get(workspace) ?? []), reply.candidate]);
  send(response, 201, { ...headers, 'X-Workspace': workspace }, { ...reply, workspace });
}

function list(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = request.url!.split('?');
  const headers = { ...listHeaders, 'X-Request-Id': toRequestId() };
  const asked = Object.fromEntries(new URLSearchParams(query));
  send(response, 200, headers, toList(path.slice(1) as Collection, asked));
}

function listFromMap(request: IncomingMessage, response: ServerResponse): void {
  const own = workspaces.get(request.headers['x-workspace'] as string) ?? [];
  const limit = Number(new URLSearchParams(request.url!.split('?')[1]).get('limit') ?? 50);
  const all = [...own, ...rows.candidates];
  const candidates = all.slice(0, limit);
  const next = btoa(`candidates:${candidates.length - own.length - 1}`).replaceAll('=', '');
  const more = candidates.length < all.length && { nextCursor: next };
  const text = JSON.stringify({ type: 'OK', candidates, total: all.length, ...more });
  const etag = `W/"${createHash('sha1').update(text).digest('base64url')}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { ETag: etag }).end();
  const link = `</candidates?limit=${limit}&cursor=${next}>; rel="next"`;
  send(response, 200, { ...listHeaders, Link: link, ETag: etag, 'X-Request-Id': toRequestId() }, text);
}

const [answerList, keep] = variant === 'map' ? [listFromMap, keepInMap] : [list, toGroupCommit()];

createServer((request, response) => {
  if (request.method !== 'POST') return answerList(request, response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => keep(toCreated(JSON.parse(Buffer.concat(chunks).toString())), request, response));
}).listen(port, '127.0.0.1');
