import { type ApiAnswer, ApiError, callApi, fetchLive, isLive } from '../../_scripts/api-client.ts';
import { findVisitor } from '../../_scripts/visitor.ts';
import { state, type WorkspaceAccess } from './state.ts';
import { updateState } from './update.ts';

/** The most replies that are kept. */
const mostAnswers = 60;

export function isOwner(): boolean {
  const { access } = state.client;
  return access !== undefined && 'bearer' in access;
}

/** Formats the name of the open workspace: its handle, or its id without the part that makes it a secret. */
export function formatWorkspaceId(): string {
  const { access } = state.client;
  const name = (access && ('id' in access ? access.id : access.handle)) ?? '';
  return name.length > 20 ? `${name.slice(0, 9)}…${name.slice(-4)}` : name;
}

/** Changes the access for all further calls, and forgets what was read before. */
export function setAccess(next: WorkspaceAccess | undefined): void {
  state.client.access = next;
  state.client.answers.clear();
}

function createHeaders(): Record<string, string> {
  const { access } = state.client;
  if (!access) return {};
  if ('id' in access) return { 'X-Workspace': access.id };
  const { bearer, handle } = access;
  return { Authorization: `Bearer ${bearer}`, ...(handle && { 'X-Workspace': handle }) };
}

interface CallOptions {
  headers: Record<string, string>;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
}

async function call(method: string, path: string, { headers, ...options }: CallOptions) {
  if (!(await isLive())) throw new ApiError(0);
  return callApi(method, path, { headers: { ...createHeaders(), ...headers }, ...options });
}

interface ReadOptions {
  /** Whether a 404 is an answer too. */
  orNothing?: boolean;
  signal?: AbortSignal | undefined;
  /** Whether an earlier reply does not do if the service does not answer. */
  isFresh?: boolean;
}

/** Notes that the page shows an earlier reply. Once the service is back, all that is shown is read again. */
function noteOldReply(): void {
  state.reading.seen = '';
  if (!state.isAway) updateState({ isAway: true });
}

/**
 * Reads a path, with an ETag if it was read before. Throws an ApiError unless it gets 200, or 404 with `orNothing`. If the
 * service does not answer, returns the reply that it gave before.
 */
export async function read(
  path: string,
  { orNothing = false, signal, isFresh = false }: ReadOptions = {},
): Promise<ApiAnswer> {
  const { answers } = state.client;
  const cached = answers.get(path);
  const headers: Record<string, string> = cached?.tag ? { 'If-None-Match': cached.tag } : {};
  const answer = await call('GET', path, { headers, signal }).catch((error: ApiError) => {
    if (isFresh || !cached || signal?.aborted || error.status !== 0) throw error;
    noteOldReply();
    return cached;
  });
  if (answer === cached) return cached;
  if (answer.status === 304 && cached) return cached;
  if (answer.status !== 200 && !(orNothing && answer.status === 404))
    throw new ApiError(answer.status, answer.body);
  answers.delete(path);
  if (answer.tag) answers.set(path, answer);
  if (answers.size > mostAnswers) answers.delete(answers.keys().next().value!);
  return answer;
}

/** Reads a file that is not JSON. Throws an ApiError unless it gets 200. */
export async function readFileText(path: string): Promise<string> {
  const response = await fetchLive(path, { headers: createHeaders() });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  return response.text();
}

/**
 * Waits up to 25 seconds for a change at a path that was read. Resolves with true if the service waited or no longer
 * knows the workspace, and with false at once if it cannot wait.
 */
export async function waitForChange(path: string, signal: AbortSignal): Promise<boolean> {
  const { tag } = state.client.answers.get(path) ?? {};
  if (!tag || !(await isLive())) return false;
  const headers = { ...createHeaders(), 'If-None-Match': tag, Prefer: 'wait=25' };
  const response = await fetch(path, { headers, signal, cache: 'no-store' });
  return response.headers.has('Preference-Applied') || response.status === 401;
}

type WriteMethod = 'POST' | 'PATCH' | 'DELETE';

interface WriteOptions {
  body?: object | undefined;
  headers?: Record<string, string>;
  keepalive?: boolean;
}

async function send(method: WriteMethod, path: string, options: WriteOptions = {}) {
  const { body, headers = {}, keepalive = false } = options;
  const { keys } = state.client;
  const name = JSON.stringify([method, path, headers, body]);
  const key = keys.get(name) ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  keys.set(name, key);
  const answer = await call(method, path, {
    headers: { 'Idempotency-Key': key, 'X-Actor': findVisitor(), ...headers },
    body,
    keepalive,
  });
  if (answer.status < 500) keys.delete(name);
  if (answer.status >= 300) throw new ApiError(answer.status, answer.body);
  return answer;
}

/** Sends a write. `tag` limits it to the version that was read. Throws an ApiError unless it gets 2xx. */
export const sendWrite = (
  method: WriteMethod,
  path: string,
  body?: object,
  tag?: string,
): Promise<ApiAnswer> => send(method, path, { body, headers: tag ? { 'If-Match': tag } : {} });

const strict = { Prefer: 'handling=strict' };

/** Creates what no warning speaks against. Throws an ApiError unless it gets 2xx. Then nothing was created. */
export const createStrictly = (path: string, body: object): Promise<ApiAnswer> =>
  send('POST', path, { body, headers: strict });

/** Changes a record as `sendWrite` does. The service refuses what it would warn of. */
export const patchStrictly = (path: string, body: object, tag?: string): Promise<ApiAnswer> =>
  send('PATCH', path, { body, headers: { ...strict, ...(tag && { 'If-Match': tag }) } });

/**
 * Changes several records in one step, even if the page closes meanwhile. With `isStrict` the service refuses what it would
 * warn of. Throws an ApiError unless it gets 2xx.
 */
export const sendBatch = (changes: readonly object[], isStrict: boolean): Promise<ApiAnswer> =>
  send('POST', '/batch', { body: { changes }, headers: isStrict ? strict : {}, keepalive: true });
