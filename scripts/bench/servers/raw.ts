/** The limit: `node:http` answering the constant in the file GIVEN, whatever it is asked, once a body is parsed. */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';

const { status, headers, body } = JSON.parse(readFileSync(process.env.GIVEN!, 'utf8'));
const bytes = Buffer.from(body, 'base64');
const hasBody = bytes.length > 0;

function send(response: ServerResponse): void {
  response.writeHead(status, headers);
  if (hasBody) response.end(bytes);
  else response.end();
}

createServer((request, response) => {
  if (request.method !== 'POST') return send(response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    send(response);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
