import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Reply } from '../../../kernel/call.ts';
import { json, pageHeaders } from '../../../kernel/headers.ts';
import { createMethodRefusal, Refusal, toRefusal } from '../../../kernel/refusal.ts';
import { withBody } from '../bodies.ts';
import type { Arrival } from '../connections.ts';
import type { Limits } from '../limits.ts';
import { isGetOrHead } from '../request.ts';
import { createOverview, type OverviewParts } from './overview.ts';
import { operatorRefusals } from './refusals.ts';
import { createTokenCheck } from './token.ts';

/** The file of the page in the folder of the build. */
const pageFile = 'operator.html';
const mostBody = 4096;
const blocksPath = '/operator/blocks';

/** What the operator's addresses are made of. */
interface OperatorParts extends OverviewParts {
  /** The folder of the build. */
  folder: string;
  limits: Pick<Limits, 'admitLive' | 'listNearEnd'>;
  report(error: unknown): void;
}

/** No cache keeps these replies, and no page of another origin can read them. */
const privateHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const logFields = { operation: 'operator', door: 'http' } as const;

function createJsonReply(status: number, body: object, headers: Record<string, string> = {}): Reply {
  const fields = { 'Content-Type': json, ...privateHeaders, ...headers };
  return { status, headers: fields, body: JSON.stringify(body), logFields };
}

function createRefused(refusal: Refusal): Reply {
  const { status, envelope, headers } = refusal;
  return { ...createJsonReply(status, envelope, headers), logFields: { ...logFields, code: envelope.code } };
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new Refusal('invalid_json');
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new Refusal('not_an_object');
}

function decodeAddress(path: string): string {
  try {
    return decodeURIComponent(path.slice(blocksPath.length + 1));
  } catch {
    throw new Refusal(operatorRefusals.not_an_address);
  }
}

/** The addresses of the operator. They exist only if OPERATOR_TOKEN is set. */
export class Operator {
  readonly #parts: OperatorParts;
  readonly #isOperator: ReturnType<typeof createTokenCheck>;
  readonly #page: string;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    this.#isOperator = createTokenCheck(parts.settings.OPERATOR_TOKEN);
    this.#page = readFileSync(join(parts.folder, pageFile), 'utf8');
  }

  /** Whether an address is the operator's. */
  owns(path: string): boolean {
    return /^\/operator(\.html|\.json|\/blocks(\/[^/]+)?)$/.test(path);
  }

  isBlocked(client: string): boolean {
    return this.#parts.blocks.has(client);
  }

  /** Answers a request for an address of the operator. Never rejects. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    arrival: Arrival,
  ): Promise<Reply> {
    try {
      if (path === '/operator.html') return this.#answerPage(request);
      await this.#requireOperator(request, arrival.client);
      if (path === '/operator.json') return this.#answerOverview(request);
      if (path === blocksPath) return await this.#addBlock(response, arrival);
      return this.#removeBlock(request, path);
    } catch (error) {
      return createRefused(toRefusal(error, this.#parts.report));
    }
  }

  /** Throws operator_only. A guess counts as a live call. */
  async #requireOperator({ headers }: IncomingMessage, client: string): Promise<void> {
    await this.#parts.limits.admitLive(client);
    if (!this.#isOperator(headers.authorization)) throw new Refusal(operatorRefusals.operator_only);
  }

  /** The page has nothing in it before the reader has given it the token. */
  #answerPage(request: IncomingMessage): Reply {
    if (!isGetOrHead(request)) throw createMethodRefusal('GET, HEAD');
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...privateHeaders, ...pageHeaders };
    return { status: 200, headers, body: this.#page, logFields };
  }

  #answerOverview(request: IncomingMessage): Reply {
    if (!isGetOrHead(request)) throw createMethodRefusal('GET, HEAD');
    return createJsonReply(200, createOverview(this.#parts));
  }

  #addBlock(response: ServerResponse, { client, connection }: Arrival): Promise<Reply> {
    if (response.req.method !== 'POST') throw createMethodRefusal('POST');
    const reading = { limit: mostBody, client, onRead: () => connection.hold() };
    return withBody(response, reading, (bytes) => {
      const { address, reason } = parseObject(bytes);
      const block = this.#parts.blocks.add(address, reason, Date.now());
      return createJsonReply(201, { type: 'OK', block });
    });
  }

  #removeBlock({ method }: IncomingMessage, path: string): Reply {
    if (method !== 'DELETE') throw createMethodRefusal('DELETE');
    const { blocks } = this.#parts;
    if (!blocks.remove(decodeAddress(path)))
      return createJsonReply(404, { type: 'EMPTY', message: 'This address is not blocked.' });
    return createJsonReply(200, { type: 'OK', blocks: blocks.list() });
  }
}
