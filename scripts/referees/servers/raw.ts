/**
 * Runs the fastest possible server: `node:http` parses a body, and answers everything as our server answers REQUEST.
 * `raw logged` also writes our log.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describeTable } from '../../../src/hosts/node/describe-table.ts';
import { Log } from '../../../src/hosts/node/log.ts';
import { operations } from '../../../src/table.ts';
import { send as ask } from '../../bench/wire.ts';

const { status, headers, body } = await ask(Number(process.env.REFERENCE), JSON.parse(process.env.REQUEST!));
const flatHeaders = Object.entries(headers).flat();
const log = process.env.PEER === 'raw logged' ? new Log(describeTable(operations).redactor) : undefined;
let count = 0;

function send(request: IncomingMessage, response: ServerResponse): void {
  const from = performance.now();
  response.writeHead(status, flatHeaders);
  if (body.length > 0) response.end(body);
  else response.end();
  if (!log) return;
  count += 1;
  log.request({
    id: `raw-${count.toString(36)}`,
    request,
    path: request.url!.replace(/\?.*/, ''),
    status,
    ms: Math.round((performance.now() - from) * 1000) / 1000,
    bytes: body.length,
    client: request.socket.remoteAddress!,
  });
}

createServer((request, response) => {
  if (request.method !== 'POST') return send(request, response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    send(request, response);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
