/** The limit: `node:http` answering the constant in the file GIVEN, whatever it is asked. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(readFileSync(process.env.GIVEN!, 'utf8'));
const bytes = Buffer.from(body, 'base64');
const hasBody = bytes.length > 0;

createServer((_, response) => {
  response.writeHead(status, headers);
  if (hasBody) response.end(bytes);
  else response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
