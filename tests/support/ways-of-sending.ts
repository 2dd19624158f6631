import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { fetchStatus, type RepeatableCall } from './sampled-calls.ts';

/** A call, whatever client sends it. */
export interface SentCall {
  method: string;
  /** The request target: a path, and perhaps a query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** In ASCII, so that its length in bytes is that in characters. */
  body?: string | undefined;
}

/** An answer as it came over a connection. */
export interface RawAnswer {
  status: number;
  /** In lower case, with the last value of a repeated name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What one way sends, and what the same call by fetch is. */
interface Sending {
  /** Its parts. The next is sent after an answer, or after `100 Continue`. */
  parts: readonly string[];
  /** The methods of the requests in it, in order. */
  methods: readonly string[];
  /** Whether the caller closes its half after sending. */
  isHalfClosed?: boolean;
  same: SentCall;
}

export type Way = (call: SentCall) => Sending | undefined;

interface HeadOptions {
  version?: '1.0' | '1.1';
  /** Header lines behind those of the call. */
  lines?: readonly string[];
  isLowerCase?: boolean;
}

function writeHead(
  { method, target, headers }: SentCall,
  { version = '1.1', lines = [], isLowerCase }: HeadOptions = {},
) {
  const fields = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const all = [...fields, ...lines].map((line) => {
    const [name = '', ...rest] = line.split(':');
    return [isLowerCase ? name.toLowerCase() : name, ...rest].join(':');
  });
  return `${method} ${target} HTTP/${version}\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n`;
}

const takesBody = ({ method }: SentCall) => method === 'POST' || method === 'PATCH' || method === 'PUT';
const writeLength = ({ body = '' }: SentCall) => (body === '' ? [] : [`Content-Length: ${body.length}`]);
const toChunks = (body: string) => `${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;

/** Sends a call once, with its body, if it has one, under Content-Length. */
const sendWhole = (call: SentCall, head: HeadOptions = {}): Sending => ({
  parts: [
    writeHead(call, { ...head, lines: [...writeLength(call), ...(head.lines ?? [])] }) + (call.body ?? ''),
  ],
  methods: [call.method],
  same: call,
});

/** Sends a call without a body, in a form that says so in its own way. */
const sendEmpty =
  (lines: readonly string[], rest = ''): Way =>
  (call) => {
    if (!takesBody(call)) return undefined;
    const same = { ...call, body: undefined };
    return { parts: [writeHead(call, { lines }) + rest], methods: [call.method], same };
  };

/** Sends a body in a form of its own. */
const sendBody =
  (lines: readonly string[], write: (body: string) => readonly string[]): Way =>
  (call) => {
    if (!call.body) return undefined;
    const [first = '', ...rest] = write(call.body);
    return { parts: [writeHead(call, { lines }) + first, ...rest], methods: [call.method], same: call };
  };

const sendAs =
  (method: string): Way =>
  (call) => ({ ...sendWhole({ ...call, method, body: undefined }) });

const withHeader =
  (name: string, value: string): Way =>
  (call) =>
    sendWhole({ ...call, headers: { ...call.headers, [name]: value } });

const withLines =
  (...lines: string[]): Way =>
  (call) =>
    sendWhole(call, { lines });

const addToQuery =
  (query: string): Way =>
  (call) =>
    sendWhole({ ...call, target: `${call.target}${call.target.includes('?') ? '&' : '?'}${query}` });

/** The ways in which clients send a call. A way returns undefined for a call that cannot be sent so. */
export const waysOfSending: Readonly<Record<string, Way>> = {
  'as it is': (call) => sendWhole(call),
  'without body and length': sendEmpty([]),
  'with Content-Length: 0': sendEmpty(['Content-Length: 0']),
  'with an empty chunked body': sendEmpty(['Transfer-Encoding: chunked'], '0\r\n\r\n'),
  'in chunks of one byte': sendBody(['Transfer-Encoding: chunked'], (body) => [toChunks(body)]),
  'with a chunk extension and a trailer': sendBody(['Transfer-Encoding: chunked'], (body) => [
    `${body.length.toString(16)};name=value\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  ]),
  'with Expect, waiting': (call) => {
    if (!call.body) return undefined;
    const lines = [...writeLength(call), 'Expect: 100-continue'];
    return { parts: [writeHead(call, { lines }), call.body], methods: [call.method], same: call };
  },
  'with Expect, not waiting': (call) =>
    call.body ? sendWhole(call, { lines: ['Expect: 100-continue'] }) : undefined,
  'with Expect and no body': sendEmpty(['Expect: 100-continue']),
  'with another expectation': withLines('Expect: 200-ok'),
  'over HTTP/1.0': (call) => sendWhole(call, { version: '1.0' }),
  'over HTTP/1.0 with keep-alive': (call) =>
    sendWhole(call, { version: '1.0', lines: ['Connection: keep-alive'] }),
  'over HTTP/1.0 without body and length': (call) =>
    takesBody(call) ? sendWhole({ ...call, body: undefined }, { version: '1.0' }) : undefined,
  'with names in lower case': (call) => sendWhole(call, { isLowerCase: true }),
  'with repeated headers': withLines('Accept: */*', 'Accept: */*', 'X-Any: 1', 'X-Any: 2'),
  'accepting anything': withHeader('Accept', '*/*'),
  'accepting two types': withHeader('Accept', 'text/html;q=0.5, application/json;q=0.9'),
  'closing afterwards': withLines('Connection: close'),
  'with + in the query': addToQuery('q=a+nurse'),
  'with %20 in the query': addToQuery('q=a%20nurse'),
  'with [] in the query': addToQuery('status[]=available'),
  'with a repeated name in the query': addToQuery('limit=1&limit=2'),
  'with a slash behind the path': (call) => {
    const [path = '', query] = call.target.split('?');
    return sendWhole({ ...call, target: `${path}/${query === undefined ? '' : `?${query}`}` });
  },
  'as HEAD': sendAs('HEAD'),
  'as OPTIONS': sendAs('OPTIONS'),
  'closing its half': (call) => ({ ...sendWhole(call), isHalfClosed: true }),
  'behind another in one packet': (call) => {
    const first = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const { parts } = sendWhole(call);
    return { parts: [first + parts[0]], methods: ['GET', call.method], same: call };
  },
};

