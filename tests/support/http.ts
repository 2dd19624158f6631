import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../src/records/account/workspace.ts';
import { type ContractCheck, readContract } from './contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into envelopes of every shape
export type Body = any;

/** A reply to a request, of a host or of a service in this process. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, if it is JSON. */
  body: Body;
}

const [, idLength] = /\{(\d+)\}\$$/.exec(workspaceIdPattern)!;

/** Returns a text as long as a workspace id that repeats these characters. */
export const toIdLike = (characters: string) => `ws_${''.padEnd(Number(idLength), characters)}`;

/** An id of the right shape that no workspace has. */
export const unknownWorkspace = toIdLike('0');

/** Sends HTTP requests to one server, and checks every reply against the published contract. */
export interface Client {
  contract: ContractCheck['contract'];
  request(method: string, path: string, options?: RequestInit): Promise<Reply>;
  /** Sends a request as `World.ask` does: a text or bytes as they are, anything else as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends one JSON-RPC request to /mcp and returns the whole message. */
  rpc(method: string, params?: object, headers?: Record<string, string>): Promise<Reply>;
  /** Makes one tool call and returns its result. */
  tool(name: string, args?: object): Promise<Body>;
}

const contentTypes: Record<string, string> = {
  POST: 'application/json',
  PATCH: 'application/merge-patch+json',
};

const envelopes = ['OK', 'EMPTY', 'BLOCKED', 'OFFER'];

function holdToRules(what: string, { status, text, body, headers }: Reply): void {
  assert.ok(status < 500 || status === 503, `${what} answered ${status}: ${text}`);
  assert.is(headers.get('access-control-allow-origin'), '*', `${what} is readable from any origin`);
  if (status >= 400 && text !== '') {
    const envelope = body?.error ? body.error.data : body;
    assert.ok(envelopes.includes(envelope?.type), `${what} has no envelope type: ${text}`);
  }
}

/** Makes a client of the server at `origin`. */
export async function connect(origin: string): Promise<Client> {
  const { contract, check } = await readContract(origin);
  const client: Client = {
    contract,
    async request(method, path, options = {}) {
      const response = await fetch(origin + path, { redirect: 'manual', ...options, method });
      const text = await response.text();
      const type = response.headers.get('content-type') ?? '';
      const body = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
      const answer = { status: response.status, headers: response.headers, text, body };
      holdToRules(`${method} ${path}`, answer);
      const applied = response.headers.get('preference-applied') ?? '';
      const isPartial = path.includes('fields=') || applied.includes('return=minimal');
      check(method, path.split('?')[0]!, { status: answer.status, type, text, isPartial });
      return answer;
    },
    ask(method, path, body, headers = {}) {
      const isText = typeof body === 'string' || body instanceof Uint8Array;
      const type = contentTypes[method];
      const options: RequestInit = { headers: { ...(type && { 'Content-Type': type }), ...headers } };
      if (body !== undefined) options.body = isText ? (body as BodyInit) : JSON.stringify(body);
      return client.request(method, path, options);
    },
    get: (path, headers) => client.ask('GET', path, undefined, headers),
    post: (path, body, headers) => client.ask('POST', path, body, headers),
    rpc: (method, params = {}, headers = {}) =>
      client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers),
    async tool(name, args = {}) {
      const { body } = await client.rpc('tools/call', { name, arguments: args });
      assert.ok(body.result, `${name} answered an error: ${JSON.stringify(body.error)}`);
      assert.equal(JSON.parse(body.result.content[0].text), body.result.structuredContent);
      return body.result;
    },
  };
  return client;
}
