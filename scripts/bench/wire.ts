import { type IncomingMessage, request } from 'node:http';

/** One request as it goes over the wire; Host, and Content-Length where there is a body, are added. */
export interface Wire {
  method: 'GET' | 'POST';
  /** Path with the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** One answer, its body still in the coding it was sent in. */
export interface Answer {
  status: number;
  /** Names and values in turn, without those of the connection and the moment. */
  headers: string[];
  body: Buffer;
}

const ofTheMoment = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'];

export function get(path: string, headers: Record<string, string> = {}): Wire {
  return { method: 'GET', path, headers };
}

export function post(path: string, body: object, headers: Record<string, string> = {}): Wire {
  const all = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  return { method: 'POST', path, headers: all, body: JSON.stringify(body) };
}

function toHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter(
    (_, index) => !ofTheMoment.includes(rawHeaders[index - (index % 2)]!.toLowerCase()),
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

/** The value of a header of an answer. */
export function headerOf({ headers }: Answer, name: string): string | undefined {
  const index = headers.findIndex((text, place) => place % 2 === 0 && text.toLowerCase() === name);
  return index < 0 ? undefined : headers[index + 1];
}