/** Reads the answers to these methods, in order, from what a connection has sent so far. */
function readAnswers(received: string, methods: readonly string[]): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (answers.length < methods.length) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(line.split(' ')[1]);
    const headers = Object.fromEntries(fields.map((field) => splitField(field)));
    const isBodiless = status < 200 || status === 204 || status === 304 || methods[answers.length] === 'HEAD';
    const length = isBodiless ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    rest = rest.slice(end + 4 + length);
    if (status >= 200) answers.push({ status, headers, body });
  }
  return answers;
}

function splitField(field: string): [string, string] {
  const colon = field.indexOf(':');
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
}

/** A connection on which a call was answered. */
export interface Answered {
  answers: readonly RawAnswer[];
  /** Resolves when the server ends it. */
  closed: Promise<unknown>;
  close(): void;
}

/**
 * Sends a call over a new connection, and reads until each of its requests is answered, or an answer says that the
 * connection closes. Rejects if the connection ends before, or if it is silent for 100 seconds, which is longer than any
 * limit of the server.
 */
export function sendInWay(port: number, { parts, methods, isHalfClosed }: Sending): Promise<Answered> {
  const waiting = [...parts];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const sendNext = () => {
    const part = waiting.shift();
    if (part === undefined) return;
    if (isHalfClosed && waiting.length === 0) socket.end(part, 'latin1');
    else socket.write(part, 'latin1');
  };
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`${what} after ${JSON.stringify(received.slice(0, 200))}`));
    socket.once('connect', sendNext);
    socket.setTimeout(100_000, () => {
      fail('silent');
      socket.destroy();
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.startsWith('HTTP/1.1 100 ')) sendNext();
      const answers = readAnswers(received, methods);
      const isLast = answers.at(-1)?.headers.connection === 'close';
      if (answers.length === methods.length || isLast)
        resolve({ answers, closed, close: () => socket.destroy() });
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('end', () => {
      fail('ended');
      socket.end();
    });
  });
}

/** The statuses of calls by fetch. One is fetched once for all calls that differ only in their workspace. */
export class FetchedStatuses {
  readonly #origin: string;
  readonly #statuses = new Map<string, Promise<number>>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns the status of calls like this one. If it is unknown, fetches the call that `make` returns. */
  find({ method, target, headers, body }: SentCall, make: () => Promise<SentCall>): Promise<number> {
    const { 'X-Workspace': workspace, ...rest } = headers;
    const key = JSON.stringify([method, target, rest, body, workspace !== undefined]);
    return this.#statuses.getOrInsertComputed(key, async () => fetchStatus(this.#origin, await make()));
  }
}

/**
 * Sends each call in one way, and asserts that its answer has the status of the same call by fetch. If two requests are
 * in one packet, both are answered, or the first answer says that the connection closes. Returns the connections.
 */
export function checkWay(
  way: Way,
  calls: readonly RepeatableCall[],
  { port, statuses }: { port: number; statuses: FetchedStatuses },
): Promise<Answered[]> {
  const checks = calls.map(async ({ what, make }) => {
    const sending = way(await make());
    if (!sending) return [];
    const expected = await statuses.find(sending.same, async () => way(await make())!.same);
    const answered = await sendInWay(port, sending).catch((error) => {
      throw new Error(`${what}: ${error.message}`);
    });
    const { answers } = answered;
    const isWhole = answers.length === sending.methods.length;
    if (isWhole) assert.is(answers.at(-1)!.status, expected, what);
    else assert.is(answers[0]!.headers.connection, 'close', what);
    return [answered];
  });
  return Promise.all(checks).then((all) => all.flat());
}
