import { type IncomingMessage, request } from 'node:http';

/** One request as it goes over the wire; Host, and Content-Length where there is a body, are added. */
export interface Wire {
  method: 'GET' | 'POST' | 'PATCH';
  /** Path with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** One answer, its body still in the coding it was sent in. */
export interface Answer {
  status: number;
  /** Names and values, without those of the connection and the moment. */
  headers: [name: string, value: string][];
  body: Buffer;
}

const ofTheMoment = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'];

export function get(path: string, headers: Record<string, string> = {}): Wire {
  return { method: 'GET', path, headers };
}

export function post(path: string, body: object, headers: Record<string, string> = {}): Wire {
  const accept = 'application/json, text/event-stream';
  const all = { 'Content-Type': 'application/json', Accept: accept, ...headers };
  return { method: 'POST', path, headers: all, body: JSON.stringify(body) };
}

function toHeaders({ rawHeaders }: IncomingMessage): Answer['headers'] {
  return rawHeaders.flatMap((name, index): Answer['headers'] =>
    index % 2 || ofTheMoment.includes(name.toLowerCase()) ? [] : [[name, rawHeaders[index + 1]!]],
  );
}

/** Sends one request on a connection of its own. */
export function send(port: number, { method, path, headers, body }: Wire): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: toHeaders(response), body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The value of a header of an answer; `name` in lower case. */
export const headerOf = ({ headers }: Answer, name: string): string | undefined =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1];

export const candidates = Array.from({ length: 100 }, (_, index) => ({
  name: `Candidate ${index % 64}`,
  onetCode: index % 2 ? '15-1252.00' : '29-1141.00',
  skills: ['SQL', 'TypeScript'],
  metro: 'Columbus, OH',
}));

export const creates: Wire[] = candidates.slice(0, 64).map((candidate) => post('/candidates', candidate));

const call = { name: 'listPlacements', arguments: { status: 'completed' } };
const meta = 'io.modelcontextprotocol';
export const modern = { [`${meta}/protocolVersion`]: '2026-07-28', [`${meta}/clientCapabilities`]: {} };
export const toCall = (params: object, headers: Record<string, string>): Wire =>
  post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);

/** The same call of a tool in the two versions of MCP. */
export const modernCall = toCall(
  { ...call, _meta: modern },
  { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': call.name },
);
export const legacyCall = toCall(call, { 'MCP-Protocol-Version': '2025-11-25' });
