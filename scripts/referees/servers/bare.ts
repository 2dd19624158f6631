/** What one would write by hand on `node:http`: two lists, and creates in group commits without validation. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Collection, facts, port, toCreated, toList, toRequestId } from './facts.ts';
import { type Created, openInserts } from './inserts.ts';

const { insert, begin, commit } = openInserts();
let waiting: { created: Created; response: ServerResponse }[] = [];

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function commitAll(): void {
  const group = waiting;
  waiting = [];
  begin();
  for (const { created } of group) insert(created);
  commit();
  for (const { created, response } of group) send(response, 201, created.headers, created.reply);
}

function create(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const created = toCreated(JSON.parse(Buffer.concat(chunks).toString()));
    if (waiting.push({ created, response }) === 1) setImmediate(commitAll);
  });
}

createServer((request, response) => {
  if (request.method === 'POST') return create(request, response);
  const [path = '', query = ''] = request.url!.split('?');
  const asked = Object.fromEntries(new URLSearchParams(query));
  const { status, occupation } = asked;
  const limit = asked.limit === undefined ? undefined : Number(asked.limit);
  const headers = { ...facts.listHeaders, 'X-Request-Id': toRequestId() };
  send(response, 200, headers, toList(path.slice(1) as Collection, { status, occupation, limit }));
}).listen(port, '127.0.0.1');
