import { buildService } from '../../hosts/build/build-service.ts';
import { readSettings } from '../../hosts/node/settings.ts';
import { createAnswer } from '../../kernel/answer.ts';
import type { Service } from '../../service.ts';

/** The service that the pages are built from. */
export const service = buildService();

/** A request to the core. `target` is a path with its query. */
export interface CoreRequest {
  method: 'GET' | 'POST' | 'PATCH';
  target: string;
  headers?: Record<string, string>;
  body?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
type Envelope = any;

export interface CoreReply {
  status: number;
  headers: Record<string, string>;
  body: Envelope;
}

/** Returns a function that sends requests to the core of a service. */
export function createAsk(asked: Service) {
  const answer = createAnswer(asked);
  return async ({ method, target, headers = {}, body }: CoreRequest): Promise<CoreReply> => {
    const [path = '/', query = ''] = target.split('?');
    const reply = await answer({
      method,
      path,
      query,
      headers: { 'content-type': 'application/json', ...headers },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    });
    return { status: reply.status, headers: reply.headers, body: reply.body ? JSON.parse(reply.body) : '' };
  };
}

/** Sends a request to the core, so that a page shows what a caller gets. */
export const ask = createAsk(service);

/** The published origin, if the build knows it. */
export const publishedOrigin = readSettings(process.env).BASE_URL;

export { anyOrigin } from '../../documents/guides.ts';
