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
export interface SentRequest {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Prepares what a client sends: a text or bytes as they are, anything else as JSON. A body gets the content type of its
 * method, unless the headers have one.
 */
function toSentRequest(method: string, body: unknown, headers: object): SentRequest {
  const sent = new Headers(headers as Record<string, string>);
  const type = body === undefined ? undefined : contentTypes[method];
  if (type && !sent.has('content-type')) sent.set('content-type', type);
  const isReady = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  return {
    headers: Object.fromEntries(sent),
    body: isReady ? (body as SentRequest['body']) : JSON.stringify(body),
  };
}

/** Sends requests to a service, on a host or in this process, and checks each reply against the published contract. */
export abstract class Client {
  readonly contract: ContractCheck['contract'];
  readonly #check: ContractCheck['check'];

  constructor({ contract, check }: ContractCheck) {
    this.contract = contract;
    this.#check = check;
  }

  /** Sends what `ask` has prepared. */
  abstract send(method: string, path: string, sent: SentRequest): Promise<Reply>;

  /** Sends a request: a text or bytes as they are, anything else as JSON. */
  ask = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<Reply> => {
    const reply = await this.send(method, path, toSentRequest(method, body, headers));
    checkReply(this.#check, method, path, reply);
    return reply;
  };

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

/** A client of the host at an origin. */
class HostClient extends Client {
  readonly #origin: string;

  constructor(origin: string, check: ContractCheck) {
    super(check);
    this.#origin = origin;
  }

  async send(method: string, path: string, sent: SentRequest): Promise<Reply> {
    const response = await fetch(this.#origin + path, { redirect: 'manual', ...sent, method });
    return toReply(response.status, response.headers, await response.text());
  }
}

/** Connects a client to the host at `origin`. */
export const connect = async (origin: string): Promise<Client> =>
  new HostClient(origin, await readContract(origin));
