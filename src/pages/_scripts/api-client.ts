import { registerWorker } from '../../hosts/worker/register.ts';
import { describeOutage } from './outage.ts';

// biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
export type Envelope = any;

/** A reply. `tag` is its ETag, and `at` the time of the service in milliseconds since the epoch. */
export interface ApiAnswer {
  status: number;
  body: Envelope;
  tag: string | undefined;
  at: number;
}

/** A refusal, with the message of the service. `status` is 0 if nothing answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Envelope;

  readonly code: string | undefined;

  constructor(status: number, body?: Envelope) {
    const { reason, message, statement, title, code }: Record<string, string | undefined> = body ?? {};
    super(
      status === 0
        ? `${describeOutage()} What you wrote is still here; try again in a moment.`
        : (reason ?? message ?? statement ?? title ?? `The service answered ${status}.`),
    );
    this.status = status;
    this.body = body;
    this.code = code;
  }
}

/** Whether a call was not answered: nothing did, or the service failed. The service may have done what was asked. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Whether a live service or the service worker answers queries and creates at this address. */
export async function isLive(): Promise<boolean> {
  const kind = await registerWorker();
  return kind === 'live' || kind === 'browser';
}

/** Fetches without any cache, after it is known what answers here. Rejects if nothing answers. */
export async function fetchLive(path: string, init: RequestInit = {}): Promise<Response> {
  await isLive();
  return fetch(path, { ...init, cache: 'no-store' });
}

/**
 * Loads code that a page needs only later: `loadCode(() => import('./dialog.ts'))`. If it cannot be loaded, throws an
 * ApiError with status 0, as for a service that does not answer.
 */
export const loadCode = <T>(code: () => Promise<T>): Promise<T> =>
  code().catch(() => {
    throw new ApiError(0);
  });

/** Returns the time of the service. A service worker sends no Date, and has the clock of this device. */
function readServiceTime(headers: Headers): number {
  const at = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(at) ? Date.now() : at;
}

interface ApiOptions {
  headers?: Record<string, string>;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the request goes on after the page is closed. Its body has 64 KB at most. */
  keepalive?: boolean | undefined;
}

/** Calls the service, and returns refusals too. Throws an ApiError with status 0 if nothing answers. */
export async function callApi(method: string, path: string, options: ApiOptions = {}): Promise<ApiAnswer> {
  const { headers = {}, body, signal = null, keepalive = false } = options;
  const type = body && { 'Content-Type': 'application/json' };
  const text = body && JSON.stringify(body);
  try {
    const init = { method, headers: { ...type, ...headers }, body: text ?? null, signal, keepalive };
    const response = await fetchLive(path, init);
    const answered = await response.json().catch(() => ({}));
    const { status, headers: replied } = response;
    return { status, body: answered, tag: replied.get('ETag') ?? undefined, at: readServiceTime(replied) };
  } catch {
    throw new ApiError(0);
  }
}
