import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../src/records/account/workspace.ts';
import { type ContractCheck, checkReply, readContract } from './contract.ts';

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

/** Makes a reply, and parses its body if it is JSON. */
export function toReply(status: number, headers: Headers, text: string): Reply {
  const isJson = text !== '' && /json/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

const [, idLength] = /\{(\d+)\}\$$/.exec(workspaceIdPattern)!;

/** Returns a text as long as a workspace id that repeats these characters. */
export const toIdLike = (characters: string) => `ws_${''.padEnd(Number(idLength), characters)}`;

/** An id of the right shape that no workspace has. */
export const unknownWorkspace = toIdLike('0');

const contentTypes: Record<string, string> = {
  POST: 'application/json',
  PATCH: 'application/merge-patch+json',
};

/** The headers, with a content type if there is a body, and the body as text or bytes. */
interface SentRequest {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Prepares what a client sends: a text or bytes as they are, anything else as JSON. A body gets the content type of its
 * method, unless the headers have one.
 */
export function toSentRequest(method: string, body: unknown, headers: object): SentRequest {
  const sent = new Headers(headers as Record<string, string>);
  const type = body === undefined ? undefined : contentTypes[method];
  if (type && !sent.has('content-type')) sent.set('content-type', type);
  const isReady = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  return {
    headers: Object.fromEntries(sent),
    body: isReady ? (body as SentRequest['body']) : JSON.stringify(body),
  };
}

/** Sends requests to a service, on a host or in this process. Each reply is checked against the published contract. */
export abstract class Client {
  /** Sends a request: a text or bytes as they are, anything else as JSON. */
  abstract ask: (method: string, path: string, body?: unknown, headers?: object) => Promise<Reply>;

  get = (path: string, headers?: object): Promise<Reply> => this.ask('GET', path, undefined, headers);

  post = (path: string, body: unknown, headers?: object): Promise<Reply> =>
    this.ask('POST', path, body, headers);

  patch = (path: string, body: unknown, headers?: object): Promise<Reply> =>
    this.ask('PATCH', path, body, headers);

  delete = (path: string, headers?: object): Promise<Reply> => this.ask('DELETE', path, undefined, headers);

  /** Sends one JSON-RPC request to /mcp and returns the whole message. */
  rpc = (method: string, params: object = {}, headers?: object): Promise<Reply> =>
    this.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);

  /** Makes one tool call and returns its result. */
  tool = async (name: string, args: object = {}): Promise<Body> => {
    const { body } = await this.rpc('tools/call', { name, arguments: args });
    assert.ok(body.result, `${name} answered an error: ${JSON.stringify(body.error)}`);
    assert.equal(JSON.parse(body.result.content[0].text), body.result.structuredContent);
    return body.result;
  };
}

/** A client of the host at `origin`. */
class HostClient extends Client {
  readonly contract: ContractCheck['contract'];
  readonly #origin: string;
  readonly #check: ContractCheck['check'];

  constructor(origin: string, { contract, check }: ContractCheck) {
    super();
    this.contract = contract;
    this.#origin = origin;
    this.#check = check;
  }

  ask = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<Reply> => {
    const options = toSentRequest(method, body, headers);
    const response = await fetch(this.#origin + path, { redirect: 'manual', ...options, method });
    const text = await response.text();
    const reply = toReply(response.status, response.headers, text);
    checkReply(this.#check, method, path, reply);
    return reply;
  };
}

/** Connects a client to the host at `origin`. */
export const connect = async (origin: string): Promise<HostClient> =>
  new HostClient(origin, await readContract(origin));
